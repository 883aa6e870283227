"""Serves the questions of the service as tools of the Model Context Protocol (MCP), and rules, cases and maps as resources."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
from collections.abc import Awaitable, Callable
from functools import cache, partial
from inspect import cleandoc
from typing import Any, NamedTuple

import msgspec
from mcp import MCPError, types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from satjudge.apps.serve.questions import QUESTIONS, describe_map, list_maps, list_rulebooks
from satjudge.apps.serve.workers import LimitError, ServiceAnswer, ServiceLimits, Workers
from satjudge.base.platforms import ending_signals
from satjudge.base.resources import data_directory
from satjudge.base.version import __version__
from satjudge.notation.bundled_cases import list_case_files
from satjudge.notation.documents import dedent_descriptions, encode_document

LONGEST_CALL = 1_000_000
"""The maximum number of bytes of a call's arguments."""
DETAILS = "details"
"""The argument that is true by default in tools, because a model that makes a mistake needs the reason."""
JSON, TEXT = "application/json", "text/plain"
QUOTED_COLLECTIONS = ("datc-3.2", "datc-2.4", "guide-1998")
"""The collections of cases whose texts may be redistributed (NOTICE)."""
INSTRUCTIONS = """\
satjudge adjudicates the board game Diplomacy. Nothing is kept between calls: each call has the whole position.
Units are written `A PAR` or `F STP/SC`. Orders are `A PAR - BUR`, `A PAR H`, `A MAR S A PAR - BUR`, `F NTH C A LON - NWY`;
in a retreat phase `A BUR R GAS` or `A BUR D`; in an adjustment phase `A PAR B`, `A PAR D` or `WAIVE`.
To play a game, call `start`, add `orders` to its answer and call `next` with that; then add orders to each answer's `next`.
`legal` lists the possible orders. The resources are rulebooks, test cases and maps."""


class TextResource(NamedTuple):
    """A text that clients can read by its address."""

    title: str
    media_type: str
    read: Callable[[], str]


def make_tool_server(answer: Callable[[str, bytes], Awaitable[ServiceAnswer]]) -> Server[Any]:
    """Make an MCP server with the questions as tools and texts as resources; `answer` answers a question's path and body."""

    async def list_tools(*_: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(map(make_tool, QUESTIONS)))

    async def call_tool(_: object, call: types.CallToolRequestParams) -> types.CallToolResult:
        kinds = {kind.path[1:]: kind for kind in QUESTIONS}
        if call.name not in kinds:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {call.name!r:.60}; the tools are {', '.join(kinds)}")
        defaults = {name: True for name in kinds[call.name].__struct_fields__ if name == DETAILS}
        body = msgspec.json.encode(defaults | (call.arguments or {}))
        if len(body) > LONGEST_CALL:
            return _make_error(f"the arguments must not exceed {LONGEST_CALL:,} bytes")
        try:
            return make_result(await answer(f"/{call.name}", body))
        except LimitError as error:
            return _make_error(str(error))

    async def list_resources(*_: object) -> types.ListResourcesResult:
        resources = [
            types.Resource(uri=uri, name=uri.partition("://")[2], title=one.title, mime_type=one.media_type)
            for uri, one in list_texts().items()
        ]
        return types.ListResourcesResult(resources=resources)

    async def read_resource(_: object, request: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        if (one := list_texts().get(request.uri)) is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {request.uri!r:.120}: list the resources")
        contents = types.TextResourceContents(uri=request.uri, mime_type=one.media_type, text=one.read())
        return types.ReadResourceResult(contents=[contents])

    return Server(
        "satjudge",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


@cache
def make_tool(question_type: Any) -> types.Tool:  # noqa: ANN401  # one of `QUESTIONS`
    """Return the MCP tool for a class in `QUESTIONS`, with a schema and an example of its arguments."""
    schema = dedent_descriptions(msgspec.json.schema(question_type))
    described = schema["$defs"].pop(question_type.__name__)
    described.pop("description")
    if DETAILS in described["properties"]:
        described["properties"][DETAILS]["default"] = True
    example = json.dumps(question_type.example)
    return types.Tool(
        name=question_type.path[1:],
        description=f"{cleandoc(question_type.__doc__)}\n\nFor example: {example}",
        input_schema=described | ({"$defs": schema["$defs"]} if schema["$defs"] else {}),
        annotations=types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )


def make_result(answer: ServiceAnswer) -> types.CallToolResult:
    """Convert an answer of the service to the result of a tool call; a refusal becomes an error message for the model."""
    kind = answer.media_type.partition(";")[0]
    if answer.status != 200:
        refused = msgspec.json.decode(answer.content)["error"]
        place = ", ".join(f"{name} {refused[name]}" for name in ("line", "column") if refused.get(name))
        hint = f" ({refused['suggestion']})" if refused.get("suggestion") else ""
        return _make_error(f"{place + ': ' if place else ''}{refused['message']}{hint}")
    if kind == "image/png":
        picture = types.ImageContent(data=base64.b64encode(answer.content).decode(), mime_type=kind)
        return types.CallToolResult(content=[picture])
    text = answer.content.decode()
    if kind == "image/svg+xml":
        contents = types.TextResourceContents(uri="satjudge://picture", mime_type=kind, text=text)
        return types.CallToolResult(content=[types.EmbeddedResource(resource=contents)])
    structured = msgspec.json.decode(answer.content) if kind == JSON else None
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=structured)


def _make_error(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=message)], is_error=True)


@cache
def list_texts() -> dict[str, TextResource]:
    """Return the texts by address (`satjudge://…`): rulebooks with sources, maps, and test cases that may be redistributed."""
    texts = {}
    for book in list_rulebooks().rulebooks:
        file = data_directory() / "models" / "rulebooks" / f"{book.name}.toml"
        title = f"Rulebook {book.name}: {book.title}, the choice on each issue with its source"
        texts[f"satjudge://rulebooks/{book.name}"] = TextResource(title, "application/toml", partial(file.read_text, "utf-8"))
    for file in list_case_files():
        if (collection := file.parent.name) in QUOTED_COLLECTIONS:
            title = f"Test cases {file.stem} of {collection}, with the verdict on each order"
            texts[f"satjudge://cases/{collection}/{file.stem}"] = TextResource(title, TEXT, partial(file.read_text, "utf-8"))
    for one in list_maps().maps:
        title = f"Map {one.name}: provinces, borders, units at the start"
        describe = partial(lambda name: encode_document(describe_map(name)).decode(), one.name)
        texts[f"satjudge://maps/{one.name}"] = TextResource(title, JSON, describe)
    return texts


def serve_standard_streams(limits: ServiceLimits) -> None:
    """Serve one MCP client on standard input and output until it closes them; on an interrupt, exit the program at once."""
    if asyncio.run(_serve_until_interrupted(Workers(limits))):
        os._exit(0)  # the thread that reads standard input would never end


async def _serve_until_interrupted(workers: Workers) -> bool:
    """Serve the standard streams until the client closes them or a signal arrives; return whether it was a signal."""
    loop, interrupted = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, *ending_signals()):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(interrupted.set))
    await workers.start()
    serving, waiting = asyncio.create_task(_serve(make_tool_server(workers.answer))), asyncio.create_task(interrupted.wait())
    await asyncio.wait((serving, waiting), return_when=asyncio.FIRST_COMPLETED)
    await workers.end()
    if serving.done():
        serving.result()
    return not serving.done()


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
