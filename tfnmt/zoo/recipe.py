"""A recipe: everything that decides a training run, as frozen data. No TensorFlow in here."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, model_validator

from tfnmt.errors import UserError
from tfnmt.zoo.parts.batches import Batching, Sentences
from tfnmt.zoo.parts.models import Model, ValueNetwork
from tfnmt.zoo.parts.optimizers import Optimizer
from tfnmt.zoo.parts.searches import BeamSearch, Search
from tfnmt.zoo.parts.tokenizers import Tokenizer, WordTokenizer
from tfnmt.zoo.parts.unknown_rules import UnknownRule
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

    consecutive: PositiveInt | None = None
    """With several tasks: minibatches of one before it is the next one's turn; without it, one."""


class Task(Table):
    """One target language of several, with its text. What it leaves out is as in `[target]`."""

    language: str
    vocabulary_size: PositiveInt | None = None
    minimum_count: PositiveInt | None = None
    tokenizer: Tokenizer | None = None
    train: Texts = Texts()
    valid: Texts = Texts()
    test: Texts = Texts()


class Rollouts(Table):
    """How a value network gets its lessons: prefixes from the beam of the model it judges, each completed often."""

    beam_size: PositiveInt = 5
    """Hypotheses of a sentence that prefixes are drawn from."""
    completions: PositiveInt = 5
    """Ends of each prefix whose BLEU is averaged."""
    validation_batches: PositiveInt = 4
    """Batches of held-out sentences, of 80 each, whose prefixes are judged in validation."""


class Training(Table):
    """The loop. It ends at the first of the limits that are given."""

    optimizer: Optimizer
    clip_norm: PositiveFloat | None = 1.0
    """The gradient of the loss is scaled down to this L2 norm."""
    normalization: Literal["sum", "sentence", "token"] = "sum"
    """The loss is the batch's sum as it is, or divided by its sentences or its target tokens, before clipping."""
    average_decay: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Exponential moving average of the weights, used in validation and kept in the best model; without it, none."""
    keep_checkpoints: PositiveInt = 1
    """How many of the last checkpoints stay, for `tfnmt average`."""
    save_minutes: PositiveFloat = 5.0
    """Minutes between two checkpoints, beside those of the validations: what a killed run can lose."""
    save_steps: PositiveInt | None = None
    """The same in steps."""
    epochs: PositiveInt | None = None
    steps: PositiveInt | None = None
    minutes: PositiveFloat | None = None
    validation_steps: PositiveInt | None = None
    """Steps between two validations; without it, once an epoch."""
    patience: NonNegativeInt | None = None
    """Validations without a better BLEU after which training stops; without it, never."""
    precision: Literal["float32", "mixed_bfloat16", "mixed_float16"] = "float32"
    """Of the matrix products. Under float16 the loss is scaled up as far as its gradients bear."""
    accumulate: PositiveInt = 1
    """Parts in which a batch is worked through, one after the other: the memory of a part, the update of the whole."""
    lanes: PositiveInt | None = None
    """Parts of a batch that are worked on at the same time; without it, one for each processor if there are no GPUs."""
    fix_word_vectors: bool = False
    """Whether word vectors and the output layer stay as they are (Jean et al. 2015, late in training)."""
    seed: NonNegativeInt = 1
    rollouts: Rollouts | None = None
    """For a value network alone."""


class CandidateLists(Table):
    """The only words that a translation may hold (Jean et al. 2015), once there is a lexicon: `tfnmt lexicon`."""

    common: PositiveInt
    """Most frequent target words, shared by all sentences, control symbols counted (the paper's K)."""
    translations: NonNegativeInt
    """Likeliest translations of each source word (the paper's K')."""


class Decoding(Table):
    """How the trained model searches, unless a command says otherwise."""

    beam_size: PositiveInt = 10
    search: Search = BeamSearch()
    replace_unknown: bool = True
    """Unknown words are replaced by the source word that attention is on."""
    unknown_rule: UnknownRule | None = None
    """Which of these source words a lexicon translates, if there is one; without it, every word that it has."""
    candidates: CandidateLists | None = None
    """Without it, all words."""


class Recipe(Table):
    """A model of the zoo with everything that made it."""

    name: str
    profile: str = "paper"
    title: str
    description: str = ""
    paper: Paper | None = None
    source: Side
    target: Side
    joint_vocabulary: bool = False
    """Whether both sides have one vocabulary, learnt from the text of both; their other keys must then be the same."""
    model: Model
    corpus: Corpus = Corpus()
    training: Training
    decoding: Decoding = Decoding()
    tasks: Annotated[tuple[Task, ...], Field(min_length=1)] | None = None
    """Many target languages of one encoder: `[model]` is then the network of each, its encoder shared by all, and
    `[target]` what they have in common. Without, there is one language."""
    start: str | None = None
    """A trained model that this one starts from: the directory of its run, or a .keras file."""

    @model_validator(mode="after")
    def _check_joint_vocabulary(self) -> Self:
        sides = [side.model_dump(exclude={"language"}, serialize_as_any=True) for side in (self.source, self.target)]
        if self.joint_vocabulary and (sides[0] != sides[1] or self.tasks is not None):
            raise ValueError(
                "joint_vocabulary: one vocabulary for both sides needs [source] and [target] to be the same but for "
                "the language, and one target language"
            )
        if getattr(self.model, "share_source_embedding", False) and not self.joint_vocabulary:
            raise ValueError("model.share_source_embedding: one table of word vectors needs joint_vocabulary = true")
        return self

    @model_validator(mode="after")
    def _check_tasks(self) -> Self:
        if self.tasks is not None:
            if len(set(self.languages)) < len(self.languages):
                raise ValueError(f"tasks: a language occurs twice: {', '.join(self.languages)}")
            if self.model.loss_name == "sampled loss":
                raise ValueError("tasks: a sampled output is for a model of one target language")
            if self.corpus.train != Texts():
                raise ValueError("tasks and corpus.train: the text of each of several languages belongs to its task")
            if self.start is None and len({task.train == Texts() for task in self.tasks}) > 1:
                raise ValueError("tasks: text is named for some of the languages; name it for all, or for none")
        return self

    @model_validator(mode="after")
    def _check_word_vectors(self) -> Self:
        if self.training.fix_word_vectors and (self.tasks is not None or isinstance(self.model, ValueNetwork)):
            raise ValueError("training.fix_word_vectors is for a model of one network and one target language")
        return self

    @property
    def prepared_by(self) -> str:
        """`module:function` that makes a run of this recipe ready."""
        return "tfnmt.zoo.multi_task_run:prepare" if self.tasks is not None else self.model.prepared_by

    @property
    def languages(self) -> tuple[str, ...]:
        """The target languages."""
        return tuple(task.language for task in self.tasks) if self.tasks is not None else (self.target.language,)

    def task(self, language: str) -> Recipe:
        """The recipe of one target language alone.

        Raises:
            UserError: it is not one of the languages; all are listed.
        """
        if language not in self.languages:
            raise UserError(f"This model does not translate into '{language}', but into {', '.join(self.languages)}.")
        if self.tasks is None:
            return self
        task = self.tasks[self.languages.index(language)]
        own = {
            "vocabulary_size": task.vocabulary_size,
            "minimum_count": task.minimum_count,
            "tokenizer": task.tokenizer,
        }
        target = {"language": language, **{name: value for name, value in own.items() if value is not None}}
        texts = {"train": task.train, "valid": task.valid, "test": task.test}
        return self.model_copy(
            update={
                "target": self.target.model_copy(update=target),
                "corpus": self.corpus.model_copy(update=texts),
                "tasks": None,
            }
        )
