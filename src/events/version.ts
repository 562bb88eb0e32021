import { requireArray } from '../core/require.ts'

/**
 * The version of the event vocabulary, `major.minor`.
 *
 * A minor version only adds kinds and optional fields: a reader of any 1.x can read every other 1.x, and
 * treats kinds it does not know as unknown.
 */
export const PROTOCOL_VERSION = '1.0'

/**
 * Selects the protocol version to use with a peer.
 *
 * @param offered - The versions the peer supports, `major.minor`, in any order. Anything else is ignored.
 * @returns The highest version that both sides support; `undefined` if they share no major version.
 *
 * @throws TypeError if `offered` is not an array.
 *
 * @example
 * ```ts
 * negotiateVersion(['1.4', '2.0']) // '1.0': a peer at 1.4 also supports 1.0
 * negotiateVersion(['2.0']) // undefined
 * ```
 */
export function negotiateVersion(offered: readonly string[]): string | undefined {
  requireArray('offered', offered)
  const [major, minor] = parseVersion(PROTOCOL_VERSION) ?? [0, 0]
  let best: number | undefined
  for (const version of offered) {
    const peer = parseVersion(version)
    if (peer === undefined || peer[0] !== major) continue
    best = Math.max(best ?? 0, Math.min(peer[1], minor))
  }
  return best === undefined ? undefined : `${major}.${best}`
}

function parseVersion(version: unknown): [major: number, minor: number] | undefined {
  const match = typeof version === 'string' ? /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.exec(version) : null
  return match === null ? undefined : [Number(match[1]), Number(match[2])]
}
