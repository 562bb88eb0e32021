"""An agent that plays steps, with what the two versions of the Python SDK have in common.

The steps are in the text of the user's message, as JSON in Base64. A step has one of these members:

    task       puts the task, if there is none yet
    put        an update, in JSON, with $task and $context for its ids
    status     update_status of the SDK: the state, with parts, metadata and final
    artifact   add_artifact of the SDK: its arguments
    message    the parts of a message without a task
    raise      the text of an exception
    hang       waits until the task is canceled
    gate       waits for a request to /go/<task>, which is answered when the next gate or the end is reached
"""
import asyncio
import base64
import collections
import json
import logging
import socket

import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.tasks import TaskUpdater
from starlette.responses import PlainTextResponse
from starlette.routing import Route


class Gates:
    """What a task waits for at its gates."""

    def __init__(self):
        self.opened = asyncio.Semaphore(0)
        self.reached = asyncio.Semaphore(0)

    async def wait(self):
        self.reached.release()
        await self.opened.acquire()

    async def open(self):
        await self.reached.acquire()
        await settled()
        self.opened.release()
        async with self.reached:
            await settled()


async def settled():
    """Lets others read and store what waits in their queues."""
    for _ in range(200):
        await asyncio.sleep(0)


class Player(AgentExecutor):
    def __init__(self, sdk):
        self.sdk = sdk
        self.gates = {}
        self.canceled = collections.defaultdict(asyncio.Event)

    async def execute(self, context, event_queue):
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        gates = self.gates[context.task_id] = Gates()
        text = base64.b64decode(context.get_user_input()).decode()
        text = text.replace("$task", context.task_id).replace("$context", context.context_id)
        try:
            for step in json.loads(text):
                await self.play(step, updater, context, event_queue)
        finally:
            gates.reached.release()

    async def play(self, step, updater, context, event_queue):
        if "task" in step:
            if context.current_task is None:
                await event_queue.enqueue_event(self.sdk.new_task(context.message))
        elif "put" in step:
            await event_queue.enqueue_event(self.sdk.update_of(step["put"]))
        elif "status" in step:
            message = step.get("parts") and updater.new_agent_message(self.sdk.parts_of(step["parts"]))
            more = {"final": True} if step.get("final") else {}
            state = self.sdk.state_of(step["status"])
            await updater.update_status(state, message=message, metadata=step.get("metadata"), **more)
        elif "artifact" in step:
            artifact = dict(step["artifact"])
            await updater.add_artifact(self.sdk.parts_of(artifact.pop("parts")), **artifact)
        elif "message" in step:
            await event_queue.enqueue_event(updater.new_agent_message(self.sdk.parts_of(step["message"])))
        elif "raise" in step:
            raise RuntimeError(step["raise"])
        elif "hang" in step:
            try:
                await self.canceled[context.task_id].wait()
            except asyncio.CancelledError:
                await updater.cancel()
                raise
        elif "gate" in step:
            await self.gates[context.task_id].wait()
        else:
            raise ValueError(f"Unknown step {step}.")

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()
        self.canceled[context.task_id].set()

    async def go(self, request):
        await self.gates[request.path_params["task"]].open()
        return PlainTextResponse("ok")


def serve(sdk):
    """Listens on a free port, and prints it."""
    logging.disable(logging.CRITICAL)
    player = Player(sdk)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    app = sdk.app(player, f"http://127.0.0.1:{port}/")
    app.router.routes.append(Route("/go/{task}", player.go))
    print(f"port {port}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listener])
