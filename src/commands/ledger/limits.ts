/** What one command may have: so that receipts and the state stay small, whatever clients send. */

import type { Issue } from '../../core/decode-result.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { Command } from '../command.ts'

/** The longest id, reason or message of a command. */
const MAX_TEXT = 4096

/** How many requests one `input.respond` may answer. */
export const MAX_RESPONSES = 256

/** What a command has too much of: levels, or characters of what the state is to hold. */
export function excessOf(command: Command): Issue | undefined {
  if (canonicalJson(command) === undefined) {
    return {
      code: 'too-deep',
      path: '',
      message: 'Expected a command of at most 1000 levels, got a deeper one.',
    }
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

/** The first text that is too long. */
export function longTextOf(at: string, fields: Readonly<Record<string, unknown>>): Issue | undefined {
  for (const [name, text] of Object.entries(fields)) {
    if (typeof text !== 'string' || text.length <= MAX_TEXT) continue
    const message = `Expected ${name} of at most ${MAX_TEXT} characters, got ${text.length}.`
    return { code: 'too-large', path: `${at}/${name}`, message }
  }
  return undefined
}
