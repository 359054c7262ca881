"""Judges a JSON list of exchanges by HTTP's rules, as REDbot does: for each a list of [level, rule, sentence]."""

import base64
import json
import sys
import time

from httplint import HttpRequestLinter, HttpResponseLinter


def notes(exchange):
    request = HttpRequestLinter(start_time=time.time())
    request.process_request_topline(exchange["method"].encode(), exchange["url"].encode(), b"HTTP/1.1")
    request.process_headers([])
    request.finish_content(True)
    response = HttpResponseLinter(start_time=time.time(), _related=request)
    response.is_head_response = exchange["method"] == "HEAD"
    version, status = exchange["version"].encode(), str(exchange["status"]).encode()
    response.process_response_topline(b"HTTP/" + version, status, exchange["reason"].encode())
    response.process_headers([(name.encode(), value.encode("latin-1")) for name, value in exchange["headers"]])
    response.feed_content(base64.b64decode(exchange["body"]))
    response.finish_content(True)
    return [[note.level.value, type(note).__name__, str(note.summary)] for note in response.notes]


print(json.dumps([notes(exchange) for exchange in json.load(sys.stdin)]))
