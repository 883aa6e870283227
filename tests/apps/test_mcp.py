"""The service by the Model Context Protocol, asked by the SDK's client: tools, resources, malformed calls, and how it ends."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from typing import Any

import pytest
from mcp import MCPError, StdioServerParameters, types
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

from satjudge.apps.serve.questions import QUESTIONS
from satjudge.apps.serve.tools import LONGEST_CALL, make_tool_server
from satjudge.apps.serve.worker import answer_question
from satjudge.apps.serve.workers import LimitError, ServiceAnswer

COMMAND = [sys.executable, "-m", "satjudge", "mcp"]


async def answer_here(path: str, body: bytes) -> ServiceAnswer:
    status, answer = answer_question(path, body)
    return ServiceAnswer(status, answer.media_type, answer.content)


async def play(client: Client) -> dict[str, Any]:
    """Play six phases with the last legal order of each unit, and return the position then."""
    position = (await client.call_tool("start", {})).structured_content
    for _ in range(6):
        legal = (await client.call_tool("legal", position)).structured_content["legal"]
        position["orders"] = {power: [orders[-1] for orders in units.values()] for power, units in legal.items()}
        position = (await client.call_tool("next", position)).structured_content["next"]
    return dict(position)


def test_two_sessions_play_a_game() -> None:
    async def play_both() -> None:
        server = make_tool_server(answer_here)
        async with Client(server) as one, Client(server) as other:
            first, second = await asyncio.gather(play(one), play(other))
        assert first == second
        assert first["phase"] > "S1902M"

    asyncio.run(play_both())


def test_every_question_is_a_tool_whose_example_is_answered() -> None:
    async def ask() -> None:
        async with Client(make_tool_server(answer_here)) as client:
            tools = (await client.list_tools()).tools
            for kind, tool in zip(QUESTIONS, tools, strict=True):
                assert tool.name == kind.path[1:]
                assert json.dumps(kind.example) in (tool.description or "")
                assert set(kind.example) <= set(tool.input_schema["properties"])
                assert all("description" in argument for argument in tool.input_schema["properties"].values())
                result = await client.call_tool(tool.name, kind.example)
                assert not result.is_error, result.content
                assert isinstance(result.content[0], types.ImageContent if tool.name == "draw" else types.TextContent)
            drawn = await client.call_tool("draw", {"units": {"FRANCE": ["A PAR"]}})
            assert isinstance(drawn.content[0], types.EmbeddedResource)

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("judge", None, "missing required field `units`"),
        ("judge", {"units": 5}, "Expected `object`, got `int` - at `$.units` (for example: {"),
        ("judge", {"units": {"ITALY": "A ROM"}}, "not a request for this service: Expected `array`"),
        ("judge", {"units": {"ITALY": "A ROM"}}, 'the entry of ITALY is a text: write a list, ["A ROM"]'),
        ("legal", {"units": {"ITALY": [], "Italy": []}}, "'Italy' and 'ITALY' are the same power (use one of them)"),
        ("judge", {"units": {}, "unit": 1}, "no request has a key `unit` (did you mean `units`?)"),
        ("judge", {"units": {"FRANCE": ["A XXX"]}}, "column 3: units of FRANCE: expected a province, found 'XXX'"),
        ("start", {"map": "../x"}, "there is no map named '../x'"),
        ("start", {"maps": "standard"}, 'unknown field `maps` (for example: {"map": "standard"})'),
        ("legal", {"units": {"FRANCE": ["A PAR"]}, "of": "A MAR"}, "no legal orders here (A PAR can be ordered)"),
        ("explain", {"units": {"FRANCE": ["A PAR"]}, "why_not": True}, '"order": "A PAR - BUR"'),
        ("read", {"text": "x" * LONGEST_CALL}, "must not exceed 1,000,000 bytes"),
        ("report", {"units": {}, "rules": "slow"}, "the answer takes more than 10 s"),
    ],
)
def test_a_malformed_call_is_an_error_that_a_model_can_read(tool: str, arguments: dict[str, Any] | None, message: str) -> None:
    async def answer(path: str, body: bytes) -> ServiceAnswer:
        if b"slow" in body:
            raise LimitError("time", "the answer takes more than 10 s")
        return await answer_here(path, body)

    async def ask() -> None:
        async with Client(make_tool_server(answer)) as client:
            result = await client.call_tool(tool, arguments)
        (content,) = result.content
        assert result.is_error
        assert isinstance(content, types.TextContent)
        assert message in content.text

    asyncio.run(ask())


def test_resources_are_rulebooks_cases_and_maps() -> None:
    async def ask() -> None:
        async with Client(make_tool_server(answer_here)) as client:
            resources = {one.uri for one in (await client.list_resources()).resources}
            for uri, words in {
                "satjudge://rulebooks/1982": "[settings",
                "satjudge://cases/datc-3.2/6.F": "case 6.F.14",
                "satjudge://maps/standard": '"owns"',
            }.items():
                assert uri in resources
                (content,) = (await client.read_resource(uri)).contents
                assert isinstance(content, types.TextResourceContents)
                assert words in content.text
            with pytest.raises(MCPError, match="there is no resource"):
                await client.read_resource("satjudge://cases/datc-3.2/../../x")
            with pytest.raises(MCPError, match="there is no tool 'judges'; the tools are start, judge"):
                await client.call_tool("judges", {})

    asyncio.run(ask())


@pytest.mark.slow
def test_the_command_serves_a_client_on_standard_streams() -> None:
    async def play_once() -> None:
        async with Client(stdio_client(StdioServerParameters(command=COMMAND[0], args=COMMAND[1:]))) as client:
            assert (await play(client))["phase"] > "S1902M"

    asyncio.run(play_once())


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command(number: int) -> None:
    async def interrupt() -> None:
        started = await asyncio.create_subprocess_exec(*COMMAND, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        assert started.stdin
        assert started.stdout
        started.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        assert json.loads(await started.stdout.readline())["id"] == 1
        started.send_signal(number)
        assert await started.wait() == 0

    asyncio.run(interrupt())


@pytest.mark.slow
def test_two_clients_play_over_http_at_the_address_that_is_shown() -> None:
    async def play_both() -> None:
        started = await asyncio.create_subprocess_exec(*COMMAND, "--port", "0", stdout=asyncio.subprocess.PIPE)
        assert started.stdout
        try:
            url = (await started.stdout.readline()).decode().strip()
            async with Client(url) as one, Client(url) as other:
                assert await play(one) == await play(other)
        finally:
            started.terminate()
        assert await started.wait() == 0

    asyncio.run(play_both())
