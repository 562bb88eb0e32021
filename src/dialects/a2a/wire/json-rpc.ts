/** The response envelope of the JSON-RPC binding. */

import { mismatch } from '../../../core/require.ts'

/** A successful JSON-RPC 2.0 response. */
export interface JsonRpcResponse<Result> {
  jsonrpc: '2.0'
  /** The id of the request, with the same type. */
  id: string | number | null
  result: Result
}

/**
 * Wraps a stream item in a JSON-RPC response. All items of a stream have the id of the same request.
 *
 * @param id - The id of the request, unchanged: clients compare its type as well.
 *
 * @throws TypeError if the id is not a string, number or `null`.
 */
export function wrapJsonRpc<Result>(id: string | number | null, event: Result): JsonRpcResponse<Result> {
  if (typeof id !== 'string' && !Number.isFinite(id) && id !== null) {
    throw mismatch('id', 'a string, a finite number or null', id)
  }
  return { jsonrpc: '2.0', id, result: event }
}
