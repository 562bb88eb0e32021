/** Digests of tool calls, to bind an approval to what was approved. */

import { requireObject } from '../core/require.ts'
import { textDigest } from '../encoding/sha256.ts'
import { canonicalJson } from './canonical.ts'
import { parsedArguments } from './parsed.ts'

/** A tool and its arguments, of which {@link callDigest} is the digest. */
export interface DigestedCall {
  /** Name of the tool. */
  readonly toolName: string
  /** The arguments: parsed, or as JSON text. Text that is not JSON is digested as it is. */
  readonly arguments: unknown
}

/**
 * The digest of a tool call: `sha-256:` and 64 hexadecimal digits. Equal for equal arguments, whatever their order and
 * spacing. Who approves a call sends it back, so that only the call that was shown is approved.
 *
 * @throws TypeError if `call` is not an object.
 *
 * @example
 * ```ts
 * callDigest({ toolName: 'book', arguments: { port: 'Brest' } }) === callDigest({ toolName: 'book', arguments: '{ "port": "Brest" }' })
 * ```
 */
export function callDigest(call: DigestedCall): string {
  requireObject('call', call)
  const text = canonicalJson([call.toolName, parsedArguments(call.arguments)])
  return textDigest(text ?? `too deep: ${call.toolName}`)
}
