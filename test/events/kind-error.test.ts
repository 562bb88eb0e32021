// Proves that the error for an unknown kind names the kinds that look like it.
import { describe, expect, it } from 'vitest'
import { unknownKind } from '../../src/events/kind-error.ts'
import { eventKinds } from '../../src/events/kinds.ts'

/** The kinds that the error suggests. */
function suggested(value: unknown): string[] {
  const [, list = ''] =
    /^"kind" must be an event kind such as (.*), got .*\.$/.exec(unknownKind('kind', value).message) ?? []
  return [...list.matchAll(/"([^"]*)"/g)].map(([, kind = '']) => kind)
}

describe.each([...eventKinds])('%s', (kind) => {
  it('is suggested for its misspellings', () => {
    for (const value of [kind, kind.toUpperCase(), kind.replaceAll('-', '_'), `${kind}s`]) {
      expect(suggested(value)[0], value).toBe(kind)
    }
    for (let at = 0; at < kind.length; at++) {
      const value = kind.slice(0, at) + kind.slice(at + 1)
      expect(suggested(value), value).toHaveLength(3)
      expect(suggested(value), value).toContain(kind)
    }
  })
})

it.each<[value: unknown, kinds: readonly string[]]>([
  ['thought', ['thought-delta', 'thought-stream', 'internal:thought-process']],
  ['taskstatus', ['task-status', 'task-created']],
  [7, ['content-delta', 'content-complete', 'content-replace']],
  [undefined, ['content-delta', 'content-complete', 'content-replace']],
  ['', ['task-created', 'task-status', 'task-complete']],
  // Only the first 64 characters count.
  [`${'x'.repeat(64)}custom`, ['task-created', 'task-status', 'task-complete']],
  [`${'x'.repeat(58)}custom`, ['custom', 'tool-start', 'task-status']],
])('for %j, the most similar kinds come first', (value, kinds) => {
  expect(suggested(value).slice(0, kinds.length)).toEqual(kinds)
})

it('is a TypeError that names the option, what was passed and what else is allowed', () => {
  const error = unknownKind('kinds[0]', 'taks', ' or "*"')
  expect(error).toBeInstanceOf(TypeError)
  expect(error.message).toMatch(/^"kinds\[0\]" must be an event kind such as ".*" or "\*", got "taks"\.$/)
})
