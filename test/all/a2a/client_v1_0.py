"""Asks an agent for numbered streams with the client of the Python SDK for A2A 1.0; see client_v0_3.py.

    python3 client_v1_0.py <url> <count>

The SDK speaks 0.3 with agents whose card has that version.
"""
import asyncio
import json
import logging
import sys

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import SendMessageRequest
from google.protobuf.json_format import MessageToDict, ParseDict


async def items_of(client, number):
    message = {"messageId": f"user-{number}", "role": "ROLE_USER", "parts": [{"text": str(number)}]}
    request = ParseDict({"message": message}, SendMessageRequest())
    return [MessageToDict(item) async for item in client.send_message(request)]


async def main(url, count):
    logging.disable(logging.CRITICAL)
    async with httpx.AsyncClient(timeout=30) as http:
        client = await ClientFactory(ClientConfig(httpx_client=http)).create_from_url(url)
        for number in range(count):
            try:
                line = {"items": await items_of(client, number)}
            except Exception as error:
                line = {"error": repr(error)}
            print(json.dumps(line), flush=True)


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
