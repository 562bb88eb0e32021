"""The agent of player.py, with the Python SDK for A2A 0.3. Prints its port."""
import player
from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    Part,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatusUpdateEvent,
)
from a2a.utils import new_task

state_of = TaskState


def parts_of(values):
    return [Part.model_validate(value) for value in values]


def update_of(value):
    kinds = {"status-update": TaskStatusUpdateEvent, "artifact-update": TaskArtifactUpdateEvent}
    return kinds[value["kind"]].model_validate(value)


def app(agent, url):
    card = AgentCard(
        name="Player",
        description="Plays steps",
        url=url,
        version="1",
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[],
    )
    handler = DefaultRequestHandler(agent_executor=agent, task_store=InMemoryTaskStore())
    return A2AStarletteApplication(agent_card=card, http_handler=handler).build()


if __name__ == "__main__":
    import agent_v0_3

    player.serve(agent_v0_3)
