"""What each head of a Transformer looks at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

from tfnmt.decoding.alignment import Alignment
from tfnmt.errors import UserError
from tfnmt.models.sequences import prepend_start
from tfnmt.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from tfnmt.decoding.translator import Translator


def head_weights(translator: Translator, alignment: Alignment) -> np.ndarray:
    """The weights of each head of each layer over the source, for an aligned pair, by forced decoding.

    Args:
        translator: one whose decoder has heads.
        alignment: what `translator.align` gave for the pair.

    Returns:
        float32 `[layers, heads, target, source]`, words by words; what a row lacks to 1 lies at the end of the source.

    Raises:
        UserError: the decoder has no heads.
    """
    decoder = translator.network.decoder
    if not hasattr(decoder, "head_weights"):
        raise UserError(
            f"This model's {type(decoder).__name__} has one attention without heads; a Transformer has many."
        )
    source_ids = _ids(translator.source_tokenizer, alignment.source_tokens)
    target_ids = _ids(translator.target_tokenizer, alignment.target_tokens)
    weights = decoder.head_weights(prepend_start(target_ids), translator.network.encode(source_ids))[0].numpy()
    return weights[:, :, : len(alignment.target_tokens), : len(alignment.source_tokens)]


def _ids(tokenizer: Tokenizer, tokens: Sequence[str]) -> tf.Tensor:
    """int32 `[1, tokens]`."""
    return tokenizer.vocabulary.ids(tf.constant([list(tokens)], tf.string))
