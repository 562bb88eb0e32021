// Proves that two recordings differ in what was changed, and in nothing else: not in times, in ids, or in where texts are cut.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../src/index.ts'
import { align } from '../../src/inspect/diff/align.ts'
import { addEntry, compare, type Entry } from '../../src/inspect/diff/compare.ts'
import { fieldChanges } from '../../src/inspect/diff/field-changes.ts'
import { isEqualJson } from '../../src/json/value.ts'
import { jsonValue } from '../support/json.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { readRecording, recordingPath, recordings } from '../support/recordings.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'diff-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function entriesOf(events: readonly ContextAnyEvent[]): Entry[] {
  const entries: Entry[] = []
  events.forEach((event, i) => {
    addEntry(entries, event, i + 1)
  })
  return entries
}

/** The same run at another time, with other ids, and its texts cut elsewhere. */
function another(event: ContextAnyEvent): ContextAnyEvent[] {
  const text = JSON.stringify(event, (name, value: unknown) =>
    typeof value === 'string' && /(?:contextId|askId|CallId|contentId|thoughtId|authId|inputId)$/.test(name)
      ? `other-${[...value].reverse().join('')}`
      : value,
  )
  const other = { ...JSON.parse(text), timestamp: '2027-01-02T03:04:05.678Z' }
  const { delta } = other
  if (typeof delta !== 'string' || delta.length < 2) return [other]
  return [
    { ...other, delta: delta.slice(0, 1) },
    { ...other, delta: delta.slice(1), index: other.index + 1 },
  ]
}

describe('events', () => {
  it('of the same run at another time do not differ', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        expect(compare(entriesOf(events), entriesOf(events.flatMap(another)))).toEqual([])
      }),
    )
  })

  it('differ in the one that is missing', () => {
    fc.assert(
      fc.property(legalStreams(), fc.nat(), (events, at) => {
        const all = entriesOf(events)
        const left = all.toSpliced(at % all.length, 1)
        expect(compare(all, left)).toMatchObject([{ a: { line: expect.any(Number) }, changes: [] }])
        const [more, ...others] = compare(left, all)
        expect([more?.a, more?.changes, others]).toEqual([undefined, [], []])
      }),
    )
  })

  it('differ in the field that changed', () => {
    fc.assert(
      fc.property(legalStreams(), fc.nat(), (events, at) => {
        const all = entriesOf(events)
        const changed = structuredClone(all)
        const { event } = changed[at % all.length] as Entry
        Object.assign(event, { more: 'x' })
        expect(compare(all, changed)).toMatchObject([{ changes: [{ path: 'more', a: undefined, b: 'x' }] }])
      }),
    )
  })
})

it('values have no changes if and only if they are equal', () => {
  const pair = fc.oneof(
    fc.tuple(jsonValue(), jsonValue()),
    jsonValue().map((value) => [value, structuredClone(value)] as const),
  )
  fc.assert(
    fc.property(pair, ([a, b]) => {
      expect(fieldChanges(a, b).length === 0).toBe(isEqualJson(a, b))
    }),
  )
})

describe('align', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })

  /** The length of a longest common subsequence, by its definition. */
  function longest([a, ...as]: readonly string[], [b, ...bs]: readonly string[]): number {
    if (a === undefined || b === undefined) return 0
    if (a === b) return 1 + longest(as, bs)
    return Math.max(longest(as, [b, ...bs]), longest([a, ...as], bs))
  }

  it('finds a longest common subsequence', () => {
    fc.assert(
      fc.property(list, list, (a, b) => {
        const pairs = align(a, b)
        expect(pairs.map(([i]) => a[i])).toEqual(pairs.map(([, j]) => b[j]))
        const places = pairs.flatMap(([i, j], at) => [[i, j, pairs[at - 1] ?? [-1, -1]] as const])
        for (const [i, j, [beforeI, beforeJ]] of places)
          expect([i > beforeI, j > beforeJ]).toEqual([true, true])
        expect(pairs.length).toBe(longest(a, b))
      }),
    )
  })

  it('goes on after very many differences', () => {
    const own = (name: string): string[] => Array.from({ length: 1500 }, (_, i) => `${name} ${i}`)
    const [first, last] = [own('first'), own('last')]
    const a = [...own('a'), ...first, ...own('b'), ...last, 'a']
    const b = [...own('c'), ...first, ...own('d'), ...last, 'b']
    const pairs = align(a, b)
    expect(pairs.every(([i, j]) => a[i] === b[j])).toBe(true)
    expect(pairs.length).toBe(3000)
  })
})

describe('turnstream diff', () => {
  const core = recordingPath('core.sse')

  it.each(Object.keys(recordings))('of %s and itself ends with 0', async (name) => {
    const { code, out, err } = await run('diff', recordingPath(name), recordingPath(name))
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^\d+ equal events, 0 changed, 0 only in the first, 0 only in the second\n$/)
  })

  it('lists what differs with its lines, and ends with 1', async () => {
    const text = new TextDecoder()
      .decode(readRecording('core.sse'))
      .replaceAll('tides', 'task-7')
      .replace('"High water is ', '"Low water is ')
      .replace(/^.*subtask-created.*\n.*\n.*\n/m, '')
    const other = file('other.sse', text)
    const { code, out } = await run('diff', core, other)
    expect(code).toBe(1)
    expect(out).toBe(`- ${core} + ${other}
    23        - subtask-created chart-reader: Find the shallows.
    41     38 ~ content-delta
                - delta: "High water is at 14:20."
                + delta: "Low water is at 14:20."
14 equal events, 1 changed, 1 only in the first, 0 only in the second
`)
  })

  it('ends with 2 if a line of either cannot be read', async () => {
    const lines = new TextDecoder().decode(readRecording('core.sse'))
    const other = file('unreadable.sse', `${lines}\ndata: {"kind":\n\n`)
    for (const files of [
      [core, other],
      [other, core],
    ]) {
      const { code, out, err } = await run('diff', ...files)
      expect(code).toBe(2)
      expect(out).toContain('0 changed')
      expect(err).toContain('invalid-json')
    }
  })

  it('shows texts from where they differ', async () => {
    const at = { timestamp: '2026-01-01T00:00:00Z', contextId: 'c', taskId: 't' }
    const said = (content: string): string =>
      file(`${content.length}.jsonl`, `${JSON.stringify({ kind: 'content-complete', content, ...at })}\n`)
    const long = 'High water. '.repeat(500)
    const { out } = await run('diff', said(`${long}at noon`), said(`${long}at 14:20`))
    expect(out).toContain('- content: …ter. High water. at noon\n')
    expect(out).toContain('+ content: …ter. High water. at 14:20\n')
  })

  it.each([
    [[], 'Expected two files, got none.'],
    [[core], 'Expected two files, got test/fixtures/recordings/core.sse.'],
    [[core, core, core], 'Expected two files, got'],
    [['-', '-'], 'Expected standard input once, as it can be read once, got it twice.'],
    [[core, 'missing.sse'], 'Cannot read missing.sse: no such file.'],
  ])('of %j ends with 2', async (files, message) => {
    const { code, out, err } = await run('diff', ...files)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
  })
})
