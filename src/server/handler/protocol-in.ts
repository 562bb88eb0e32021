/** Which protocol a path names. */

import type { Protocol } from './options.ts'

/**
 * The protocol that a path names first, of several the one with the longest name, and the decoded segments below it; `undefined` if
 * it names none.
 */
export function protocolIn(
  segments: readonly string[],
  protocols: Readonly<Record<string, Protocol>>,
): { readonly protocol: Protocol; readonly path: readonly string[] } | undefined {
  let found: { readonly at: number; readonly end: number; readonly protocol: Protocol } | undefined
  for (const [name, protocol] of Object.entries(protocols)) {
    const names = name.split('/')
    const at = segments.findIndex((_, i) => names.every((each, j) => segments[i + j] === each))
    const end = at + names.length
    const isBefore = found === undefined || at < found.at || (at === found.at && end > found.end)
    if (at !== -1 && isBefore) found = { at, end, protocol }
  }
  return found && { protocol: found.protocol, path: segments.slice(found.end).map(decoded) }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
