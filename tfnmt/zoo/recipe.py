"""A recipe: everything that decides a training run, as frozen data. No TensorFlow in here."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from tfnmt.zoo.parts.batches import Batching, Sentences
from tfnmt.zoo.parts.models import Model
from tfnmt.zoo.parts.optimizers import Optimizer
from tfnmt.zoo.parts.searches import BeamSearch, Search
from tfnmt.zoo.parts.tokenizers import Tokenizer, WordTokenizer
from tfnmt.zoo.table import Table


class Figure(Table):
    """One number that the paper reports."""

    metric: str
    test_set: str
    value: float
    above: bool = False
    """The paper tells only that the number is above this one."""


class Paper(Table):
    """Where the model comes from and what its authors measured."""

    citation: str
    system: str
    """The paper's own name for this row of its tables."""
    figures: tuple[Figure, ...] = ()


class Side(Table):
    """One side of the corpus: its language and how text becomes ids."""

    language: str
    """Two-letter code; the end of the corpus files' names, and the tokenizer's rules."""
    vocabulary_size: PositiveInt | None = None
    """Entries kept, the four control symbols counted; without it, every one that is frequent enough."""
    minimum_count: PositiveInt = 1
    """How often an entry must occur in the training text to be kept."""
    tokenizer: Tokenizer = WordTokenizer()


class Texts(Table):
    """Parallel text: files of both sides, line by line, or tab-separated files of both. Several are joined."""

    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    tsv: tuple[str, ...] = ()


class Corpus(Table):
    """Which pairs are learnt from, and in which batches."""

    train: Texts = Texts()
    valid: Texts = Texts()
    test: Texts = Texts()
    maximum_length: PositiveInt = 50
    """Pairs with more tokens on either side are left out of training."""
    batches: Batching = Sentences(batch_size=80)


class Training(Table):
    """The loop. It ends at the first of the limits that are given."""

    optimizer: Optimizer
    clip_norm: PositiveFloat | None = 1.0
    """The gradient of the loss is scaled down to this L2 norm."""
    normalization: Literal["sum", "sentence", "token"] = "sum"
    """The loss is the batch's sum as it is, or divided by its sentences or its target tokens, before clipping."""
    average_decay: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Exponential moving average of the weights, used in validation and kept in the best model; without it, none."""
    epochs: PositiveInt | None = None
    steps: PositiveInt | None = None
    minutes: PositiveFloat | None = None
    validation_steps: PositiveInt | None = None
    """Steps between two validations; without it, once an epoch."""
    patience: NonNegativeInt | None = None
    """Validations without a better BLEU after which training stops; without it, never."""
    precision: Literal["float32", "mixed_bfloat16"] = "float32"
    seed: NonNegativeInt = 1


class Decoding(Table):
    """How the trained model searches, unless a command says otherwise."""

    beam_size: PositiveInt = 10
    search: Search = BeamSearch()
    replace_unknown: bool = True
    """Unknown words are replaced by the source word that attention is on."""


class Recipe(Table):
    """A model of the zoo with everything that made it."""

    name: str
    profile: str = "paper"
    title: str
    description: str = ""
    paper: Paper | None = None
    source: Side
    target: Side
    model: Model
    corpus: Corpus = Corpus()
    training: Training
    decoding: Decoding = Decoding()
