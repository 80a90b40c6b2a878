"""What the layers of a Transformer's encoder and decoder have in common."""

from __future__ import annotations

from typing import Any

import keras

from tfnmt.layers.product_layer import ProductLayer


class TransformerLayer(ProductLayer):
    """Sub-layers of attention and a feed-forward network, each added to its input and normalised.

    Args:
        heads: `h`.
        head_size: `d_k = d_v`.
        feed_forward_units: `d_ff`.
        dropout: share of each sub-layer's output set to zero in training.
        kernel_initializer: draws all matrices (authors' code: Glorot uniform).
    """

    def __init__(
        self,
        heads: int,
        head_size: int,
        feed_forward_units: int,
        dropout: float = 0.1,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.heads = heads
        self.head_size = head_size
        self.feed_forward_units = feed_forward_units
        self.dropout = dropout
        self.kernel_initializer = keras.initializers.get(kernel_initializer or keras.initializers.GlorotUniform())

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "heads": self.heads,
            "head_size": self.head_size,
            "feed_forward_units": self.feed_forward_units,
            "dropout": self.dropout,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
