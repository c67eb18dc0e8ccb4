"""Weights of the eye's decision: made by `python -m benchmarks.vision.fit`, not to be changed by hand."""

# For drawing, colour and lamp between two faces: their sum is a log-odds in nats.
RIVAL = (0.860, 1.063, 1.991)
# For each value of `confidence.regression_features`.
ENROLLED = (
    -0.043, -5.854, -4.355, -2.992, -0.356, 2.350, 4.533, 4.619, 0.562,
)  # fmt: skip
