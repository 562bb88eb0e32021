/** A client of an agent: A2A over fetch and SSE, by hand, as a program with this library does it. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { iterate } from 'turnstream'
import { wrapJsonRpc } from 'turnstream/a2a'
import { sseDecoder } from 'turnstream/sse'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { killed } from '../live/processes.ts'
import { lineOf } from '../redis/server.ts'

/** A step that an agent plays; see player.py. */
export type PlayedStep = Readonly<Record<string, unknown>>

/** The ids of a task. */
export interface TaskIds {
  readonly taskId: string
  readonly contextId: string
}

/** How long an answer may take as a whole, in milliseconds: an agent that hangs is a failure. */
const TIMEOUT = 30_000

const methods = {
  '0.3': { stream: 'message/stream', get: 'tasks/get', cancel: 'tasks/cancel', resume: 'tasks/resubscribe' },
  '1.0': { stream: 'SendStreamingMessage', get: 'GetTask', cancel: 'CancelTask', resume: 'SubscribeToTask' },
} as const

export class AgentClient {
  readonly version: A2aVersion
  readonly url: string

  constructor(version: A2aVersion, url: string) {
    this.version = version
    this.url = url
  }

  /** The responses to a request to play steps, each with its JSON-RPC envelope. */
  play(steps: readonly PlayedStep[], task?: TaskIds): Promise<AsyncIterable<unknown>> {
    const is03 = this.version === '0.3'
    const base64 = Buffer.from(JSON.stringify(steps)).toString('base64')
    const message = {
      ...(is03 ? { kind: 'message', role: 'user' } : { role: 'ROLE_USER' }),
      messageId: randomUUID(),
      parts: [{ ...(is03 && { kind: 'text' }), text: base64 }],
      ...task,
    }
    return this.#stream(methods[this.version].stream, { message })
  }

  /** The responses to another subscription to a task. */
  resume({ taskId }: TaskIds): Promise<AsyncIterable<unknown>> {
    return this.#stream(methods[this.version].resume, { id: taskId })
  }

  /** The response with a task as the agent stores it. */
  async get({ taskId }: TaskIds): Promise<unknown> {
    return sorted(await (await this.#request(methods[this.version].get, { id: taskId })).json())
  }

  async cancel({ taskId }: TaskIds): Promise<unknown> {
    return (await this.#request(methods[this.version].cancel, { id: taskId })).json()
  }

  /** Opens the gate at which a task waits, and resolves when it is at the next. */
  async go({ taskId }: TaskIds): Promise<void> {
    await (await fetch(`${this.url}/go/${taskId}`, { signal: AbortSignal.timeout(TIMEOUT) })).text()
  }

  async #stream(method: string, params: object): Promise<AsyncIterable<unknown>> {
    const abort = new AbortController()
    return responsesOf(await this.#request(method, params, abort.signal), abort)
  }

  #request(method: string, params: object, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'A2A-Version': this.version },
      body: JSON.stringify({ ...wrapJsonRpc(1, undefined), result: undefined, method, params }),
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT), ...(signal === undefined ? [] : [signal])]),
    })
  }
}

/** The responses in a body. Ends the connection when its reader leaves. */
async function* responsesOf(response: Response, abort: AbortController): AsyncGenerator<unknown> {
  try {
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
      yield sorted(await response.json())
      return
    }
    for await (const { data } of iterate(sseDecoder(), response.body as ReadableStream<Uint8Array>)) {
      yield sorted(JSON.parse(data))
    }
  } finally {
    abort.abort()
  }
}

/** A JSON value with its keys in order: those of a protobuf Struct come in another order each time. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

/** An agent that plays steps, in a process of its own. */
export interface StartedAgent {
  readonly url: string
  readonly kill: () => Promise<void>
}

export async function startAgent(python: string, script: string): Promise<StartedAgent> {
  const child = spawn(python, [script], {
    cwd: dirname(script),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await lineOf(child, /^port \d+$/)
  return { url: `http://127.0.0.1:${line.slice('port '.length)}`, kill: () => killed(child) }
}
