"""Google ADK, with a model that plays a script: over AG-UI, and as agents for A2A."""

from ag_ui_adk import ADKAgent, add_adk_fastapi_endpoint
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.tools import LongRunningFunctionTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types as T
import asyncio
import json

from script import MODES


class Scripted(BaseLlm):
    mode: str = "text"

    async def generate_content_async(self, request, stream=False):
        contents = request.contents
        asked = [i for i, c in enumerate(contents) if c.role == "user" and any(p.text for p in c.parts)]
        turn = sum(c.role == "model" for c in contents[asked[-1] :])
        whole = []
        for kind, *rest in MODES[self.mode][turn]:
            if kind == "raise":
                raise RuntimeError(rest[0])
            if kind == "wait":
                await asyncio.sleep(rest[0])
                continue
            if kind == "call":
                name, id, args = rest
                made = T.FunctionCall(name=name, args=json.loads(args), id=f"{id}_{len(asked)}")
                whole.append(T.Part(function_call=made))
                continue
            part = T.Part(text=rest[0], thought=True if kind == "think" else None)
            yield LlmResponse(content=T.Content(role="model", parts=[part]), partial=True)
            if whole and whole[-1].text is not None and whole[-1].thought == part.thought:
                whole[-1].text += part.text
            else:
                whole.append(part.model_copy())
        usage = T.GenerateContentResponseUsageMetadata(prompt_token_count=5, candidates_token_count=7)
        yield LlmResponse(content=T.Content(role="model", parts=whole), partial=False, usage_metadata=usage)


def weather(place: str) -> dict:
    """The weather."""
    return {"sunny": place}


def broken(place: str) -> dict:
    """Fails."""
    return {"error": f"No such place: {place}"}


def note(text: str, tool_context: ToolContext) -> dict:
    """Notes."""
    tool_context.state["notes"] = [*tool_context.state.get("notes", []), text]
    return {"noted": text}


def clock() -> dict:
    """The time."""
    return {"time": "12:00"}


def pay(amount: int) -> dict:
    """Asks."""
    return None


def agent_of(mode, name="agent"):
    tools = [weather, broken, note, clock, LongRunningFunctionTool(pay)]
    if mode == "client":
        from ag_ui_adk import AGUIToolset

        tools = [AGUIToolset()]
    return LlmAgent(name=name, description="Plays a script.", model=Scripted(model="scripted", mode=mode), tools=tools)


def add_to(app):
    agents = {mode: agent_of(mode) for mode in MODES}
    agents["below"] = SequentialAgent(name="both", sub_agents=[agent_of("chain", "first"), agent_of("text", "second")])
    for name, agent in agents.items():
        add_adk_fastapi_endpoint(app, ADKAgent(adk_agent=agent, app_name=name, user_id="u"), path=f"/adk/{name}")
