from __future__ import annotations

import sys

import pytest
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.text.word import WordTokenizer


def test_without_tensorflow_text_the_rest_works(monkeypatch: pytest.MonkeyPatch):  # C92
    monkeypatch.setitem(sys.modules, "tensorflow_text", None)
    assert WordTokenizer(normalization=None).split(tf.constant(["a man"])).to_list() == [[b"a", b"man"]]
    with pytest.raises(UserError, match=r"needs the package tensorflow-text, .* Linux and macOS"):
        WordTokenizer().split(tf.constant(["a man"]))
