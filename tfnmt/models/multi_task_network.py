"""One encoder for many target languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import keras
import tensorflow as tf

from tfnmt.models.encoder_decoder import EncoderDecoder


@keras.saving.register_keras_serializable(package="tfnmt")
class MultiTaskNetwork(keras.Model):
    """Networks that share their encoder, each with a decoder, an attention and an output of its own.

    One-to-many translation of Dong et al. (2015): `task(name)` is the network of one target language, an
    `EncoderDecoder` like any other, so that search, forced decoding and evaluation know nothing of the others. A step
    of training updates the shared encoder and the parts of one task; a network with one task is that task's network.

    Args:
        networks: a network for each task by name, all over one source vocabulary. The first one's encoder is shared: it
            takes the place of the others', which must not be built yet.

    Call arguments:
        inputs: the pair `(source_ids [batch, source], {task: target_ids [batch, target]})`, int32, as `EncoderDecoder`
            has them; any of the tasks.

    Returns:
        The logits of teacher forcing `[batch, target + 1, vocabulary]` by task.

    Raises:
        ValueError: there is no network, or one was built with an encoder of its own.
    """

    def __init__(self, networks: Mapping[str, EncoderDecoder], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not networks:
            raise ValueError("A multi-task network needs one task at least.")
        encoder = next(iter(networks.values())).encoder
        for name, network in networks.items():
            if network.built and network.encoder is not encoder:
                raise ValueError(f"The network of task '{name}' was built with an encoder of its own: build it later.")
        self.encoder = encoder
        self.networks = {
            name: network if network.encoder is encoder else network.with_encoder(encoder)
            for name, network in networks.items()
        }

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the tasks."""
        return tuple(self.networks)

    def task(self, name: str) -> EncoderDecoder:
        """The network of one task; it shares everything with this one.

        Raises:
            KeyError: there is no such task.
        """
        return self.networks[name]

    def build(self, input_shape: Any = None) -> None:
        for network in self.networks.values():
            if not network.built:
                network.build()
        self.built = True

    def call(self, inputs: tuple[tf.Tensor, Mapping[str, tf.Tensor]], training: bool = False) -> dict[str, tf.Tensor]:
        source_ids, targets = inputs
        return {name: self.networks[name]((source_ids, targets[name]), training=training) for name in targets}

    def with_tasks(self, networks: Mapping[str, EncoderDecoder]) -> MultiTaskNetwork:
        """This network with further tasks, the only ones that are still trained.

        The encoder and the tasks that were here are frozen, in this network too, since they are the same: whatever the
        new tasks learn, the others translate as before.
        """
        for network in self.networks.values():
            network.trainable = False
        return MultiTaskNetwork({**self.networks, **networks})

    def get_config(self) -> dict[str, Any]:
        networks = {name: keras.saving.serialize_keras_object(network) for name, network in self.networks.items()}
        for network in networks.values():
            network.pop("build_config", None)  # or each would be built with an encoder of its own
        return {**super().get_config(), "networks": networks}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> MultiTaskNetwork:
        networks = {
            name: keras.saving.deserialize_keras_object(part, custom_objects=custom_objects)
            for name, part in config["networks"].items()
        }
        return cls(**{**config, "networks": networks})
