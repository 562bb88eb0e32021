/** The envelope of A2A's JSON-RPC binding. */

/** A successful response of JSON-RPC 2.0. */
export interface JsonRpcResponse<Result> {
  jsonrpc: '2.0'
  /** That of the request, of the same type. */
  id: string | number | null
  result: Result
}

/**
 * Puts an item of a stream into the response that answers a request; every item of the stream goes
 * into one with the same id.
 *
 * @param id - The id of the request, exactly as it came: clients compare it with its type.
 *
 * @throws TypeError when the id is none of JSON-RPC.
 */
export function wrapJsonRpc<Result>(id: string | number | null, event: Result): JsonRpcResponse<Result> {
  if (typeof id !== 'string' && !Number.isFinite(id) && id !== null) {
    throw new TypeError('A JSON-RPC id is a string, a number or null: hand in the one of the request.')
  }
  return { jsonrpc: '2.0', id, result: event }
}
