"""The network of `vision.comparison` in torch: fitted to examples, and written under the names that are read there."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from msgspec import Struct

from benchmarks.vision.training import Random
from vision.geometry import Array, Counts, Mask

CHANNELS, HIDDEN = 24, 32
BATCH = 48
RATE, DECAY, CLIPPED = 3e-3, 2e-3, 1.0
# Shares of all steps in which the rate rises, and by how much it's smaller at the end than at the start.
WARMING, COOLED = 0.1, 50
# So many examples tell how large evidence usually is.
SAMPLED = 1500
# A summary's numbers are cut off at so many times their usual size.
FARTHEST = 4.0
# A candidate that stands there twice is no candidate.
NEVER = -1e4
THRESHOLDS = (0.5, 0.8, 0.9, 0.98, 0.995)

Weights = dict[str, Any]  # arrays by the names that `vision.comparison` reads


class Examples(Struct, frozen=True):
    """Many examples; see `examples.Example`."""

    maps: Array
    summary: Array
    shows: Array
    truth: Counts
    repeated: Mask


def torch_module() -> Any:
    """Torch, which only this needs."""
    try:
        import torch
    except ImportError as error:
        raise SystemExit("the network is fitted with torch, which isn't installed: pip install torch") from error
    return torch


def initial(random: Random, examples: Examples) -> Weights:
    """A network that knows nothing yet but how large evidence usually is."""
    maps, summary = examples.maps.shape[2], examples.summary.shape[2]
    shapes = {
        "first": (CHANNELS, maps, 3, 3), "second": (CHANNELS, CHANNELS, 3, 3),
        "pooled": (HIDDEN, 3 * CHANNELS + summary), "hidden": (HIDDEN, HIDDEN), "odds": (1, HIDDEN),
    }  # fmt: skip
    weights = usual(random, examples)
    for name, shape in shapes.items():
        reach = float(np.prod(shape[1:])) ** -0.5
        weights[f"{name}.weight"] = random.uniform(-reach, reach, shape).astype(np.float32)
        weights[f"{name}.bias"] = random.uniform(-reach, reach, shape[0]).astype(np.float32)
    return weights


def usual(random: Random, examples: Examples) -> Weights:
    """How large evidence usually is: mean and deviation of the maps' roots where a card shows, medians of the rest."""
    some = np.sort(random.permutation(len(examples.truth))[:SAMPLED])
    roots = np.sqrt(examples.maps[some].astype(np.float32))
    shows = examples.shows[some].astype(np.float32)[:, None, None]
    total = shows.sum() * roots.shape[1]
    mean = (roots * shows).sum(axis=(0, 1, 3, 4)) / total
    spread = np.sqrt((np.square(roots - mean[:, None, None]) * shows).sum(axis=(0, 1, 3, 4)) / total)
    summary = examples.summary[some].reshape(-1, examples.summary.shape[2])
    low, middle, high = np.quantile(summary, (0.16, 0.5, 0.84), axis=0)
    found = {
        "maps.mean": mean,
        "maps.scale": np.maximum(spread, 1e-6),
        "summary.mean": middle,
        "summary.scale": np.maximum(high - low, 0.05) / 2,
    }
    return {name: value.astype(np.float32) for name, value in found.items()}


def log_odds(torch: Any, net: dict[str, Any], maps: Any, summary: Any, shows: Any) -> Any:
    """The same as `vision.comparison.log_odds` for many at once: (one); `shows` is (one, 1, row, column)."""
    relu, linear = torch.nn.functional.relu, torch.nn.functional.linear
    seen = (torch.sqrt(maps) - net["maps.mean"][:, None, None]) / net["maps.scale"][:, None, None] * shows
    for name in ("first", "second"):
        convolved = torch.nn.functional.conv2d(seen, net[f"{name}.weight"], net[f"{name}.bias"], padding=1)
        seen = relu(convolved) * shows
    total = shows.sum((2, 3)) + 1
    known = ((summary - net["summary.mean"]) / net["summary.scale"]).clamp(-FARTHEST, FARTHEST)
    root = torch.sqrt((seen * seen).sum((2, 3)) / total + 1e-6)
    values = torch.cat([seen.sum((2, 3)) / total, seen.amax((2, 3)), root, known], 1)
    for name in ("pooled", "hidden"):
        values = relu(linear(values, net[f"{name}.weight"], net[f"{name}.bias"]))
    return linear(values, net["odds.weight"], net["odds.bias"])[:, 0]


def scores(torch: Any, net: dict[str, Any], examples: Examples, chosen: Counts) -> Any:
    """Log-odds of each candidate and, as the last, of none of them: (example, candidate)."""
    maps = torch.from_numpy(examples.maps[chosen]).float()
    count, candidates, _, rows, columns = maps.shape
    summary = torch.from_numpy(examples.summary[chosen]).flatten(0, 1)
    shows = torch.from_numpy(examples.shows[chosen]).float()[:, None, None]
    shows = shows.expand(count, candidates, 1, rows, columns).flatten(0, 1)
    odds = log_odds(torch, net, maps.flatten(0, 1), summary, shows).view(count, candidates)
    odds = odds.masked_fill(torch.from_numpy(examples.repeated[chosen]), NEVER)
    return torch.cat([odds, torch.zeros(count, 1)], 1)


def fit(examples: Examples, checked: Examples, epochs: int, seed: int = 0) -> Weights:
    """The weights by which candidates are told apart best, by AdamW on cross-entropy; every epoch is reported."""
    torch, random = torch_module(), np.random.default_rng(seed)
    net = {name: torch.from_numpy(value) for name, value in initial(random, examples).items()}
    learnt = [net[name].requires_grad_() for name in net if name.endswith((".weight", ".bias"))]
    count = len(examples.truth)
    batch = min(BATCH, count)
    steps = epochs * (count // batch)
    optimiser = torch.optim.AdamW(learnt, lr=RATE, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, RATE, total_steps=steps + 1, pct_start=WARMING, final_div_factor=COOLED
    )
    begun = time.monotonic()
    for epoch in range(1, epochs + 1):
        order, losses = random.permutation(count), []
        for first in range(0, count - batch + 1, batch):
            chosen = order[first : first + batch]
            truth = torch.from_numpy(examples.truth[chosen])
            loss = torch.nn.functional.cross_entropy(scores(torch, net, examples, chosen), truth)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learnt, CLIPPED)
            optimiser.step()
            rate.step()
            losses.append(loss.item())
        weights = {name: value.detach().numpy().copy() for name, value in net.items()}
        print(f"epoch {epoch} of {epochs}, {time.monotonic() - begun:.0f} s: loss {np.mean(losses):.3f}; "
              f"{report('checked', checked, probabilities(weights, checked))}", flush=True)  # fmt: skip
    return weights


def probabilities(weights: Weights, examples: Examples) -> Array:
    """How likely each candidate, and as the last none of them: (example, candidate)."""
    torch = torch_module()
    net = {name: torch.from_numpy(value) for name, value in weights.items()}
    parts = np.array_split(np.arange(len(examples.truth)), max(1, len(examples.truth) // 200))
    with torch.no_grad():
        return np.concatenate([torch.softmax(scores(torch, net, examples, part), 1).numpy() for part in parts])


def report(title: str, examples: Examples, probable: Array) -> str:
    """How often the likeliest candidate is right, and how many names are given and wrong from a probability on."""
    none = probable.shape[1] - 1
    truth, best, sure = examples.truth, probable[:, :none].argmax(axis=1), probable[:, :none].max(axis=1)
    is_enrolled, is_right = truth < none, best == truth
    loss = -np.log(np.maximum(probable[np.arange(len(truth)), truth], 1e-9)).mean()
    lines = [f"{title}, {len(truth)} views: loss {loss:.3f}, top-1 {is_right[is_enrolled].mean():.1%}"]
    for least in THRESHOLDS:
        named = sure >= least
        wrong, strangers = named & ~is_right, named & ~is_enrolled
        lines.append(
            f"  from {least}: {(named & is_right)[is_enrolled].mean():.1%} of {is_enrolled.sum()} named; "
            f"of {named.sum()} names {wrong.sum()} wrong, {strangers.sum()} of them strangers"
        )
    return "\n".join(lines)
