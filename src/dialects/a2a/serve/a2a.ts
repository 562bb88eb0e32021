/** A2A as a protocol of a handler. */

import type { Diagnostic } from '../../../core/machine.ts'
import { optional, requireFunction, requireJson, requireObject, requireOnly } from '../../../core/require.ts'
import type { Protocol } from '../../../server/handler/options.ts'
import { textStream } from '../../../server/protocol/text-stream.ts'
import { encodeJson } from '../../../sse/encode.ts'
import { eventStreamHeaders } from '../../../sse/headers.ts'
import { a2aExtensionUri } from '../wire/extension.ts'
import { wrapJsonRpc } from '../wire/json-rpc.ts'
import { type Operation, type RpcError, type RpcId, readRpc, rpcCodes } from './json-rpc.ts'
import { type Answer, type Called, cancelTask, getTask, sendMessage, subscribe } from './operations.ts'

/** Options of {@link a2a}. */
export interface A2aOptions {
  /**
   * The agent card, as clients get it: plain JSON. Its URL is that of this path, and of its versions and capabilities, streaming is the
   * one to state.
   */
  readonly card: object
  /** Called with the diagnostics of `toA2a`. Must not throw. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * The protocol of A2A, for the option `protocols` of `agentHandler`: JSON-RPC 1.0 and 0.3, as the method of each request is of one of
 * them. The context is the conversation of the user; a message without one begins it.
 *
 * - `GET <path>/.well-known/agent-card.json` is the card
 * - `POST <path>` takes `SendMessage`, `SendStreamingMessage`, `GetTask`, `SubscribeToTask` and `CancelTask`; of 0.3 `message/send`,
 *   `message/stream`, `tasks/get`, `tasks/resubscribe` and `tasks/cancel`
 *
 * A message to a task that waits is the answer: see `commandsFromA2a`. Sent again with the same `messageId`, it has the same response,
 * and starts nothing. A subscription begins with the task, and continues when the task does, whoever answers it.
 *
 * The id of a task is that of its conversation and its own, as most requests name nothing else. Clients that activate the
 * extension of this library get all events that the user sees.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const handler = agentHandler({ store, user, agent, protocols: { a2a: a2a({ card }) } })
 * ```
 */
export function a2a(options: A2aOptions): Protocol {
  requireOnly('options', options, ['card', 'onDiagnostic'])
  const { card, onDiagnostic } = options
  requireObject('card', card)
  const cardText = requireJson('card', card)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)

  return async (request) => {
    const { body, path } = request
    const { method, headers } = request.request
    if (method === 'GET' && path.join('/') === '.well-known/agent-card.json')
      return new Response(cardText, { headers: { 'content-type': 'application/json' } })
    if (method !== 'POST' || path.length > 0)
      return failed(null, { code: rpcCodes.request, message: 'Expected a POST of JSON-RPC.' }, 404)
    const rpc = readRpc(body, headers.get('a2a-version'))
    if ('code' in rpc) return failed(rpc.id, rpc)
    const { id, operation, version, params } = rpc
    const name = version === '0.3' ? 'x-a2a-extensions' : 'a2a-extensions'
    const extension = (headers.get(name) ?? headers.get('a2a-extensions') ?? '').includes(a2aExtensionUri)
    const viewer = { audience: request.sender.role }
    const called: Called = { request, params, format: { version, extension, viewer }, onDiagnostic }
    const answer = await operations[operation](called)
    const more = extension ? { [name]: a2aExtensionUri } : {}
    if ('code' in answer) return failed(id, answer)
    if ('items' in answer) return streamed(id, answer.items, more)
    return Response.json(wrapJsonRpc(id, answer.result), { headers: more })
  }
}

const refused =
  (code: number, message: string) =>
  async (_: Called): Promise<RpcError> => ({ code, message })

const operations: Readonly<Record<Operation, (called: Called) => Promise<Answer>>> = {
  send: (called) => sendMessage(called, false),
  stream: (called) => sendMessage(called, true),
  get: getTask,
  cancel: cancelTask,
  subscribe,
  list: refused(rpcCodes.unsupported, 'Tasks cannot be listed.'),
  card: refused(rpcCodes.card, 'There is no extended card.'),
  push: refused(rpcCodes.push, 'Push notifications are not supported.'),
}

function streamed(
  id: RpcId,
  items: AsyncGenerator<unknown, unknown, undefined>,
  more: Readonly<Record<string, string>>,
): Response {
  return new Response(textStream(encoded(id, items)), { headers: { ...eventStreamHeaders, ...more } })
}

async function* encoded(
  id: RpcId,
  items: AsyncGenerator<unknown, unknown, undefined>,
): AsyncGenerator<string, void, undefined> {
  for await (const item of items) yield encodeJson(wrapJsonRpc(id, item))
}

function failed(id: RpcId, { code, message }: RpcError, status = 200): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })
}
