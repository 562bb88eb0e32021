/** Names of streams. */

import { mismatch, requireOnly, requireText } from '../core/require.ts'
import { percentEncode } from '../encoding/percent.ts'
import { digitsOf, textDigest } from '../encoding/sha256.ts'
import { isWellFormed } from '../encoding/surrogates.ts'

/** The name of a stream: a text, or whose conversation it is. No two pairs share a name, whatever characters they have. */
export type StreamName = string | { readonly owner: string; readonly contextId: string }

/** A name that states whose conversation it is. */
export type NamePair = Exclude<StreamName, string>

/** What names of pairs begin with; no text may. */
const PAIR = 'of/'

/** Longer parts are named by their digest: names are part of the ids that readers send as a header. */
const MAX_PART = 200

/**
 * The name as a text.
 *
 * @throws TypeError if it is empty, a text that begins like the name of a pair, or a pair with another field.
 */
export function nameOf(name: StreamName): string {
  if (typeof name === 'string') {
    requireText('name', name)
    if (name.startsWith(PAIR))
      throw mismatch('name', `a name that does not begin with ${JSON.stringify(PAIR)}`, name)
    return name
  }
  requireOnly('name', name, ['owner', 'contextId'])
  requireText('name.owner', name.owner)
  requireText('name.contextId', name.contextId)
  return `${PAIR}${partOf(name.owner)}/${partOf(name.contextId)}`
}

/** Ids of conversations are part of what is stored. In UTF-16 code units. */
export const MAX_ID = 256

/** Whether a client may name a conversation so. */
export function isContextId(contextId: string): boolean {
  return contextId !== '' && contextId.length <= MAX_ID && isWellFormed(contextId)
}

/** ASCII without slashes, and never `.` or `..`. */
function partOf(text: string): string {
  const encoded = percentEncode(text).replace(/^\./, '%2E')
  return encoded.length <= MAX_PART ? encoded : `%${digitsOf(textDigest(JSON.stringify(text)))}`
}
