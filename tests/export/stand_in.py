"""Answers TensorFlow Serving's predict API, REST and gRPC, from an export, in this process, on ports of its own.

It follows the documented rules of the server: row ("instances") and columnar ("inputs") bodies, bare values for a
single input or output, base64 for outputs whose name ends in `_bytes`, `{"error": …}` with a status for what is wrong.
"""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Iterator, Mapping
from concurrent import futures
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import grpc
import numpy as np
import tensorflow as tf
from tensorflow_serving.apis.predict_pb2 import PredictRequest, PredictResponse
from tensorflow_serving.apis.prediction_service_pb2_grpc import (
    PredictionServiceServicer,
    add_PredictionServiceServicer_to_server,
)

from tfnmt.export import ExportedTranslator

ADDRESS = re.compile(r"/v1/models/(?P<model>\w+)(/versions/(?P<version>\d+))?(?P<predict>:predict)?")


class ModelServer:
    """One model with its versions, as a server with the folder's `models.config` has it."""

    def __init__(self, versions: Mapping[int, ExportedTranslator], model: str = "translator"):
        self.model = model
        self._versions = versions

    def predict(
        self, model: str, version: int | None, signature: str, inputs: Mapping[str, Any]
    ) -> dict[str, tf.Tensor]:
        """Raises LookupError for a model, version or signature that is not there."""
        if model != self.model:
            raise LookupError(f"Servable not found for request: Latest({model})")
        run = self._versions[version or max(self._versions)].signatures[signature or "serving_default"]
        return run(**{name: tf.constant(value, tf.string) for name, value in inputs.items()})

    def input_names(self, signature: str) -> list[str]:
        return list(self._versions[max(self._versions)].signatures[signature].structured_input_signature[1])

    def status(self) -> dict[str, Any]:
        return {"model_version_status": [{"version": str(version), "state": "AVAILABLE"} for version in self._versions]}


def rest_answer(server: ModelServer, address: str, body: str | None) -> dict[str, Any]:
    """The JSON answer to one request; raises LookupError or ValueError for a wrong one."""
    match = ADDRESS.fullmatch(address)
    if not match or bool(match["predict"]) != (body is not None):
        raise ValueError(f"Malformed request: {address}")
    if body is None:
        return server.status()
    request = json.loads(body)
    signature = request.get("signature_name", "serving_default")
    rows = request.get("instances")
    inputs = _columns(rows, server.input_names(signature)) if rows is not None else request["inputs"]
    if not isinstance(inputs, dict):
        inputs = {server.input_names(signature)[0]: inputs}
    version = int(match["version"]) if match["version"] else None
    outputs = {
        name: _plain(name, value.numpy())
        for name, value in server.predict(match["model"], version, signature, inputs).items()
    }
    if rows is None:
        return {"outputs": outputs if len(outputs) > 1 else next(iter(outputs.values()))}
    predictions = [dict(zip(outputs, row, strict=True)) for row in zip(*outputs.values(), strict=True)]
    return {"predictions": predictions if len(outputs) > 1 else [next(iter(row.values())) for row in predictions]}


def _columns(rows: list[Any], names: list[str]) -> dict[str, list[Any]]:
    bare = len(names) == 1 and not isinstance(rows[0], dict)
    return {name: [row if bare else row[name] for row in rows] for name in names}


def _plain(name: str, value: np.ndarray) -> Any:
    def text(string: Any) -> Any:
        if isinstance(string, list):
            return [text(part) for part in string]
        return {"b64": base64.b64encode(string).decode()} if name.endswith("_bytes") else string.decode()

    return text(value.tolist()) if value.dtype == object else value.tolist()


@contextmanager
def rest_server(server: ModelServer) -> Iterator[str]:
    """Serve REST; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _answer(self, body: str | None) -> None:
            try:
                status, answer = 200, rest_answer(server, self.path, body)
            except LookupError as error:
                status, answer = 404, {"error": str(error)}
            except ValueError as error:
                status, answer = 400, {"error": str(error)}
            # No infinity and no not-a-number: they are no JSON.
            content = json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


@contextmanager
def grpc_server(server: ModelServer) -> Iterator[str]:
    """Serve gRPC; yields the address."""

    class Service(PredictionServiceServicer):
        def Predict(self, request: PredictRequest, context: grpc.ServicerContext) -> PredictResponse:
            specification = request.model_spec
            inputs = {name: tf.make_ndarray(value) for name, value in request.inputs.items()}
            try:
                outputs = server.predict(
                    specification.name, specification.version.value, specification.signature_name, inputs
                )
            except LookupError as error:
                context.abort(grpc.StatusCode.NOT_FOUND, str(error))
            tensors = {name: tf.make_tensor_proto(value.numpy()) for name, value in outputs.items()}
            return PredictResponse(model_spec=specification, outputs=tensors)

    served = grpc.server(futures.ThreadPoolExecutor(2))
    add_PredictionServiceServicer_to_server(Service(), served)
    port = served.add_insecure_port("127.0.0.1:0")
    served.start()
    yield f"127.0.0.1:{port}"
    served.stop(None).wait()
