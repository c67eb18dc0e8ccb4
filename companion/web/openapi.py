"""The API's description (OpenAPI 3.1), made from the endpoints and their records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from companion.text import LANGUAGES
from companion.web.records import Trouble
from companion.web.routes import PREFIX, TROUBLES, VERSION, Endpoint

# One message of the live stream, for readers that take streams apart.
MESSAGE = {
    "type": "object",
    "properties": {
        "event": {"enum": ["state", "seat", "seen", "flourish", "scene", "ping"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
        "id": {"type": "string"},
        "retry": {"type": "integer"},
    },
}
PLAIN: dict[str, dict[str, Any]] = {"text/event-stream": MESSAGE}
ALWAYS = (408, 413, 421, 429, 503)


def described(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The whole document."""
    listed = list(endpoints)
    types = [one for endpoint in listed for one in (endpoint.answer, endpoint.body) if one is not None]
    schemas, components = msgspec.json.schema_components([*types, Trouble], ref_template="#/components/schemas/{name}")
    by_type = dict(zip(map(str, [*types, Trouble]), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in listed:
        path = paths.setdefault(PREFIX + endpoint.path.replace(":int", ""), {})
        path[endpoint.method.lower()] = _operation(endpoint, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Hush", "version": VERSION, "description": "The box beside a silent card game."},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"paired": {"type": "apiKey", "in": "cookie", "name": "hush"}},
        },
    }


def _operation(endpoint: Endpoint, by_type: dict[str, Any]) -> dict[str, Any]:
    trouble = {"application/json": {"schema": by_type[str(Trouble)]}}
    statuses = {*ALWAYS, *endpoint.statuses}
    if endpoint.who == "paired":
        statuses.add(401)
    if endpoint.method != "GET":
        statuses.add(403)
    if "{" in endpoint.path:
        statuses.add(404)
    if endpoint.body is not None or endpoint.takes != "application/json":
        statuses |= {415, 422}
    schema = (
        by_type[str(endpoint.answer)] if endpoint.answer is not None else PLAIN.get(endpoint.kind, {"type": "string"})
    )
    said: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": f"{endpoint.method.lower()}{re.sub('[^a-z]+', '_', endpoint.path)}",
        "parameters": _parameters(endpoint),
        "responses": {
            "200": {"description": endpoint.summary, "content": {endpoint.kind: {"schema": schema}}},
            **{str(one): {"description": TROUBLES[one], "content": trouble} for one in sorted(statuses)},
        },
        "security": [{"paired": []}] if endpoint.who == "paired" else [],
    }
    if endpoint.body is not None:
        said["requestBody"] = {"required": True, "content": {endpoint.takes: {"schema": by_type[str(endpoint.body)]}}}
    elif endpoint.takes != "application/json":
        binary = {"schema": {"type": "string", "format": "binary"}}
        said["requestBody"] = {"required": True, "content": {endpoint.takes: binary}}
    return said


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    names = re.findall(r"\{(\w+)(:int)?\}", endpoint.path)
    found: list[dict[str, Any]] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer", "minimum": 0, "maximum": 2**31} if number else {"type": "string"},
        }
        for name, number in names
    ]
    language = {"type": "string", "enum": list(LANGUAGES)}
    return [*found, {"name": "language", "in": "query", "required": False, "schema": language}]
