"""Describes the service in OpenAPI, from the types of its questions and answers."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import msgspec

from satjudge.apps.serve.questions import QUESTIONS, ListedRulebooks
from satjudge.apps.serve.worker import Refused
from satjudge.base.version import __version__
from satjudge.files.documents.maps import DescribedMap, ListedMaps
from satjudge.notation.documents import dedent_descriptions

_REFUSALS = {
    413: "The request body is too long.",
    415: "The content type is not application/json.",
    422: "The request cannot be answered: it is malformed, has an impossible position, or takes too long.",
    503: "Too many requests are waiting; try again later.",
}
_LISTS = {
    "/maps": ("List the maps.", ListedMaps),
    "/maps/{name}": ("Describe a map.", DescribedMap),
    "/rulebooks": ("List the rulebooks with their settings.", ListedRulebooks),
}


def description() -> dict[str, Any]:
    """Write the description of the service, in OpenAPI 3.1."""
    asked = list(QUESTIONS)
    answers = [kind.answers for kind in QUESTIONS if not isinstance(kind.answers, tuple)]
    listed_kinds = [kind for _, kind in _LISTS.values()]
    kinds = [*asked, *answers, *listed_kinds, Refused]
    made = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas, components = dedent_descriptions(made)
    schema_of = dict(zip(map(repr, kinds), schemas, strict=True))
    refused = {"application/json": {"schema": schema_of[repr(Refused)]}}
    paths: dict[str, Any] = {}
    for kind in QUESTIONS:
        summary, _, more = cleandoc(kind.__doc__ or "").partition("\n\n")
        given = kind.answers
        content: dict[str, Any] = (
            {"application/json": {"schema": schema_of[repr(given)]}}
            if not isinstance(given, tuple)
            else {media_type: {"schema": {"type": "string"}} for media_type in given}
        )
        paths[kind.path] = {
            "post": {
                "summary": summary,
                "description": more,
                "operationId": kind.path[1:],
                "requestBody": {"required": True, "content": {"application/json": {"schema": schema_of[repr(kind)]}}},
                "responses": {
                    "200": {"description": "The answer.", "content": content},
                    **{str(status): {"description": why, "content": refused} for status, why in _REFUSALS.items()},
                },
            }
        }
    for path, (summary, listed) in _LISTS.items():
        content = {"application/json": {"schema": schema_of[repr(listed)]}}
        get: dict[str, Any] = {
            "summary": summary,
            "operationId": path[1:].replace("/{name}", "_one"),
            "responses": {"200": {"description": "The list.", "content": content}},
        }
        if "{" in path:
            get["parameters"] = [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}]
            get["responses"]["404"] = {"description": "There is no such map.", "content": refused}
        paths[path] = {"get": get}
    about = {
        "title": "satjudge",
        "version": __version__,
        "description": "Adjudicates Diplomacy. POST a position with its orders; nothing is kept between requests.",
    }
    return {"openapi": "3.1.0", "info": about, "paths": paths, "components": {"schemas": components}}
