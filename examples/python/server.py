"""Serves turns of an agent, as examples/live does in TypeScript.

    pip install fastapi uvicorn
    python3 server.py [port]

    POST /turns            starts a turn; it runs even if nobody reads it
    GET  /turns/<id>       its events after `Last-Event-ID`
"""
import asyncio
import socket
import sys
import uuid
from datetime import datetime, timezone

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from turnstream.log import Log

app = FastAPI()
logs: dict[str, Log] = {}
running: set[asyncio.Task] = set()


@app.post("/turns", status_code=201)
async def start_turn() -> dict:
    turn = uuid.uuid4().hex
    logs[turn] = Log(f"turn/{turn}")
    task = asyncio.create_task(answer(logs[turn], turn))
    running.add(task)
    task.add_done_callback(running.discard)
    return {"id": turn}


@app.get("/turns/{turn}")
async def read_turn(turn: str, request: Request) -> Response:
    if turn not in logs:
        return Response(status_code=404)
    status, body = logs[turn].answer(request.headers.get("last-event-id"))
    if body is None:
        return Response(status_code=status)
    headers = {"cache-control": "no-cache", "x-accel-buffering": "no"}
    return StreamingResponse(body, status, headers, media_type="text/event-stream")


async def answer(log: Log, turn: str) -> None:
    """An agent that thinks, reads a file and answers."""

    def emit(kind: str, **fields) -> None:
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        log.append({"kind": kind, "contextId": "chat", "taskId": turn, **fields, "timestamp": now})

    emit("task-created", initiator="user")
    emit("task-status", status="working")
    thought = "I look it up."
    for index, word in enumerate(thought.split(" ")):
        emit("thought-delta", thoughtId=f"{turn}-thought", delta=word if index == 0 else f" {word}", index=index)
        await asyncio.sleep(0.02)
    labels = {"thoughtType": "planning", "verbosity": "brief"}
    emit("thought-stream", thoughtId=f"{turn}-thought", content=thought, index=0, **labels)
    call = {"toolCallId": f"{turn}-call", "toolName": "read_file"}
    emit("tool-start", **call, arguments={"path": "tides.txt"})
    emit("tool-progress", toolCallId=call["toolCallId"], progress=0.5)
    await asyncio.sleep(0.05)
    emit("tool-complete", **call, success=True, result={"high": "16:12"})
    text = "High tide is at 16:12 🌊, a good time to leave.\u2028Bon voyage!"
    for index in range(0, len(text), 4):
        emit("content-delta", delta=text[index : index + 4], index=index // 4)
        await asyncio.sleep(0.02)
    emit("content-complete", content=text)
    emit("task-complete", content=text)
    emit("task-status", status="completed")
    log.close()


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([listener])
