"""The network of `vision.network` in torch: fitted to examples, and written under the names that are read there."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from benchmarks.vision.training import Random
from vision.detail import MAP_BYTE_SCALE
from vision.geometry import Array, Counts, Mask
from vision.network import CLIPPED_DEVIATIONS, CONVOLUTIONS

DECAY, CLIPPED = 2e-3, 1.0
# Shares of all steps in which the rate rises, and by how much it's smaller at the end than at the start.
WARMING, COOLED = 0.1, 50
# The rate at which known weights go on, beside that of new ones.
GOING_ON = 0.4
# So many examples tell how large evidence usually is.
SAMPLED = 600
# The log-odds of what is no candidate, and the least probability.
NEVER, NO_CHANCE = -1e4, 1e-12
THRESHOLDS = (0.5, 0.8, 0.9, 0.98, 0.995)

Weights = dict[str, Any]  # arrays by the names that `vision.network` reads


class Architecture(Struct, frozen=True):
    """Widths of a network's layers, and how fast it learns; a kernel 4 wide halves the grid."""

    kernels: tuple[int, ...]
    channels: int
    pooled: int
    batch: int
    rate: float
    hidden: int = 32


COMPARISON = Architecture(kernels=(3, 3), channels=24, pooled=32, batch=48, rate=3e-3)
DETAIL = Architecture(kernels=(4, 3, 3), channels=32, pooled=48, batch=32, rate=2.5e-3)


class Examples(Struct, frozen=True):
    """Many examples; see `examples.Example`."""

    maps: Array
    summary: Array
    visible: Array
    truth: Counts
    repeated: Mask


def torch_module() -> Any:
    """Torch, which only this needs."""
    try:
        import torch
    except ImportError as error:
        raise SystemExit("the network is fitted with torch, which isn't installed: pip install torch") from error
    return torch


def initial(random: Random, examples: Examples, layers: Architecture) -> Weights:
    """A network that knows nothing yet but how large evidence usually is."""
    inputs, summary = examples.maps.shape[2], examples.summary.shape[2]
    shapes: dict[str, tuple[int, ...]] = {}
    for name, kernel in zip(CONVOLUTIONS, layers.kernels, strict=False):
        shapes[name] = (layers.channels, inputs, kernel, kernel)
        inputs = layers.channels
    shapes |= {
        "pooled": (layers.pooled, 3 * inputs + summary), "hidden": (layers.hidden, layers.pooled),
        "odds": (1, layers.hidden),
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
    roots = roots_of(examples.maps[some])
    visible = examples.visible[some].astype(np.float32)[:, None, None]
    total = visible.sum() * roots.shape[1]
    mean = (roots * visible).sum(axis=(0, 1, 3, 4)) / total
    spread = np.sqrt((np.square(roots - mean[:, None, None]) * visible).sum(axis=(0, 1, 3, 4)) / total)
    summary = examples.summary[some].reshape(-1, examples.summary.shape[2])
    low, middle, high = np.quantile(summary, (0.16, 0.5, 0.84), axis=0)
    found = {
        "maps.mean": mean,
        "maps.scale": np.maximum(spread, 1e-3),
        "summary.mean": middle,
        "summary.scale": np.maximum(high - low, 0.05) / 2,
    }
    return {name: value.astype(np.float32) for name, value in found.items()}


def roots_of(maps: Array) -> Array:
    """The square roots of maps, of which bytes are `MAP_BYTE_SCALE` times the root."""
    wide = maps.astype(np.float32)
    return wide / np.float32(MAP_BYTE_SCALE) if maps.dtype == np.uint8 else np.sqrt(wide)


def log_odds(torch: Any, net: dict[str, Any], roots: Any, summary: Any, visible: Any) -> Any:
    """The same as `vision.network.logit` for the roots of many maps: (one); `visible` is (one, 1, row, column)."""
    layers = torch.nn.functional
    relu, linear = layers.relu, layers.linear
    seen = (roots - net["maps.mean"][:, None, None]) / net["maps.scale"][:, None, None] * visible
    for weight, bias in (
        (net[f"{name}.weight"], net[f"{name}.bias"]) for name in CONVOLUTIONS if f"{name}.bias" in net
    ):
        stride = 2 if weight.shape[2] == 4 else 1
        visible = layers.avg_pool2d(visible, stride)
        seen = relu(layers.conv2d(seen, weight, bias, stride=stride, padding=1)) * visible
    total = visible.sum((2, 3)) + 1
    known = ((summary - net["summary.mean"]) / net["summary.scale"]).clamp(-CLIPPED_DEVIATIONS, CLIPPED_DEVIATIONS)
    root = torch.sqrt((seen * seen).sum((2, 3)) / total + 1e-6)
    values = torch.cat([seen.sum((2, 3)) / total, seen.amax((2, 3)), root, known], 1)
    for name in ("pooled", "hidden"):
        values = relu(linear(values, net[f"{name}.weight"], net[f"{name}.bias"]))
    return linear(values, net["odds.weight"], net["odds.bias"])[:, 0]


def scores(torch: Any, net: dict[str, Any], examples: Examples, chosen: Counts) -> Any:
    """Log-odds of each candidate and, as the last, of none of them: (example, candidate)."""
    roots = torch.from_numpy(roots_of(examples.maps[chosen]))
    count, candidates, _, rows, columns = roots.shape
    summary = torch.from_numpy(examples.summary[chosen]).flatten(0, 1)
    visible = torch.from_numpy(examples.visible[chosen]).float()[:, None, None]
    visible = visible.expand(count, candidates, 1, rows, columns).flatten(0, 1)
    roots = roots.flatten(0, 1).to(memory_format=torch.channels_last)
    odds = log_odds(torch, net, roots, summary, visible).float().view(count, candidates)
    odds = odds.masked_fill(torch.from_numpy(examples.repeated[chosen]), NEVER)
    return torch.cat([odds, torch.zeros(count, 1)], 1)


def _faster(torch: Any) -> Any:
    """Half precision where torch offers it."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.amp.is_autocast_available("cpu"))


def gone_on_with(weights: Weights, new: Weights) -> Weights:
    """Weights to go on with; numbers about the whole that are new to them begin without any weight."""
    known, count = len(weights["summary.mean"]), len(new["summary.mean"])
    more = {name: np.concatenate([weights[name], new[name][known:]]) for name in ("summary.mean", "summary.scale")}
    unknown = np.zeros((len(weights["pooled.weight"]), count - known), np.float32)
    return {**weights, **more, "pooled.weight": np.concatenate([weights["pooled.weight"], unknown], axis=1)}


def fit(
    examples: Examples, checked: Examples, epochs: int, layers: Architecture, before: Weights | None = None,
    seed: int = 0,
) -> Weights:  # fmt: skip
    """The weights by which candidates are told apart best, by AdamW on cross-entropy; every epoch is reported.

    They go on from those of `before`, at a lower rate.
    """
    torch, random = torch_module(), np.random.default_rng(seed)
    first = initial(random, examples, layers)
    if before is not None:
        first, layers = gone_on_with(before, first), msgspec.structs.replace(layers, rate=layers.rate * GOING_ON)
    net = {name: torch.from_numpy(value) for name, value in first.items()}
    learnt = [net[name].requires_grad_() for name in net if name.endswith((".weight", ".bias"))]
    count = len(examples.truth)
    batch = min(layers.batch, count)
    steps = epochs * (count // batch)
    optimiser = torch.optim.AdamW(learnt, lr=layers.rate, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, layers.rate, total_steps=steps + 1, pct_start=WARMING, final_div_factor=COOLED
    )
    begun = time.monotonic()
    for epoch in range(1, epochs + 1):
        order, losses = random.permutation(count), []
        for start in range(0, count - batch + 1, batch):
            chosen = order[start : start + batch]
            truth = torch.from_numpy(examples.truth[chosen])
            with _faster(torch):
                odds = scores(torch, net, examples, chosen)
            loss = torch.nn.functional.cross_entropy(odds, truth)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learnt, CLIPPED)
            optimiser.step()
            rate.step()
            losses.append(loss.item())
        weights = {name: value.detach().numpy().copy() for name, value in net.items()}
        print(f"epoch {epoch} of {epochs}, {time.monotonic() - begun:.0f} s: loss {np.mean(losses):.3f}; "
              f"{report('checked', checked, probabilities(weights, checked))}", flush=True)  # fmt: skip
    return calibrated(weights, checked)


def calibrated(weights: Weights, checked: Examples) -> Weights:
    """The weights with the scale of log-odds by which probabilities are likeliest where they weren't fitted."""
    odds = np.log(np.maximum(probabilities(weights, checked), NO_CHANCE))
    truth = np.arange(len(odds)), checked.truth

    def loss(scale: float) -> float:
        # The last is none of them, whose log-odds stay 0.
        scaled_odds = scale * (odds - odds[:, -1:])
        return float((np.logaddexp.reduce(scaled_odds, axis=1) - scaled_odds[truth]).mean())

    best = min(np.arange(0.5, 1.3, 0.05).tolist(), key=loss)
    print(f"log-odds are scaled by {best:.2f}: loss {loss(1.0):.3f}, then {loss(best):.3f}", flush=True)
    return scaled(weights, best)


def scaled(weights: Weights, scale: float) -> Weights:
    """The weights with all log-odds multiplied."""
    return {**weights, **{name: weights[name] * np.float32(scale) for name in ("odds.weight", "odds.bias")}}


def probabilities(weights: Weights, examples: Examples) -> Array:
    """How likely each candidate, and as the last none of them: (example, candidate)."""
    torch = torch_module()
    net = {name: torch.from_numpy(value) for name, value in weights.items()}
    parts = np.array_split(np.arange(len(examples.truth)), max(1, len(examples.truth) // 200))
    with torch.no_grad(), _faster(torch):
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
