"""One call of a client of A2A 1.0; prints each item of its response as a line of JSON.

    python3 a2a_client.py <url> <user> <send | subscribe | get> <request>
"""
import asyncio
import json
import sys

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import GetTaskRequest, SendMessageRequest, SubscribeToTaskRequest
from google.protobuf.json_format import MessageToDict, ParseDict


async def main(url, user, method, request):
    async with httpx.AsyncClient(timeout=30, headers={"cookie": f"user={user}"}) as http:
        client = await ClientFactory(ClientConfig(httpx_client=http)).create_from_url(url)
        if method == "get":
            print(json.dumps(MessageToDict(await client.get_task(ParseDict(request, GetTaskRequest())))))
            return
        if method == "send":
            items = client.send_message(ParseDict(request, SendMessageRequest()))
        else:
            items = client.subscribe(ParseDict(request, SubscribeToTaskRequest()))
        async for item in items:
            print(json.dumps(MessageToDict(item)), flush=True)


url, user, method, request = sys.argv[1:]
asyncio.run(main(url, user, method, json.loads(request)))
