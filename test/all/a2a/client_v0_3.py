"""Asks an agent for numbered streams with the client of the Python SDK for A2A 0.3.

    python3 client_v0_3.py <url> <count>

Prints a line for each stream: {"items": [...]} as JSON, with what was received, or {"error": "..."}.
"""
import asyncio
import json
import logging
import sys

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, TextPart


async def items_of(client, number):
    request = Message(
        message_id=f"user-{number}", role=Role.user, parts=[Part(root=TextPart(text=str(number)))]
    )
    items = []
    async for event in client.send_message(request):
        received = event if isinstance(event, Message) else event[1] or event[0]
        items.append(received.model_dump(mode="json", by_alias=True, exclude_none=True))
    return items


async def main(url, count):
    logging.disable(logging.CRITICAL)
    async with httpx.AsyncClient(timeout=30) as http:
        client = await ClientFactory.connect(url, ClientConfig(httpx_client=http))
        for number in range(count):
            try:
                line = {"items": await items_of(client, number)}
            except Exception as error:
                line = {"error": repr(error)}
            print(json.dumps(line), flush=True)


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
