"""The sign of the box's own Wi-Fi: at the menu, now and then, and in nobody's way."""

from __future__ import annotations

from companion.outputs.own_network import NETWORK_SIGN_SECONDS, OwnNetwork
from companion.session.events import AskedAgain, Changed, EventBus
from companion.session.situation import KnockShown, Situation
from companion.text import Text
from hardware.flourishes import OWN_NETWORK, Flourish, knock
from hardware.simulated import SimulatedPanel


class Watched(SimulatedPanel):
    """A panel that notes what is played."""

    def __init__(self) -> None:
        super().__init__()
        self.played: list[Flourish] = []

    def flourish(self, flourish: Flourish) -> None:
        self.played.append(flourish)


class Menu:
    """A box at its menu."""

    def __init__(self, is_open: bool = True):
        self.time, self.is_open = 100.0, is_open
        self.panel, self.bus = Watched(), EventBus()
        self.sign = OwnNetwork(self.panel, lambda: self.is_open, lambda: self.time)
        self.sign.attach(self.bus)
        self.bus.publish(Changed(Situation()))

    def ticked(self) -> int:
        """How often the sign has been played after one more turn of the loop."""
        self.sign.tick()
        assert set(self.panel.played) <= {OWN_NETWORK}
        return len(self.panel.played)


def test_at_the_menu_it_comes_again_and_again() -> None:
    menu = Menu()
    assert [menu.ticked(), menu.ticked()] == [1, 1]
    menu.time += NETWORK_SIGN_SECONDS
    assert menu.ticked() == 2


def test_who_asks_what_now_sees_it_at_once() -> None:
    menu = Menu()
    menu.ticked()
    menu.bus.publish(AskedAgain())
    assert menu.ticked() == 2


def test_it_isnt_shown_without_that_network_nor_while_somebody_knocks() -> None:
    closed, knocked = Menu(is_open=False), Menu()
    assert closed.ticked() == 0
    knocked.bus.publish(Changed(Situation(knock=KnockShown(knock(3, "blue", "sun"), Text("a phone"), "12345678"))))
    assert knocked.ticked() == 0
