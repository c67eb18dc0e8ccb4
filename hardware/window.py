"""The window twin: the panel, the table as last recognised, and buttons to click."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from companion.text import N_
from hardware.animation_loop import LitPanel
from hardware.canvas import Shape, Words, paint
from hardware.errors import PanelError
from hardware.panel import ALL_PARTS, Button, Parts
from hardware.panel_drawing import BACKGROUND, LABEL, button_at, draw_panel
from hardware.panel_drawing import SIZE as PANEL_SIZE

if TYPE_CHECKING:
    import pygame

TABLE_SIZE = (PANEL_SIZE[0], 400)
CAPTION = 44
SIZE = (PANEL_SIZE[0], TABLE_SIZE[1] + CAPTION + PANEL_SIZE[1])
PANEL_TOP = TABLE_SIZE[1] + CAPTION
WAITING_SECONDS = 10.0


class NoScreen(PanelError, OSError):
    """A window can't be opened here."""


class WindowPanel(LitPanel):
    """The panel in a window. Mouse and keys (← → Enter Backspace) can be held like the real buttons.

    SDL wants one thread for a window, so it's opened, drawn and heard in the panel's own.
    """

    def __init__(
        self,
        parts: Parts = ALL_PARTS,
        clock: Callable[[], float] | None = None,
        closed: Callable[[], None] | None = None,
    ):
        super().__init__(parts, clock)
        self.surface: pygame.Surface | None = None
        self._on_closed = closed
        self._table: NDArray[np.uint8] | None = None
        self._caption = ""
        self._down: frozenset[Button] = frozenset()
        self._is_stale = False
        self._events: list[pygame.event.Event] = []
        self._ready = threading.Event()
        self._problem = ""
        if clock is not None:
            self._open()
        self.start()
        if clock is None:
            self._ready.wait(WAITING_SECONDS)
        if self._problem:
            raise NoScreen(N_("The window can't be opened: {reason}"), reason=self._problem)

    def show_table(self, picture: NDArray[np.uint8] | None, caption: str = "") -> None:
        """Show the table as last recognised (rows of RGB pixels), with a line of text below."""
        with self._changed:
            self._table, self._caption, self._is_stale = picture, caption, True
            self._wake()

    def step(self) -> float:
        """Hear the mouse and the keys, then do what is due."""
        if self.surface is None:
            return math.inf
        self._hear()
        due = super().step()
        if self._is_stale:
            self._is_stale = False
            self._safely(self._draw, self._levels)
        return due

    def _open(self) -> None:
        import pygame

        try:
            pygame.display.init()
            pygame.display.set_caption("Hush")
            self.surface = pygame.display.set_mode(SIZE)
        except pygame.error as error:
            self._problem = str(error)
        self._ready.set()

    def _run(self) -> None:
        import pygame

        self._open()
        if self._problem:
            return
        try:
            super()._run()
        except pygame.error:
            # On a slow machine the window may go while this thread still listens to it.
            if not self._closed:
                raise

    def _sleep(self, seconds: float) -> None:
        import pygame

        milliseconds = 0 if math.isinf(seconds) else max(1, round(seconds * 1000))
        event = pygame.event.wait(milliseconds)
        if event.type != pygame.NOEVENT:
            self._events.append(event)

    def _wake(self) -> None:
        super()._wake()
        if self._thread is not None and self.surface is not None:
            import pygame

            pygame.event.post(pygame.event.Event(pygame.USEREVENT))

    def _hear(self) -> None:
        import pygame

        keys = {
            pygame.K_LEFT: Button.LEFT,
            pygame.K_RIGHT: Button.RIGHT,
            pygame.K_RETURN: Button.CONFIRM,
            pygame.K_BACKSPACE: Button.BACK,
        }
        events, self._events = [*self._events, *pygame.event.get()], []
        for event in events:
            if event.type in (pygame.KEYDOWN, pygame.KEYUP) and event.key in keys:
                self._touch(keys[event.key], event.type == pygame.KEYDOWN)
            elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
                button = button_at((event.pos[0], event.pos[1] - PANEL_TOP), self.parts)
                if button is not None:
                    self._touch(button, True)
            elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
                # Wherever the mouse is by now, it holds no button any more.
                for button in self._down:
                    self._touch(button, False)
            elif event.type == pygame.QUIT and self._on_closed is not None:
                self._on_closed()

    def _touch(self, button: Button, down: bool) -> None:
        if (button in self._down) != down:
            self._down = self._down ^ {button}
            self._is_stale = True
            self.contact(button, down)

    def _draw(self, bright: dict[str, float]) -> None:
        import pygame

        if self.surface is None:
            return
        self.surface.fill(BACKGROUND)
        if self._table is not None:
            self._blit_table(self.surface, self._table)
        caption: list[Shape] = [Words((SIZE[0] / 2, TABLE_SIZE[1] + CAPTION / 2), self._caption, 18, LABEL, "middle")]
        paint(self.surface, caption)
        paint(self.surface.subsurface((0, PANEL_TOP, *PANEL_SIZE)), draw_panel(bright, self.parts, self._down))
        pygame.display.flip()

    def _blit_table(self, surface: pygame.Surface, picture: NDArray[np.uint8]) -> None:
        import pygame

        height, width = picture.shape[:2]
        scale = min(TABLE_SIZE[0] / width, TABLE_SIZE[1] / height)
        size = (round(width * scale), round(height * scale))
        image = pygame.image.frombuffer(np.ascontiguousarray(picture).tobytes(), (width, height), "RGB")
        surface.blit(pygame.transform.smoothscale(image, size), ((TABLE_SIZE[0] - size[0]) // 2, 0))

    def _leave(self) -> None:
        import pygame

        self.surface = None
        pygame.display.quit()
