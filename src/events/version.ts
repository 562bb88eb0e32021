/**
 * The version of the event vocabulary, `major.minor`.
 *
 * A minor version only adds kinds and optional fields: a reader of any 1.x reads every other 1.x,
 * taking what it does not know as unknown.
 */
export const PROTOCOL_VERSION = '1.0'

/**
 * Picks the version to speak with a peer.
 *
 * @param offered - The versions the peer speaks, `major.minor`, in any order. Others are ignored.
 * @returns The highest version both sides speak; `undefined` when no major version is shared.
 *
 * @example
 * ```ts
 * negotiateVersion(['1.4', '2.0']) // '1.0': a peer at 1.4 also speaks 1.0
 * negotiateVersion(['2.0']) // undefined
 * ```
 */
export function negotiateVersion(offered: readonly string[]): string | undefined {
  const [major, minor] = numbers(PROTOCOL_VERSION) ?? [0, 0]
  let best: number | undefined
  for (const version of offered) {
    const theirs = numbers(version)
    if (theirs === undefined || theirs[0] !== major) continue
    best = Math.max(best ?? 0, Math.min(theirs[1], minor))
  }
  return best === undefined ? undefined : `${major}.${best}`
}

function numbers(version: unknown): [major: number, minor: number] | undefined {
  const match = typeof version === 'string' ? /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.exec(version) : null
  return match === null ? undefined : [Number(match[1]), Number(match[2])]
}
