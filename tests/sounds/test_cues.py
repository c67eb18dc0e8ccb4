"""The cue sounds: the files are what the generator makes, equally loud, gentle, and told apart."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sounds.loudness import SAMPLE_RATE, Samples, loudness, read_wav, write_wav
from sounds.make import CUES, LOUDNESS, MAKERS, make


@pytest.mark.parametrize("name", MAKERS)
def test_the_file_is_what_the_generator_makes(name: str) -> None:
    made = np.round(np.clip(make(name), -1, 1) * 32767)
    kept = np.round(read_wav(CUES / f"{name}.wav") * 32768)
    assert len(made) == len(kept)
    # A processor of another kind may round a sine differently in its last place.
    assert np.max(np.abs(made - kept)) <= 1


def test_there_are_no_other_files() -> None:
    assert sorted(file.stem for file in CUES.glob("*")) == sorted(MAKERS)


@pytest.mark.parametrize("name", MAKERS)
def test_all_are_equally_loud(name: str) -> None:
    assert loudness(read_wav(CUES / f"{name}.wav")) == pytest.approx(LOUDNESS, abs=0.5)


@pytest.mark.parametrize("name", MAKERS)
def test_all_are_gentle_and_small(name: str) -> None:
    samples = read_wav(CUES / f"{name}.wav")
    assert np.max(np.abs(samples)) <= 0.61
    assert (CUES / f"{name}.wav").stat().st_size < 200_000
    assert len(samples) / SAMPLE_RATE <= 1.3
    assert abs(samples[0]) < 0.01, "no click at the start"
    assert abs(samples[-1]) < 0.01, "no click at the end"


def fingerprint(samples: Samples) -> Samples:
    """Loudness over time and pitch, coarse: eight stretches of 0.15 s, twelve bands."""
    whole = np.pad(samples, (0, max(0, round(1.2 * SAMPLE_RATE) - len(samples))))[: round(1.2 * SAMPLE_RATE)]
    rows = []
    for part in np.array_split(whole, 8):
        power = np.abs(np.fft.rfft(part)) ** 2
        edges = np.geomspace(2, len(power), 13).astype(int)
        rows.append([power[a:b].sum() for a, b in itertools.pairwise(edges)])
    print_ = np.sqrt(np.array(rows)).ravel()
    return np.asarray(print_ / np.linalg.norm(print_))


def test_no_two_cues_sound_alike() -> None:
    prints = {name: fingerprint(read_wav(CUES / f"{name}.wav")) for name in MAKERS}
    for one, other in itertools.combinations(MAKERS, 2):
        likeness = float(prints[one] @ prints[other])
        assert likeness < 0.9, f"{one} and {other} are alike: {likeness:.2f}"


def test_loudness_follows_the_level(tmp_path: object) -> None:
    t = np.arange(SAMPLE_RATE) / SAMPLE_RATE
    tone = 0.5 * np.sin(2 * np.pi * 1000 * t)
    # A full-scale sine has -3 dB; the ear weighs 1 kHz as it is.
    assert loudness(tone) == pytest.approx(-9.03, abs=0.1)
    assert loudness(tone / 10) == pytest.approx(-29.03, abs=0.1)
    assert loudness(np.zeros(SAMPLE_RATE)) == -120
    assert loudness(0.5 * np.sin(2 * np.pi * 60 * t)) < loudness(tone) - 20


def test_only_mono_is_read(tmp_path: pytest.TempPathFactory) -> None:
    import wave
    from pathlib import Path

    path = Path(str(tmp_path)) / "stereo.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(b"\0" * 8)
    with pytest.raises(ValueError, match="mono"):
        read_wav(path)
    write_wav(path, np.zeros(10))
    assert len(read_wav(path)) == 10
