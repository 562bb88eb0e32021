/** What one command may have: so that receipts and the state stay small, whatever clients send. */

import type { Issue } from '../../core/decode-result.ts'
import { toPointer } from '../../encoding/pointer.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { MAX_DEPTH } from '../../json/value.ts'
import type { Command } from '../command.ts'

/** The longest id, reason or message of a command. */
const MAX_TEXT = 4096

/** How many requests one `input.respond` may answer. */
export const MAX_RESPONSES = 256

/** How many values one command may have, in all: members of objects and items of arrays. */
export const MAX_VALUES = 65_536

/**
 * What a command has too much of: values, levels, or characters, in all and of what the state is to hold.
 *
 * @param maxChars - How many characters of JSON text it may have in all.
 */
export function excessOf(command: Command, maxChars: number): Issue | undefined {
  const crowded = crowdedPlace(command)
  if (crowded !== undefined) {
    const message = `Expected a command of at most ${MAX_VALUES} values, got more.`
    return { code: 'too-large', path: crowded, message }
  }
  const text = canonicalJson(command)
  if (text === undefined) {
    return {
      code: 'too-deep',
      path: '',
      message: 'Expected a command of at most 1000 levels, got a deeper one.',
    }
  }
  if (text.length > maxChars) {
    const message = `Expected a command of at most ${maxChars} characters of JSON text, got ${text.length}.`
    return { code: 'too-large', path: longestOf(command), message }
  }
  const {
    input: _,
    result: __,
    error: ___,
    ...texts
  } = command as unknown as Readonly<Record<string, unknown>>
  const responses = command.kind === 'input.respond' ? command.responses : []
  if (responses.length > MAX_RESPONSES) {
    const message = `Expected at most ${MAX_RESPONSES} responses in one command, got ${responses.length}.`
    return { code: 'too-large', path: '/responses', message }
  }
  return (
    longTextOf('', texts) ??
    responses.flatMap((each, i) => longTextOf(`/responses/${i}`, { ...each, value: null }) ?? [])[0]
  )
}

/** What names a credential: which one there is states the server alone. */
export function credentialIn(command: Command): Issue | undefined {
  if (command.kind !== 'auth.respond' || !Object.hasOwn(command, 'credentialRef')) return undefined
  const message =
    'Expected no credentialRef in a command, got one: the server states it once it has verified the claim.'
  return { code: 'invalid-value', path: '/credentialRef', message }
}

/** A pointer to the member whose values are too many, counted from the first; to the command if its members are. */
function crowdedPlace(command: Command): string | undefined {
  let left = MAX_VALUES
  const isCrowded = (value: unknown, depth: number): boolean => {
    // Deeper ones are refused as such.
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
    left -= Array.isArray(value) ? value.length : Object.keys(value).length
    return left < 0 || Object.values(value).some((each) => isCrowded(each, depth + 1))
  }
  left -= Object.keys(command).length
  if (left < 0) return ''
  const name = Object.keys(command).find((each) => isCrowded(command[each as keyof Command], 1))
  return name === undefined ? undefined : toPointer([name])
}

/** A pointer to the longest member. */
function longestOf(command: Command): string {
  const lengths = Object.entries(command).map(([name, value]) => ({
    name,
    length: canonicalJson(value)?.length ?? 0,
  }))
  const [longest] = lengths.sort((a, b) => b.length - a.length)
  return longest === undefined ? '' : toPointer([longest.name])
}

/** The first text that is too long. */
export function longTextOf(at: string, fields: Readonly<Record<string, unknown>>): Issue | undefined {
  for (const [name, text] of Object.entries(fields)) {
    if (typeof text !== 'string' || text.length <= MAX_TEXT) continue
    const message = `Expected ${name} of at most ${MAX_TEXT} characters, got ${text.length}.`
    return { code: 'too-large', path: `${at}/${name}`, message }
  }
  return undefined
}
