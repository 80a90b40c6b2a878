#!/usr/bin/env python3
"""Translate with a server over gRPC; needs `pip install tensorflow-serving-api`.

Usage: python grpc_client.py "A sentence." "Another one." [--server localhost:8500] [--model translator]
"""

import argparse

import grpc
import tensorflow as tf
from tensorflow_serving.apis.predict_pb2 import PredictRequest
from tensorflow_serving.apis.prediction_service_pb2_grpc import PredictionServiceStub


def translate(sentences: list[str], server: str = "localhost:8500", model: str = "translator") -> list[str]:
    """The best translation of each sentence."""
    request = PredictRequest()
    request.model_spec.name = model
    request.model_spec.signature_name = "serving_default"
    request.inputs["sentences"].CopyFrom(tf.make_tensor_proto(sentences, dtype=tf.string))
    with grpc.insecure_channel(server) as channel:
        response = PredictionServiceStub(channel).Predict(request, timeout=60)
    return [text.decode() for text in tf.make_ndarray(response.outputs["translation"])]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Translate with a server over gRPC.")
    parser.add_argument("sentences", nargs="+")
    parser.add_argument("--server", default="localhost:8500")
    parser.add_argument("--model", default="translator")
    arguments = parser.parse_args()
    print(*translate(arguments.sentences, arguments.server, arguments.model), sep="\n")
