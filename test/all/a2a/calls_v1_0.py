"""Uses each call of an agent with the client of the Python SDK for A2A 1.0; see calls_v0_3.py.

    python3 calls_v1_0.py <url>
"""
import asyncio
import sys
import uuid

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import CancelTaskRequest, GetTaskRequest, SendMessageRequest, SubscribeToTaskRequest
from google.protobuf.json_format import MessageToDict, ParseDict


async def main(url):
    async with httpx.AsyncClient(timeout=30, headers={"authorization": "Bearer ann"}) as http:
        clients = {
            streaming: await ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create_from_url(url)
            for streaming in (True, False)
        }

        async def say(part, streaming=True, **ids):
            message = {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [part], **ids}
            request = ParseDict({"message": message}, SendMessageRequest())
            return [MessageToDict(item) async for item in clients[streaming].send_message(request)]

        async def get(id):
            return MessageToDict(await clients[True].get_task(ParseDict({"id": id}, GetTaskRequest())))

        def state(task):
            return task["status"]["state"].removeprefix("TASK_STATE_").lower().replace("_", "-")

        items = await say({"text": "the invoice"})
        ids = {"taskId": items[0]["task"]["id"], "contextId": items[0]["task"]["contextId"]}
        print("stream", len(items) > 2, state(items[-1]["statusUpdate"]))
        print("get", state(await get(ids["taskId"])))
        [answered] = await say({"data": {"approved": True}}, streaming=False, **ids)
        print("send", state(answered["task"]))

        [waiting] = await say({"text": "the other one"}, streaming=False)
        id = waiting["task"]["id"]
        again = clients[True].subscribe(ParseDict({"id": id}, SubscribeToTaskRequest()))
        first = MessageToDict(await anext(again))
        print("subscribe", state(first["task"]))
        canceled = await clients[True].cancel_task(ParseDict({"id": id}, CancelTaskRequest()))
        print("cancel", state(MessageToDict(canceled)))
        rest = [MessageToDict(item) async for item in again]
        print("subscribed", state(rest[-1]["statusUpdate"]))


asyncio.run(main(sys.argv[1]))
