"""pydantic-ai over AG-UI and the AI SDK, with a model that plays a script."""

import asyncio

from ag_ui.core import EventType, StateDeltaEvent, StateSnapshotEvent
from fastapi import Request
from pydantic_ai import Agent, DeferredToolRequests, ModelRetry, ToolReturn
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models.function import DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from pydantic_ai.ui.vercel_ai import VercelAIAdapter

from script import MODES


def model_of(mode):
    async def stream(messages, _):
        def is_prompt(message):
            return any(part.part_kind == "user-prompt" for part in message.parts)

        asked = [i for i, message in enumerate(messages) if is_prompt(message)]
        turn = sum(isinstance(message, ModelResponse) for message in messages[asked[-1] :])
        place = 0
        pieces = MODES[mode][min(turn, len(MODES[mode]) - 1)]
        for kind, *rest in pieces:
            if kind == "raise":
                raise RuntimeError(rest[0])
            if kind == "text":
                yield rest[0]
            elif kind == "think":
                yield {0: DeltaThinkingPart(content=rest[0])}
        # The arguments of all calls arrive together.
        calls = [rest for kind, *rest in pieces if kind == "call"]
        for part in range(3):
            for i, (name, id, args) in enumerate(calls):
                half = len(args) // 2
                piece = ["", args[:half], args[half:]][part]
                named = {"name": name, "tool_call_id": f"{id}_{len(asked)}"} if part == 0 else {}
                yield {i + 1: DeltaToolCall(json_args=piece, **named)}
        if calls == [] and not any(kind in ("text", "think") for kind, *_ in pieces):
            yield ""

    return FunctionModel(stream_function=stream)


def agent_of(mode):
    asks = mode in ("approve", "client")
    agent = Agent(model_of(mode), output_type=[str, DeferredToolRequests] if asks else str)

    @agent.tool_plain
    async def weather(place: str) -> str:
        await asyncio.sleep({"Paris": 0.03, "Brest": 0.01}.get(place, 0.02))
        return f"sunny in {place}"

    @agent.tool_plain(retries=2)
    async def broken(place: str) -> str:
        raise ModelRetry(f"No such place: {place}")

    @agent.tool_plain
    async def note(text: str) -> ToolReturn:
        snapshot = StateSnapshotEvent(type=EventType.STATE_SNAPSHOT, snapshot={"notes": [text]})
        change = [{"op": "add", "path": "/notes/-", "value": "more"}]
        delta = StateDeltaEvent(type=EventType.STATE_DELTA, delta=change)
        return ToolReturn(return_value={"noted": text}, metadata=[snapshot, delta])

    @agent.tool_plain
    async def clock() -> str:
        return "12:00"

    @agent.tool_plain(requires_approval=True)
    async def pay(amount: int) -> dict:
        return {"paid": amount}

    return agent


def add_to(app):
    for mode in MODES:
        agent = agent_of(mode)

        def routes(agent=agent):
            async def ag_ui(request: Request):
                return await AGUIAdapter.dispatch_request(request, agent=agent)

            async def ai_sdk(request: Request):
                return await VercelAIAdapter.dispatch_request(request, agent=agent, sdk_version=6)

            return ag_ui, ai_sdk

        ag_ui, ai_sdk = routes()
        app.post(f"/pydantic-ai/{mode}")(ag_ui)
        app.post(f"/pydantic-ai-chat/{mode}")(ai_sdk)
