// A record that is patched again and again: each patch applies to the one before, and what is sent stays in proportion to them.
import { describe, expect, it } from 'vitest'
import { a2aSnapshot } from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { runToA2a, versions } from './support.ts'

const ids = { contextId: 'c', taskId: 't', timestamp: '2026-03-04T05:06:07Z' }
const COUNT = 2000
const names = Array.from({ length: COUNT }, (_, i) => `k${i}`)
const patch = (name: string, i: number): object => {
  const change = { type: 'json-patch', patch: [{ op: 'add', path: `/${name}`, value: 'x'.repeat(50) }] }
  return { kind: 'artifact-delta', artifactId: 'r', baseVersion: i + 1, version: i + 2, change, ...ids }
}
const events = [
  { kind: 'data-write', artifactId: 'r', data: {}, version: 1, ...ids },
  ...names.map(patch),
] as unknown as ContextAnyEvent[]

describe.each(versions)('a record with many patches, A2A %s', (version) => {
  const isWhole = (value: unknown): boolean => {
    const keys = new Set(JSON.stringify(value).match(/(?<=")k\d+(?=")/g))
    return names.every((name) => keys.has(name))
  }

  it('costs items of a length in proportion to the patches', () => {
    const { out, diagnostics } = runToA2a(events, { version }, 'open')
    expect(JSON.stringify(out).length).toBeLessThan(10 * JSON.stringify(events).length)
    expect(diagnostics.filter(({ code }) => code.startsWith('dropped:'))).toEqual([])
  })

  it('is in the snapshot with all of them, whatever was sent', () => {
    const { out, state } = runToA2a(events, { version }, 'open')
    expect(isWhole(out.at(-1))).toBe(false)
    expect(isWhole(a2aSnapshot(state as never))).toBe(true)
  })

  it.each([
    ['ends', { kind: 'task-complete', ...ids }],
    [
      'waits for input',
      {
        kind: 'input-required',
        inputId: 'i',
        inputType: 'clarification',
        requireUser: true,
        prompt: '?',
        ...ids,
      },
    ],
  ])('is sent whole before the task %s', (_, last) => {
    const { out } = runToA2a([...events, last as unknown as ContextAnyEvent], { version }, 'open')
    expect(isWhole(out.at(-2))).toBe(true)
  })
})
