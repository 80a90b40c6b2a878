#!/usr/bin/env python3
"""A small web app around a `.keras` file: no model server, one Python process.

Usage: python app.py translator.keras [--port 8080], then open http://localhost:8080
       or: curl --data 'A sentence.' http://localhost:8080
"""

import argparse
from http.server import BaseHTTPRequestHandler, HTTPServer

import keras

import tfnmt  # registers the classes that the file names

PAGE = """<!doctype html><meta charset="utf-8"><title>Translate</title>
<textarea id="source" rows="6" cols="60" autofocus></textarea><pre id="target"></pre>
<script>
  source.oninput = async () => {
    const answer = await fetch("/", {method: "POST", body: source.value});
    target.textContent = await answer.text();
  };
</script>"""


def make_server(translator: tfnmt.Translator, port: int = 8080) -> HTTPServer:
    """An HTTP server: GET answers the page, POST translates the lines of its body, one for one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(PAGE, "text/html")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer("\n".join(translator.translate(body.split("\n"))), "text/plain")

        def answer(self, text: str, kind: str) -> None:
            content = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return HTTPServer(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Translate in the browser.")
    parser.add_argument("model", help="a .keras file of tfnmt")
    parser.add_argument("--port", type=int, default=8080)
    arguments = parser.parse_args()
    server = make_server(keras.models.load_model(arguments.model), arguments.port)
    print(f"http://localhost:{server.server_port}", flush=True)
    server.serve_forever()
