"""LangGraph over AG-UI, with a model that plays a script."""

import asyncio
import json

from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from langchain_core.callbacks.manager import adispatch_custom_event
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, RemoveMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt

from script import MODES


class Scripted(BaseChatModel):
    mode: str = "text"

    @property
    def _llm_type(self):
        return "scripted"

    def chunks(self, messages):
        last = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
        turn = sum(isinstance(m, AIMessage) for m in messages[last:])
        thread = sum(isinstance(m, HumanMessage) for m in messages)
        calls = 0
        blocks = any(kind == "think" for pieces in MODES[self.mode] for kind, *_ in pieces)
        for kind, *rest in MODES[self.mode][turn]:
            if kind == "think":
                yield AIMessageChunk(content=[{"type": "thinking", "thinking": rest[0], "index": 0}])
            elif kind == "text":
                yield AIMessageChunk(content=[{"type": "text", "text": rest[0], "index": 1}] if blocks else rest[0])
            elif kind == "raise":
                raise RuntimeError(rest[0])
            else:
                name, id, args = rest
                half = len(args) // 2
                for n, i, piece in [(name, f"{id}_{thread}", ""), (None, None, args[:half]), (None, None, args[half:])]:
                    chunk = {"name": n, "args": piece, "id": i, "index": calls}
                    yield AIMessageChunk(content=[] if blocks else "", tool_call_chunks=[chunk])
                calls += 1

    def _stream(self, messages, stop=None, run_manager=None, **_):
        for message in self.chunks(messages):
            chunk = ChatGenerationChunk(message=message)
            if run_manager:
                run_manager.on_llm_new_token("", chunk=chunk)
            yield chunk

    def _generate(self, messages, stop=None, run_manager=None, **_):
        whole = None
        for chunk in self.chunks(messages):
            whole = chunk if whole is None else whole + chunk
        message = AIMessage(content=whole.content, tool_calls=whole.tool_calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


@tool
async def weather(place: str) -> str:
    """The weather."""
    await asyncio.sleep({"Paris": 0.03, "Brest": 0.01}.get(place, 0.02))
    return f"sunny in {place}"


@tool
def broken(place: str) -> str:
    """Fails."""
    raise ValueError(f"No such place: {place}")


@tool
def note(text: str) -> str:
    """Notes."""
    return json.dumps({"noted": text})


@tool
def clock() -> str:
    """The time."""
    return "12:00"


@tool
def pay(amount: int) -> str:
    """Pays."""
    answer = interrupt({"question": f"Pay {amount}?", "tool": "pay"})
    return f"paid {amount}" if answer in (True, "yes") or answer == {"approved": True} else f"not paid: {answer}"


TOOLS = [weather, broken, note, clock, pay]


class State(MessagesState):
    tools: list
    notes: list


def agent_graph(mode, streaming=True):
    model = Scripted(mode=mode, disable_streaming=not streaming)

    async def chat(state):
        notes = [*(state.get("notes") or []), f"step {len(state['messages'])}"]
        return {"messages": [await model.ainvoke(state["messages"])], "notes": notes}

    def route(state):
        calls = getattr(state["messages"][-1], "tool_calls", [])
        return "tools" if calls and all(c["name"] != "locate" for c in calls) else END

    graph = StateGraph(State)
    graph.add_node("chat", chat)
    graph.add_node("tools", ToolNode(TOOLS, handle_tool_errors=True))
    graph.add_edge(START, "chat")
    graph.add_conditional_edges("chat", route, {"tools": "tools", END: END})
    graph.add_edge("tools", "chat")
    return graph


def line(**nodes):
    """A graph of nodes, one after the other."""
    graph = StateGraph(State)
    before = START
    for name, node in nodes.items():
        graph.add_node(name, node)
        graph.add_edge(before, name)
        before = name
    graph.add_edge(before, END)
    return graph


async def twice(_):
    first = interrupt("Which city?")
    second = interrupt({"question": f"Hotel in {first}?", "options": ["yes", "no"]})
    return {"messages": [AIMessage(content=f"{first}: {second}")]}


async def ask_a(_):
    return {"messages": [AIMessage(content=f"A: {interrupt('Question A?')}")]}


async def ask_b(_):
    return {"messages": [AIMessage(content=f"B: {interrupt('Question B?')}")]}


def side_by_side(a, b):
    graph = StateGraph(State)
    for name, node in {"a": a, "b": b}.items():
        graph.add_node(name, node)
        graph.add_edge(START, name)
        graph.add_edge(name, END)
    return graph


async def says(state):
    return {"messages": [await Scripted(mode="text").ainvoke(state["messages"])]}


async def forgets(state):
    return {"messages": [RemoveMessage(id=state["messages"][-1].id), AIMessage(content="Let me put it otherwise.")]}


async def rewrites(state):
    return {"messages": [AIMessage(id=state["messages"][-1].id, content="Hello, corrected.")]}


async def manual(_):
    await adispatch_custom_event("manually_emit_message", {"message_id": "manual", "message": "By hand."})
    await adispatch_custom_event(
        "manually_emit_tool_call", {"id": "manual-call", "name": "weather", "args": {"place": "Lyon"}}
    )
    await adispatch_custom_event("manually_emit_state", {"notes": ["by hand"]})
    await adispatch_custom_event("progress", {"percent": 40})
    return {"messages": [AIMessage(id="manual", content="By hand.")]}


async def static(state):
    return {"messages": [AIMessage(content=f"Closed. {len(state['messages'])}")]}


GRAPHS = {
    **{mode: agent_graph(mode) for mode in MODES},
    "quiet": agent_graph("parallel", streaming=False),
    "twice": line(ask=twice),
    "both": side_by_side(ask_a, ask_b),
    "beside": side_by_side(says, says),
    "forgets": line(says=says, forgets=forgets),
    "rewrites": line(says=says, rewrites=rewrites),
    "manual": line(manual=manual),
    "static": line(static=static),
    "below": line(researcher=agent_graph("chain").compile(), writer=says),
}


def add_to(app):
    for name, graph in GRAPHS.items():
        agent = LangGraphAgent(name=name, graph=graph.compile(checkpointer=MemorySaver()))
        add_langgraph_fastapi_endpoint(app, agent, path=f"/langgraph/{name}")
    outcome = LangGraphAgent(
        name="outcome", graph=agent_graph("approve").compile(checkpointer=MemorySaver()), emit_interrupt_outcome=True
    )
    add_langgraph_fastapi_endpoint(app, outcome, path="/langgraph/outcome")
