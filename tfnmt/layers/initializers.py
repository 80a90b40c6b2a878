"""Drawing initial weights: fresh copies of an initializer, and fused kernels drawn block by block."""

from __future__ import annotations

from typing import Any

import keras


def fresh(initializer: keras.initializers.Initializer, offset: int = 0) -> keras.initializers.Initializer:
    """A copy that draws new values: one Keras initializer draws the same values each time it is called.

    Args:
        initializer: what to copy.
        offset: numbers the copies of an initializer that has an integer seed, so that they (and their own copies) draw
            different values and yet the same ones in each run.
    """
    config = initializer.get_config()
    if isinstance(config.get("seed"), int):
        # Not merely added: block 1 of copy 0 and block 0 of copy 1 would be the same draw.
        config["seed"] = (config["seed"] * 1_000_003 + offset) % 2**31
    return type(initializer).from_config(config)


@keras.saving.register_keras_serializable(package="tfnmt")
class BlockInitializer(keras.initializers.Initializer):
    """Fills a fused kernel `[rows, blocks * columns]` block by block.

    Kernels of several gates lie side by side so that one product serves them all, but the papers draw each matrix on
    its own; an orthogonal initializer over the fused matrix would not give orthogonal gates.

    Args:
        initializer: what draws one block `[rows, columns]`.
        blocks: how many blocks stand side by side.
    """

    def __init__(self, initializer: str | dict[str, Any] | keras.initializers.Initializer, blocks: int) -> None:
        self.initializer = keras.initializers.get(initializer)
        self.blocks = blocks

    def __call__(self, shape: tuple[int, ...], dtype: str | None = None) -> Any:
        rows, columns = shape
        if columns % self.blocks:
            raise ValueError(f"A kernel of {columns} columns cannot be cut into {self.blocks} equal blocks.")
        block_shape = (rows, columns // self.blocks)
        return keras.ops.concatenate(
            [fresh(self.initializer, block)(block_shape, dtype=dtype) for block in range(self.blocks)], axis=-1
        )

    def get_config(self) -> dict[str, Any]:
        return {
            "initializer": keras.initializers.serialize(self.initializer),
            "blocks": self.blocks,
        }
