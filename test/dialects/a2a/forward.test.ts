// Proves the mapping of events to A2A case by case, the same in both versions.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/core/machine.ts'
import type { A2aVersion, ToA2aEnd, ToA2aOptions } from '../../../src/dialects/a2a/index.ts'
import { formatItem } from './notation.ts'
import { errorsOf, runToA2a, versions } from './support.ts'

interface Case {
  readonly case: string
  readonly title: string
  readonly options?: Omit<ToA2aOptions<A2aVersion>, 'version'>
  readonly events: readonly (readonly [kind: string, fields: Readonly<Record<string, unknown>>])[]
  /** The reason the machine is ended with. Omitted: it is not ended. */
  readonly end?: ToA2aEnd
  readonly items: readonly string[]
  /** Codes of the diagnostics, in order; with the reason of what is dropped. */
  readonly diagnostics: readonly string[]
}

const file = new URL('../../fixtures/a2a/forward.json', import.meta.url)
const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]

const context = { contextId: 'ctx-7', taskId: 'task-7', timestamp: '2026-03-04T05:06:07.080Z' }

/** Values that are not JSON, by their names in the fixture. */
const specialValues: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  nan: Number.NaN,
  bigint: 9007199254740993n,
  date: new Date('2026-03-04T00:00:00Z'),
}

function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(revive)
  if ('$' in value) return specialValues[String(value.$)]
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revive(inner)]))
}

function textOf({ code, detail }: Diagnostic): string {
  return code.startsWith('dropped:') ? `${code} ${(detail as { reason: string }).reason}` : code
}

describe.each(versions)('in A2A %s', (version) => {
  it.each(cases)('$case: $title', ({ events, options, end, items, diagnostics }) => {
    const stream = events.map(([kind, fields]) => ({ ...context, ...(revive(fields) as object), kind }))
    const mapped = runToA2a(stream, { version, ...options }, end ?? 'open')
    const expected = version === '0.3' ? items : items.map((line) => line.replace(/^(S [\w-]+)!/, '$1'))
    expect(mapped.out.map((item) => formatItem(version, item))).toEqual(expected)
    expect(errorsOf(version, mapped.out)).toEqual([])
    expect(mapped.diagnostics.map(textOf)).toEqual(diagnostics)
    for (const { message } of mapped.diagnostics) expect(message).toMatch(/.+\.$/)
  })
})
