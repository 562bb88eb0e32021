/** Requests of JSON-RPC, and the errors of A2A. */

import type { Problem } from '../../../server/protocol/begin-task.ts'
import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf, textIn } from '../../../validation/read-fields.ts'
import type { A2aVersion } from '../wire/version.ts'

/** What is asked for, in either version. */
export type Operation = 'send' | 'stream' | 'get' | 'cancel' | 'subscribe' | 'card' | 'push' | 'list'

/** The methods of both versions. Each is of one alone. */
const methods: Readonly<Record<string, readonly [Operation, A2aVersion]>> = {
  'message/send': ['send', '0.3'],
  'message/stream': ['stream', '0.3'],
  'tasks/get': ['get', '0.3'],
  'tasks/cancel': ['cancel', '0.3'],
  'tasks/resubscribe': ['subscribe', '0.3'],
  'agent/getAuthenticatedExtendedCard': ['card', '0.3'],
  'tasks/pushNotificationConfig/set': ['push', '0.3'],
  'tasks/pushNotificationConfig/get': ['push', '0.3'],
  'tasks/pushNotificationConfig/list': ['push', '0.3'],
  'tasks/pushNotificationConfig/delete': ['push', '0.3'],
  SendMessage: ['send', '1.0'],
  SendStreamingMessage: ['stream', '1.0'],
  GetTask: ['get', '1.0'],
  CancelTask: ['cancel', '1.0'],
  SubscribeToTask: ['subscribe', '1.0'],
  ListTasks: ['list', '1.0'],
  GetExtendedAgentCard: ['card', '1.0'],
  CreateTaskPushNotificationConfig: ['push', '1.0'],
  GetTaskPushNotificationConfig: ['push', '1.0'],
  ListTaskPushNotificationConfigs: ['push', '1.0'],
  DeleteTaskPushNotificationConfig: ['push', '1.0'],
}

/** The id of a request. */
export type RpcId = string | number | null

/** A request that can be answered. */
export interface RpcRequest {
  readonly id: RpcId
  readonly operation: Operation
  readonly version: A2aVersion
  readonly params: Readonly<Record<string, unknown>>
}

/** An error of JSON-RPC. */
export interface RpcError {
  readonly code: number
  readonly message: string
}

/** The errors of JSON-RPC and A2A that are used here. */
export const rpcCodes = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  tooMany: -32_000,
  taskNotFound: -32_001,
  notCancelable: -32_002,
  push: -32_003,
  unsupported: -32_004,
  card: -32_007,
  version: -32_009,
} as const

/** Reads a body; or the error about it. */
export function readRpc(
  body: unknown,
  version: string | null,
): RpcRequest | (RpcError & { readonly id: RpcId }) {
  if (body === undefined) return { id: null, code: rpcCodes.parse, message: 'Expected JSON.' }
  const given = fieldsOf(body).id
  const id = typeof given === 'string' || Number.isFinite(given) ? (given as RpcId) : null
  const method = textIn(body, 'method')
  if (!isFields(body) || body.jsonrpc !== '2.0' || method === undefined || (id === null && given !== null))
    return { id, code: rpcCodes.request, message: 'Expected a request of JSON-RPC 2.0 with id and method.' }
  if (version !== null && !/^(0\.3|1\.0)(\.\d+)?$/.test(version))
    return { id, code: rpcCodes.version, message: `Expected A2A-Version 0.3 or 1.0, got ${version}.` }
  if (!Object.hasOwn(methods, method))
    return { id, code: rpcCodes.method, message: `There is no method ${method}.` }
  const [operation, ofMethod] = methods[method] as readonly [Operation, A2aVersion]
  const { params = {} } = body
  if (!isFields(params)) return { id, code: rpcCodes.params, message: 'Expected params as an object.' }
  return { id, operation, version: ofMethod, params }
}

/** The error of a request that is refused. */
export function rpcErrorOf({ code, message }: Problem): RpcError {
  const known: Readonly<Record<string, number>> = {
    'not-found': rpcCodes.taskNotFound,
    'unknown-task': rpcCodes.taskNotFound,
    ended: rpcCodes.unsupported,
    unsupported: rpcCodes.unsupported,
    busy: rpcCodes.unsupported,
    'too-many': rpcCodes.tooMany,
  }
  return { code: known[code] ?? rpcCodes.params, message }
}
