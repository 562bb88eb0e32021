// Proves what our events become in A2A, case by case and the same in both versions.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ToA2aEnd, validateA2aStream } from '../../../src/dialects/a2a/index.ts'
import { describeItem } from './notation.ts'
import { say, versions } from './support.ts'

interface Case {
  readonly case: string
  readonly title: string
  readonly options?: { readonly extension?: boolean; readonly closeText?: 'snapshot' }
  readonly events: readonly (readonly [kind: string, fields: Readonly<Record<string, unknown>>])[]
  /** How the machine is ended. Absent: it is not. */
  readonly end?: ToA2aEnd
  readonly says: readonly string[]
  /** Codes of the diagnostics, in order. Absent: not looked at. */
  readonly diagnostics?: readonly string[]
}

const file = new URL('../../fixtures/a2a/forward.json', import.meta.url)
const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]

const context = { contextId: 'ctx-7', taskId: 'task-7', timestamp: '2026-03-04T05:06:07.080Z' }

/** Values JSON cannot say, by the names the fixture gives them. */
const unsayable: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  nan: Number.NaN,
  bigint: 9007199254740993n,
  date: new Date('2026-03-04T00:00:00Z'),
}

function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(revive)
  if ('$' in value) return unsayable[String(value.$)]
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revive(inner)]))
}

describe.each(versions)('in A2A %s', (version) => {
  it.each(cases)('$case: $title', ({ events, options, end, says, diagnostics }) => {
    const stream = events.map(([kind, fields]) => ({ ...context, ...(revive(fields) as object), kind }))
    const said = say(stream, { version, ...options }, end ?? 'open')
    const expected = version === '0.3' ? says : says.map((line) => line.replace(/^(S [\w-]+)!/, '$1'))
    expect(said.out.map((item) => describeItem(version, item))).toEqual(expected)
    expect(validateA2aStream(version, said.out)).toEqual([])
    if (diagnostics !== undefined) expect(said.diagnostics.map(({ code }) => code)).toEqual(diagnostics)
  })
})
