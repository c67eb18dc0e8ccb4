"""The eye: from camera frames to a view of the table that can be trusted."""

import numpy as np  # noqa: F401 - its BLAS has to be there to be limited
from threadpoolctl import threadpool_limits

# The eye's products of matrices take microseconds each. Shared out to threads that wait for one another, they take
# three times as long as soon as anything else runs on the machine (docs/dev/vision.md).
threadpool_limits(1, user_api="blas")
