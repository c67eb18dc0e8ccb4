"""Weights of the eye's decision: made by `python -m benchmarks.vision.fit`, not to be changed by hand."""

# For drawing, colour and lamp between two faces: their sum is a log-odds in nats.
RIVAL = (0.822, 1.082, 2.259)
# For each value of `confidence.evidence`.
ENROLLED = (
    -1.113, -4.834, -1.326, -3.803, 0.217, 8.660, 5.030, 4.000, -1.810, 0.812, 0.877, 0.529,
)  # fmt: skip
