// Proves that the writer loses what it declares, and reports all of it that a page could show.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { a2aCoverage, toA2a } from '../../../src/dialects/a2a/index.ts'
import { a2aLosses, losses as table } from '../../../src/dialects/a2a/to/coverage.ts'
import type { ContextAnyEvent, EventKind } from '../../../src/events/event.ts'
import { eventKinds } from '../../../src/events/kinds.ts'
import { isTimestamp } from '../../../src/validation/predicates.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { expectCoverageLaw, isUnseen, resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { runFromA2a, versions } from './support.ts'

const viewer = { audience: 'operator' } as const

describe.each(versions)('A2A %s', (version) => {
  it('loses the declared fields, and reports each that a page could show', () => {
    expectCoverageLaw({
      machine: () => toA2a({ version, viewer }) as never,
      coverage: a2aCoverage,
      losses: a2aLosses,
    })
  })

  it('loses nothing but internal events with the extension', () => {
    const entries = eventKinds.map(
      (kind) => [kind, kind.startsWith('internal:') ? 'omitted' : 'full'] as const,
    )
    const losses = Object.fromEntries(
      eventKinds.map((kind) => [kind, kind === 'auth-completed' ? ['metadata'] : []]),
    )
    expectCoverageLaw({
      machine: () => toA2a({ version, viewer, extension: true }) as never,
      coverage: Object.fromEntries(entries) as typeof a2aCoverage,
      losses: losses as unknown as typeof a2aLosses,
    })
  })

  it('loses exactly the fields that differ on reading back', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false }), (events) => {
        const results = resultsOf(toA2a({ version, viewer }), events)
        const read = runFromA2a(results.flatMap(({ out }) => out)).out
        for (const [i, event] of events.entries()) {
          const key = keyOf(event)
          const { diagnostics = [] } = results[i] ?? {}
          const isShifted = events.some((other) => shifts(other, event))
          if (key === undefined || isShifted || diagnostics.some(({ code }) => code.startsWith('dropped:')))
            continue
          const back = read.find((other) => keyOf(other) === key)
          expect({ event, back }).toEqual({ event, back: expect.anything() })
          const differing = differences(event, back as ContextAnyEvent)
          // The data of a file in another encoding is another text.
          const lossy = diagnostics.flatMap(({ code, path = '' }) =>
            code === 'lossy:encoding' ? [path, '/data'] : code.startsWith('lossy:') ? [path] : [],
          )
          // Fields that are the same by chance, such as the time of the item before, are reported all the same.
          expect({
            event,
            back,
            lossy,
            silent: differing.filter(
              (field) =>
                !isUnseen(table, field, event) &&
                !lossy.some(
                  (path) => `${path}/`.startsWith(`${field}/`) || `${field}/`.startsWith(`${path}/`),
                ),
            ),
          }).toEqual({ event, back, lossy, silent: [] })
        }
      }),
      { numRuns: runs(150) },
    )
  })
})

/** What identifies an event of a kind that is read back as it was written; `undefined` for other kinds. */
function keyOf(event: ContextAnyEvent): string | undefined {
  const keys: Partial<Record<EventKind, readonly string[]>> = {
    'task-created': [],
    'input-required': ['inputId'],
    'auth-required': ['authId'],
    'file-write': ['artifactId', 'index'],
    'dataset-write': ['artifactId', 'index'],
  }
  const fields = keys[event.kind]
  const values = event as unknown as Readonly<Record<string, unknown>>
  return fields && [event.kind, ...fields.map((field) => values[field])].join(' ')
}

/** Whether a chunk changes how the chunks of an artifact count: one that is merged, or empty and therefore not sent. */
function shifts(chunk: ContextAnyEvent, event: ContextAnyEvent): boolean {
  if (chunk.kind !== 'file-write' && chunk.kind !== 'dataset-write') return false
  const isEmpty = (chunk.kind === 'file-write' ? chunk.data : chunk.rows).length === 0
  const { artifactId } = event as { artifactId?: string }
  return chunk.artifactId === artifactId && (isEmpty || chunk.indexEnd !== undefined)
}

/** The fields of an event that another one does not have, or has otherwise, as pointers. */
function differences(event: object, other: object): string[] {
  const values = other as Readonly<Record<string, unknown>>
  // Protocol buffers do not tell an empty text from none.
  return Object.entries(event).flatMap(([field, value]) =>
    value === undefined || value === '' || includes(values[field], value) ? [] : [`/${field}`],
  )
}

/** Whether a value has all of another: what is read may have more metadata, and times are in UTC. */
function includes(value: unknown, part: unknown): boolean {
  if (typeof part === 'string' && isTimestamp(part)) return Date.parse(part) === Date.parse(String(value))
  if (typeof part !== 'object' || part === null) return value === part
  if (typeof value !== 'object' || value === null) return false
  const members = value as Readonly<Record<string, unknown>>
  return Object.entries(part).every(
    ([key, inner]) => Object.hasOwn(members, key) && includes(members[key], inner),
  )
}
