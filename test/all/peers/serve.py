"""Serves all peers: AG-UI and AI SDK at one port, and each A2A agent at one of its own. Prints the ports as JSON."""

import asyncio
import json
import logging
import socket

import uvicorn
from fastapi import FastAPI
from google.adk.a2a.utils.agent_to_a2a import to_a2a

import adk_peer
import langgraph_peer
import pydantic_peer

A2A_MODES = ["text", "think", "parallel", "fails", "chain", "error", "late", "approve", "slow"]


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


async def main():
    logging.disable(logging.CRITICAL)
    app = FastAPI()
    for peer in (langgraph_peer, adk_peer, pydantic_peer):
        peer.add_to(app)
    apps = {"": (app, free_port())}
    for mode in A2A_MODES:
        port = free_port()
        apps[mode] = (to_a2a(adk_peer.agent_of(mode), port=port), port)
    configs = [uvicorn.Config(each, host="127.0.0.1", port=port, log_level="critical") for each, port in apps.values()]
    servers = [uvicorn.Server(config) for config in configs]
    running = [asyncio.create_task(server.serve()) for server in servers]
    while not all(server.started for server in servers):
        await asyncio.sleep(0.05)
    print(json.dumps({mode: port for mode, (_, port) in apps.items()}), flush=True)
    await asyncio.gather(*running)


asyncio.run(main())
