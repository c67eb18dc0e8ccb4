"""What one player alone is shown on the panel: ✔ shows it, ✔ hides it for good."""

from __future__ import annotations

from companion.session.game_session import GameSession
from hardware.panel import Layer


class Peeking:
    """Whether somebody is looking at a secret now; `seen_at` is the step at which somebody was done with it."""

    def __init__(self, game: GameSession):
        self._game = game
        self._is_showing = False
        self.seen_at = -1

    def forget(self) -> None:
        """Forget who has looked at a secret: it was another game's."""
        self._is_showing, self.seen_at = False, -1

    @property
    def secret(self) -> Layer | None:
        """What one player alone is being shown."""
        if not self._is_showing or not self._game.is_running:
            return None
        play, host = self._game.playing()
        return host.peek(play.state)

    def on_confirm(self) -> bool:
        """Show the secret of this step, or hide it; whether there is one that wasn't seen yet."""
        play, host = self._game.playing()
        if self.seen_at == play.number or host.peek(play.state) is None:
            return False
        if self._is_showing:
            self.seen_at = play.number
        self._is_showing = not self._is_showing
        return True
