"""How loud a sound seems: A-weighted level of its loudest fifth of a second, in decibels below full scale."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 22050
LOUDNESS_WINDOW_SECONDS = 0.2
PEAK = 0.6

Samples = NDArray[np.float64]


def read_wav(path: Path) -> Samples:
    """A mono 16-bit file as numbers from -1 to 1."""
    with wave.open(str(path), "rb") as file:
        if file.getnchannels() != 1 or file.getsampwidth() != 2:
            raise ValueError(f"{path} is not mono with 16 bits")
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float64) / 32768


def write_wav(path: Path, samples: Samples) -> None:
    """Numbers from -1 to 1 as a mono 16-bit file."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(np.round(np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())


def a_weighted(samples: Samples) -> Samples:
    """The sound as the ear weighs it: low and very high tones count less."""
    spectrum = np.fft.rfft(samples)
    f2 = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE) ** 2
    weight = (12194**2 * f2**2) / ((f2 + 20.6**2) * np.sqrt((f2 + 107.7**2) * (f2 + 737.9**2)) * (f2 + 12194**2))
    return np.fft.irfft(spectrum * weight * 1.2589, len(samples))


def loudness(samples: Samples) -> float:
    """The level of the loudest stretch, in dB; silence is -120."""
    window = round(LOUDNESS_WINDOW_SECONDS * SAMPLE_RATE)
    power = a_weighted(np.pad(samples, (0, window))) ** 2
    sums = np.concatenate([[0.0], np.cumsum(power)])
    loudest = float(np.max(sums[window:] - sums[:-window])) / window
    return float(10 * np.log10(max(loudest, 1e-12)))


def matched(samples: Samples, target: float) -> Samples:
    """The sound at a loudness, unless its peak forbids it."""
    louder = samples * 10 ** ((target - loudness(samples)) / 20)
    peak = float(np.max(np.abs(louder), initial=0.0))
    return louder * min(1.0, PEAK / peak) if peak else louder
