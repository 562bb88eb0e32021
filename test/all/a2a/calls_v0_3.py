"""Uses each call of an agent with the client of the Python SDK for A2A 0.3, and prints what the task became.

    python3 calls_v0_3.py <url>
"""
import asyncio
import sys
import uuid

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import DataPart, Message, Part, Role, TaskIdParams, TaskQueryParams, TextPart


async def main(url):
    async with httpx.AsyncClient(timeout=30, headers={"authorization": "Bearer ann"}) as http:
        clients = {
            streaming: await ClientFactory.connect(url, ClientConfig(httpx_client=http, streaming=streaming))
            for streaming in (True, False)
        }

        async def say(part, streaming=True, **ids):
            message = Message(message_id=str(uuid.uuid4()), role=Role.user, parts=[Part(root=part)], **ids)
            return [item async for item in clients[streaming].send_message(message)]

        items = await say(TextPart(text="the invoice"))
        task = items[-1][0]
        ids = {"task_id": task.id, "context_id": task.context_id}
        print("stream", len(items) > 2, task.status.state.value)
        got = await clients[True].get_task(TaskQueryParams(id=task.id))
        print("get", got.status.state.value)
        [(answered, _)] = await say(DataPart(data={"approved": True}), streaming=False, **ids)
        print("send", answered.status.state.value)

        [(waiting, _)] = await say(TextPart(text="the other one"), streaming=False)
        again = clients[True].resubscribe(TaskIdParams(id=waiting.id))
        first, _ = await anext(again)
        print("subscribe", first.status.state.value)
        canceled = await clients[True].cancel_task(TaskIdParams(id=waiting.id))
        print("cancel", canceled.status.state.value)
        rest = [task async for task, _ in again]
        print("subscribed", rest[-1].status.state.value)


asyncio.run(main(sys.argv[1]))
