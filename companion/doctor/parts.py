"""Checks of what hangs on the machine: pins, buttons, sound, voice."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from companion.doctor.finding import Finding, fault, ok, warning
from companion.doctor.system import System
from companion.service.keeper import NO_PANEL
from companion.session.faults import NO_PART
from companion.text import N_
from hardware.errors import PanelError
from hardware.gpio import Board
from hardware.pinout import part_name
from sounds.voices import EspeakVoice

VOICE_SECONDS = 20.0
# In a process of its own, and through the guard like every sound: a cue at no volume.
SOUND = """
import sys
from sounds.guard import Channel, SilenceGuard
from sounds.make import CUES
from sounds.outputs import MixerOutput
guard = SilenceGuard()
guard.allow()
output = MixerOutput(guard)
heard = output.play(CUES / "tick.wav", Channel.CUE, 0.0)
output.close()
sys.exit(None if heard else str(output.fault))
"""


def panel(system: System) -> list[Finding]:
    """Whether the pins can be had, and whether every button rests."""
    if not system.needs_hardware:
        return [ok("pins", N_("The panel is simulated: no pins are needed."))]
    if system.is_served:
        return [_held_by_the_service(system)]
    if not system.settings.outfit.has_pins:
        return [ok("pins", N_("Nothing hangs on pins, by configuration."))]
    if system.pins is None:
        chips = sorted(system.root.glob("dev/gpiochip*"))
        if not chips:
            return [
                fault(
                    "pins",
                    N_("There are no pins: no /dev/gpiochip."),
                    N_("Is this a Raspberry Pi? See docs/wiring.md."),
                )
            ]
        if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
            return [fault("pins", N_("The pins may not be used."), N_("Join the group: sudo usermod -aG gpio $USER"))]
    try:
        board = Board(system.settings.pinout, system.pins)
    except PanelError as error:
        return [
            fault(
                "pins",
                "{reason}",
                N_("Does another program use the pins? sudo lsof /dev/gpiochip*"),
                reason=error.notice,
            )
        ]
    try:
        held = [button for button, key in board.buttons.items() if key.is_down]
        count = len(board.lamps)
    finally:
        board.close()
    found = [
        ok("pins", N_("All pins are free: {lamps} lights, {buttons} buttons."), lamps=count, buttons=len(board.buttons))
    ]
    if held:
        names = tuple(part_name(button) for button in held)
        found.append(
            warning(
                "buttons",
                N_("Pressed though nobody presses: {buttons}."),
                N_("Is something lying on it? Else the wire or the pull is wrong: companion bringup"),
                buttons=names,
            )
        )
    else:
        found.append(ok("buttons", N_("Every button rests.")))
    return found


def _held_by_the_service(system: System) -> Finding:
    """What the running service says of its panel."""
    status = system.service_status
    if NO_PANEL in status:
        return fault(
            "pins",
            N_("The service runs, but without its panel."),
            N_("See why: journalctl -u hush; then: sudo systemctl restart hush"),
        )
    if NO_PART in status:
        return warning(
            "pins",
            N_("The service runs, but a part of its panel fails."),
            N_("See which: journalctl -u hush; the page and the display say it, too."),
        )
    return ok("pins", N_("The service holds the pins."))


def sound(system: System) -> Finding:
    """Whether there is a sound card that can be opened."""
    if system.settings.sound.backend != "real":
        return ok("sound", N_("Sound isn't real here, by configuration."))
    cards = system.text("proc/asound/cards")
    if cards is None or "no soundcards" in cards:
        return warning(
            "sound",
            N_("There is no sound card. Games go on in light."),
            N_("Plug in a USB sound card, or turn on the Pi's own: dtparam=audio=on in config.txt."),
        )
    if system.is_served:
        return ok("sound", N_("There is a sound card, and the service uses it."))
    ran = system.run([system.python, "-c", SOUND])
    if ran.code != 0:
        return warning(
            "sound",
            N_("The sound card can't be opened: {reason}"),
            N_("Does another program use it? Are you in the group audio?"),
            reason=ran.last or "?",
        )
    return ok("sound", N_("The sound card can be opened."))


def voice(system: System, command: tuple[str, ...] | None = None) -> Finding:
    """Whether espeak-ng speaks the table's language."""
    if not system.settings.sound.speech:
        return ok("voice", N_("Speech is turned off."))
    speaker = EspeakVoice(VOICE_SECONDS) if command is None else EspeakVoice(VOICE_SECONDS, command=command)
    try:
        with tempfile.TemporaryDirectory() as folder:
            speaks = speaker.write("1", system.settings.sound.language, Path(folder) / "voice.wav")
    finally:
        speaker.close()
    if not speaks:
        return warning("voice", N_("The voice doesn't speak."), N_("Install it: sudo apt-get install espeak-ng"))
    return ok("voice", N_("The voice speaks."))
