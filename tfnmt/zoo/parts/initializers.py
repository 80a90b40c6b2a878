"""Initializers: `kernel_initializer` of a part; without it, the part's own paper decides."""

from __future__ import annotations

from typing import Literal

from tfnmt.zoo.table import Part


class Initializer(Part):
    """What a matrix is drawn from before training."""


class Normal(Initializer):
    """The normal distribution."""

    builds = "keras.initializers:RandomNormal"
    kind: Literal["normal"] = "normal"
    mean: float = 0.0
    stddev: float = 0.05


class Uniform(Initializer):
    """The uniform distribution."""

    builds = "keras.initializers:RandomUniform"
    kind: Literal["uniform"] = "uniform"
    minval: float = -0.05
    maxval: float = 0.05


class GlorotUniform(Initializer):
    """Uniform, scaled by the rows and columns of the matrix (Glorot and Bengio 2010)."""

    builds = "keras.initializers:GlorotUniform"
    kind: Literal["glorot_uniform"] = "glorot_uniform"
