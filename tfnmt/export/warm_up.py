"""Warm-up requests: what a server runs before it takes a new version into service, so that no user waits for it.

TensorFlow Serving reads them from `assets.extra/tf_serving_warmup_requests`, a TFRecord file of `PredictionLog`
messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import tensorflow as tf
from tensorflow_serving.apis.model_pb2 import ModelSpec
from tensorflow_serving.apis.predict_pb2 import PredictRequest
from tensorflow_serving.apis.prediction_log_pb2 import PredictionLog, PredictLog

FILE = "tf_serving_warmup_requests"


def predict_request(model: str, signature: str, inputs: Mapping[str, Sequence[str]]) -> PredictRequest:
    """A request of TensorFlow Serving's predict API.

    Args:
        model: name of the model on the server.
        signature: name of the signature.
        inputs: [batch] strings for each input name.
    """
    return PredictRequest(
        model_spec=ModelSpec(name=model, signature_name=signature),
        inputs={name: tf.make_tensor_proto(list(strings), tf.string) for name, strings in inputs.items()},
    )


def write_requests(directory: Path, requests: Iterable[PredictRequest]) -> None:
    """Write the warm-up file into the `assets.extra` directory of an export."""
    with tf.io.TFRecordWriter(str(directory / FILE)) as writer:
        for request in requests:
            writer.write(PredictionLog(predict_log=PredictLog(request=request)).SerializeToString())


def read_requests(directory: Path) -> list[PredictRequest]:
    """Read them again."""
    records = tf.data.TFRecordDataset(str(directory / FILE))
    return [PredictionLog.FromString(record.numpy()).predict_log.request for record in records]
