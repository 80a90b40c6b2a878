"""tensorflow-text, loaded only where it is needed: there is no wheel of it for some platforms."""

from __future__ import annotations

from types import ModuleType

from tfnmt.errors import UserError


def tensorflow_text() -> ModuleType:
    """The tensorflow-text package; loading it registers its kernels.

    Raises:
        UserError: it is not installed.
    """
    try:
        import tensorflow_text
    except ImportError as error:
        raise UserError(
            "This needs the package tensorflow-text, which is not installed (there are wheels for Linux and macOS, "
            "none for Windows). Install it in the version of TensorFlow, or use the word or character tokenizer with "
            "normalization=None, which do without."
        ) from error
    return tensorflow_text
