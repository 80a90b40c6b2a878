"""One training loop for every `tf.distribute` strategy, and what belongs to it."""

import keras  # noqa: F401  # first: its import registers every class of the library

from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.budget import Budget
from tfnmt.training.criterion import Criterion
from tfnmt.training.metrics_log import MetricsLog
from tfnmt.training.normalization import LossNormalization
from tfnmt.training.progress import progress
from tfnmt.training.samples import Samples
from tfnmt.training.schedules import HalveAfter, InverseSquareRoot
from tfnmt.training.tensorboard import TensorBoardLog
from tfnmt.training.trainer import Intervals, Trainer
from tfnmt.training.validation import LikelihoodValidation

__all__ = [
    "Budget",
    "Criterion",
    "ExponentialAverage",
    "HalveAfter",
    "Intervals",
    "InverseSquareRoot",
    "LikelihoodValidation",
    "LossNormalization",
    "MetricsLog",
    "Samples",
    "TensorBoardLog",
    "Trainer",
    "progress",
]
