"""What a deployer takes away, file by file: each is parsed or run."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from types import ModuleType

import pytest
import tensorflow as tf
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format, wrappers_pb2
from tensorflow_serving.config.model_server_config_pb2 import ModelServerConfig

from tests.export.conftest import SENTENCES
from tests.export.stand_in import grpc_server, rest_server
from tfnmt.export.signatures import signatures

FOLDER = Path(__file__).parents[2] / "export"
IMAGE = f"tensorflow/serving:{'.'.join(tf.__version__.split('.')[:2])}.0"


def program(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def message(name: str, **fields: str):
    """An empty message of TensorFlow Serving whose definition its Python package lacks: field name -> type."""
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{name}.proto", syntax="proto3", dependency=[wrappers_pb2.DESCRIPTOR.name]
    )
    definition = file.message_type.add(name=name)
    for number, (field, kind) in enumerate(fields.items(), start=1):
        kinds = {
            "bool": descriptor_pb2.FieldDescriptorProto.TYPE_BOOL,
            "string": descriptor_pb2.FieldDescriptorProto.TYPE_STRING,
        }
        wrapped = {} if kind in kinds else {"type_name": kind}
        definition.field.add(
            name=field,
            number=number,
            label=1,
            type=kinds.get(kind, descriptor_pb2.FieldDescriptorProto.TYPE_MESSAGE),
            **wrapped,
        )
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(wrappers_pb2.DESCRIPTOR.serialized_pb)
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()


def test_models_config_is_what_the_server_reads():
    config = text_format.Parse((FOLDER / "models.config").read_text(), ModelServerConfig())
    (model,) = config.model_config_list.config
    assert (model.name, model.base_path, model.model_platform) == ("translator", "/models/translator", "tensorflow")
    assert model.model_version_policy.latest.num_versions == 2


def test_commented_alternative_of_models_config_is_valid_too():
    text = (FOLDER / "models.config").read_text()
    text = text.replace("    model_version_policy { latest", "    # { latest").replace("#   ", "    ")
    (model,) = text_format.Parse(text, ModelServerConfig()).model_config_list.config
    assert list(model.model_version_policy.specific.versions) == [1, 2]
    assert dict(model.version_labels) == {"stable": 1, "canary": 2}


def test_batching_config_has_the_fields_of_batching_parameters():
    number = "google.protobuf.Int64Value"
    names = ("max_batch_size", "batch_timeout_micros", "max_enqueued_batches", "num_batch_threads")
    parsed = text_format.Parse(
        (FOLDER / "batching.config").read_text(), message("BatchingParameters", **dict.fromkeys(names, number))
    )
    assert all(getattr(parsed, name).value > 0 for name in names)


def test_monitoring_config_has_the_fields_of_prometheus_config():
    text = (FOLDER / "monitoring.config").read_text()
    inner = re.search(r"prometheus_config \{(.*)\}", text, re.DOTALL)[1]
    parsed = text_format.Parse(inner, message("PrometheusConfig", enable="bool", path="string"))
    assert parsed.enable and parsed.path.startswith("/")


def test_serve_script_starts_the_container(tmp_path):
    """A stand-in for docker writes down what it is told."""
    docker = tmp_path / "docker"
    docker.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    docker.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ended = subprocess.run([FOLDER / "serve.sh", tmp_path], env=environment, capture_output=True, text=True, check=True)
    said = ended.stdout.splitlines()
    assert IMAGE in said and f"{tmp_path.resolve()}:/models/translator:ro" in said
    files = [part.split("=/config/")[1] for part in said if "=/config/" in part]
    assert sorted(files) == ["batching.config", "models.config", "monitoring.config"]
    assert all((FOLDER / file).is_file() for file in files)


def test_compose_file_says_the_same_as_the_script():
    script = set(shlex.split((FOLDER / "serve.sh").read_text(), comments=True))
    compose = (FOLDER / "compose.yaml").read_text()
    flags = re.findall(r"^ +- (--\S+)$", compose, re.MULTILINE)
    assert set(flags) == {part for part in script if re.match(r"--\w+=", part)} and len(flags) == 6
    assert re.search(r"image: (\S+)", compose)[1] == IMAGE
    assert set(re.findall(r'"(\d+:\d+)"', compose)) == {"8500:8500", "8501:8501"} <= script


@pytest.mark.skipif(shutil.which("bash") is None, reason="the health check runs in the container's bash; here is none")
def test_health_check_of_the_compose_file_works(model_server):
    written = re.search(r'- -c\n +- (".*")\n', (FOLDER / "compose.yaml").read_text())[1]
    with rest_server(model_server) as address:
        check = json.loads(written).replace("8501", address.rsplit(":", 1)[1])
        assert subprocess.run(["bash", "-c", check]).returncode == 0
        absent = check.replace("/v1/models/translator", "/v1/nothing")
        assert subprocess.run(["bash", "-c", absent]).returncode != 0


def test_rest_client(model_server, export):
    with rest_server(model_server) as address:
        assert program("rest_client").translate(SENTENCES, address) == export.translate(SENTENCES)
        command = [sys.executable, FOLDER / "rest_client.py", SENTENCES[0], SENTENCES[3], "--server", address]
        said = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout
        assert said.splitlines() == export.translate([SENTENCES[0], SENTENCES[3]])


def test_grpc_client(model_server, export):
    with grpc_server(model_server) as address:
        assert program("grpc_client").translate(SENTENCES, address) == export.translate(SENTENCES)


# C87: copy and paste works, and answers in plain strings.
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl on this machine")
def test_curl_line(model_server, export):
    with rest_server(model_server) as address:
        said = subprocess.run([FOLDER / "request.sh", address], capture_output=True, text=True, check=True).stdout
    sent = ["A dog runs.", 'She said: "Größe zählt."', "It's ½ past three."]
    assert json.loads(said)["outputs"]["translation"] == export.translate(sent)


# C87: both bodies of the folder's README.
def test_rows_and_columns_over_rest(model_server, export):
    def ask(address: str, path: str = "translator", **body):
        request = urllib.request.Request(f"{address}/v1/models/{path}:predict", json.dumps(body).encode())
        return json.load(urllib.request.urlopen(request))

    with rest_server(model_server) as address:
        rows = ask(address, instances=SENTENCES)["predictions"]
        assert [row["translation"] for row in rows] == export.translate(SENTENCES)
        columns = ask(address, path="translator/versions/1", inputs=SENTENCES)["outputs"]
        assert columns["translation"] == export.translate(SENTENCES)
        best = ask(address, signature_name="n_best", instances=SENTENCES)["predictions"]
        assert best[0]["translations"] == [each.text for each in export.n_best(SENTENCES[:1])[0]]
        pairs = [{"sources": "A dog runs.", "targets": "Ein Hund"}]
        assert ask(address, signature_name="score", instances=pairs)["predictions"] == pytest.approx(
            export.score(["A dog runs."], ["Ein Hund"]), rel=1e-5
        )
        with pytest.raises(urllib.error.HTTPError, match="404"):
            ask(address, path="other", inputs=SENTENCES)


def test_app_translates_the_lines_of_a_request(translator, tmp_path):
    translator.save(tmp_path / "translator.keras")
    app = program("app")
    model = app.keras.models.load_model(tmp_path / "translator.keras")
    server = app.make_server(model, port=0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        page = urllib.request.urlopen(address).read().decode()
        assert "<textarea" in page
        body = "\n".join(SENTENCES).encode()
        answer = urllib.request.urlopen(address, data=body).read().decode()
        assert answer.split("\n") == translator.translate(SENTENCES)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_readme_names_every_file_and_signature(translator):
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in FOLDER.iterdir() if path.is_file()} - {"README.md"}
    assert {name for name in files if f"`{name}`" not in text} == set()
    for name, way in signatures(translator, beam_size=2, n_best=2).items():
        inputs = ", ".join(f"`{each}` [batch]" for each in way.inputs)
        outputs = ", ".join(f"`{each}` {axes}" for each, axes in way.outputs.items())
        assert f"| `{name}` | {inputs} | {outputs} |" in text
