"""The agent of player.py, with the Python SDK for A2A 1.0, which takes requests of 0.3 too. Prints its port."""
import player
from a2a.helpers.proto_helpers import new_task_from_user_message as new_task
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCard, Part, StreamResponse, TaskState
from google.protobuf.json_format import ParseDict
from starlette.applications import Starlette

state_of = TaskState.Value


def parts_of(values):
    return [ParseDict(value, Part()) for value in values]


def update_of(value):
    item = ParseDict(value, StreamResponse())
    return getattr(item, item.WhichOneof("payload"))


def app(agent, url):
    card = {
        "name": "Player",
        "description": "Plays steps",
        "version": "1",
        "capabilities": {"streaming": True},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "play", "name": "Play", "description": "Plays steps", "tags": ["test"]}],
        "supportedInterfaces": [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
    }
    handler = DefaultRequestHandler(
        agent_executor=agent, task_store=InMemoryTaskStore(), agent_card=ParseDict(card, AgentCard())
    )
    return Starlette(routes=create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True))


if __name__ == "__main__":
    import agent_v1_0

    player.serve(agent_v1_0)
