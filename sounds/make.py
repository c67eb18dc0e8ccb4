"""`python -m sounds.make`: makes the cue sounds in sounds/cues. Same code, same files.

Gentle by design: soft attacks, few overtones, no peak near full scale; all cues equally loud to the ear.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sounds.loudness import SAMPLE_RATE, Samples, matched, write_wav

CUES = Path(__file__).parent / "cues"
LOUDNESS = -26.0

A4 = 440.0


def note(half_tones: float) -> float:
    """A frequency, counted in half tones from a'."""
    return A4 * float(2 ** (half_tones / 12))


def seconds(length: float) -> Samples:
    """Moments from 0 on."""
    return np.arange(round(length * SAMPLE_RATE)) / SAMPLE_RATE


def swell(length: float, attack: float, release: float) -> Samples:
    """An envelope that rises and falls softly."""
    t = seconds(length)
    return np.clip(t / attack, 0, 1) * np.clip((length - t) / release, 0, 1) ** 2


def chime(frequency: float, length: float, overtone: float = 0.25) -> Samples:
    """A soft bell."""
    t = seconds(length)
    tone = np.sin(2 * np.pi * frequency * t) * np.exp(-4.5 * t / length)
    above = overtone * np.sin(2 * np.pi * 2.76 * frequency * t) * np.exp(-12 * t / length)
    return (tone + above) * swell(length, 0.008, 0.1)


def hum(frequency: float, length: float) -> Samples:
    """A round, low tone, like a breath into a bottle."""
    t = seconds(length)
    wave = np.sin(2 * np.pi * frequency * t) + 0.3 * np.sin(2 * np.pi * 2 * frequency * t)
    return wave * swell(length, 0.05, length / 2)


def knock(frequency: float, length: float = 0.12) -> Samples:
    """A finger on wood."""
    t = seconds(length)
    return np.sin(2 * np.pi * frequency * t) * np.exp(-35 * t) * swell(length, 0.003, 0.03)


def rustle(length: float, low: float, high: float, seed: int) -> Samples:
    """Noise between two frequencies, like leaves."""
    noise = np.random.default_rng(seed).random(round(length * SAMPLE_RATE)) * 2 - 1
    spectrum = np.fft.rfft(noise)
    frequencies = np.fft.rfftfreq(len(noise), 1 / SAMPLE_RATE)
    spectrum[(frequencies < low) | (frequencies > high)] = 0
    return np.fft.irfft(spectrum, len(noise))


def glide(start: float, end: float, length: float) -> Samples:
    """A tone that slides from one frequency to another."""
    t = seconds(length)
    phase = 2 * np.pi * (start * t + (end - start) * t**2 / (2 * length))
    return np.sin(phase) * swell(length, 0.03, length / 2)


def one_after_another(step: float, *sounds: Samples) -> Samples:
    """Sounds that begin one after the other and ring on."""
    starts = [round(index * step * SAMPLE_RATE) for index in range(len(sounds))]
    whole = np.zeros(max(start + len(sound) for start, sound in zip(starts, sounds, strict=True)))
    for start, sound in zip(starts, sounds, strict=True):
        whole[start : start + len(sound)] += sound
    return whole


MAKERS: dict[str, Callable[[], Samples]] = {
    "accepted": lambda: one_after_another(0.09, chime(note(3), 0.4), chime(note(10), 0.5)),
    "refused": lambda: one_after_another(0.16, hum(note(-17), 0.22), hum(note(-19), 0.3)),
    "question": lambda: glide(note(0), note(5), 0.35),
    "noise": lambda: rustle(0.6, 300, 2400, 1) * swell(0.6, 0.02, 0.55),
    "undone": lambda: one_after_another(0.25, glide(note(17), note(12), 0.22), glide(note(12), note(5), 0.3)),
    "anyone": lambda: one_after_another(0.22, knock(note(2)), knock(note(2)), knock(note(2))),
    "hunt": lambda: one_after_another(0.3, hum(note(-20), 0.7), hum(note(-14), 0.9)),
    "omen": lambda: chime(note(-9), 1.2, 0.9) + chime(note(-3), 1.2, 0.6),
    "tick": lambda: knock(note(15), 0.09),
    "win": lambda: one_after_another(0.14, *(chime(note(n), 0.7) for n in (3, 7, 10, 15))),
    "loss": lambda: one_after_another(0.24, *(hum(note(n), 0.6) for n in (-2, -6, -9))),
    "fault": lambda: one_after_another(0.2, knock(note(24)), chime(note(-7), 0.5, 0.0), knock(note(24))),
}


def make(name: str) -> Samples:
    """One sound, ready to be written."""
    return matched(MAKERS[name](), LOUDNESS)


def main() -> int:
    """Write every sound."""
    CUES.mkdir(exist_ok=True)
    for name in MAKERS:
        write_wav(CUES / f"{name}.wav", make(name))
    print(f"{len(MAKERS)} cues in {CUES.name}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
