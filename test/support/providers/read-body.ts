// Reads the body of a response: bytes, cut anywhere.

import { type EventDraft, pipe, run } from 'turnstream'
import { type ModelTurn, modelTurn } from 'turnstream/providers'
import { encodeMessage, jsonDecoder } from 'turnstream/sse'
import type { Provider } from './agent-loop.ts'

/** The body that a server sends for chunks. */
export function bodyOf(chunks: readonly unknown[]): Uint8Array<ArrayBuffer> {
  const messages = chunks.map((chunk) => encodeMessage({ data: JSON.stringify(chunk) }))
  return new TextEncoder().encode(`${messages.join('')}data: [DONE]\n\n`)
}

/** What a body is read as. */
export function readBody(
  machine: Provider,
  body: readonly Uint8Array[],
): { drafts: EventDraft[]; turn: ModelTurn } {
  const runner = run(pipe(jsonDecoder(), machine))
  const drafts = [...body.flatMap((bytes) => [...runner.push(bytes)]), ...runner.end()]
  return { drafts, turn: modelTurn(runner.state[1]) }
}
