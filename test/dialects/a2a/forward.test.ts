// Proves the mapping of events to A2A case by case, in both versions.

import { expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/core/machine.ts'
import type { ToA2aEnd, ToA2aOptions } from '../../../src/dialects/a2a/to/to-a2a.ts'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { casesOf } from '../../support/conformance.ts'
import { errorsOf, runToA2a, versions } from './support.ts'

interface Input {
  readonly version: A2aVersion
  readonly events: readonly ContextAnyEvent[]
  readonly options?: Omit<ToA2aOptions<A2aVersion>, 'version'>
  /** The reason the machine is ended with. Omitted: it is not ended. */
  readonly end?: ToA2aEnd
}

interface Expected {
  readonly items: readonly unknown[]
  /** Codes, in order; with the reason of what is dropped. */
  readonly diagnostics: readonly string[]
}

function textOf({ code, detail }: Diagnostic): string {
  return code.startsWith('dropped:') ? `${code} ${(detail as { reason: string }).reason}` : code
}

it.each(casesOf<Input, Expected>('formats/a2a-to'))(
  '$name',
  ({ input: { version, events, options, end }, expected }) => {
    const mapped = runToA2a(events, { version, ...options }, end ?? 'open')
    expect(mapped.out).toStrictEqual(expected.items)
    expect(errorsOf(version, mapped.out)).toEqual([])
    expect(mapped.diagnostics.map(textOf)).toEqual(expected.diagnostics)
    for (const { message } of mapped.diagnostics) expect(message).toMatch(/.+\.$/)
  },
)

const context = { contextId: 'ctx-7', taskId: 'task-7', timestamp: '2026-03-04T05:06:07.080Z' }
const date = new Date('2026-03-04T00:00:00Z')

it.each(versions)('converts values that are not JSON, or leaves them out: %s', (version) => {
  const write = {
    ...context,
    kind: 'data-write',
    artifactId: 'rec',
    data: {
      gone: undefined,
      none: null,
      nan: Number.NaN,
      big: 9007199254740993n,
      when: date,
      half: '\ud83d',
    },
  } as unknown as ContextAnyEvent
  const { out, diagnostics } = runToA2a([write], { version }, 'open')
  expect(JSON.stringify(out.at(-1))).toContain(
    '{"none":null,"nan":null,"big":"9007199254740993","when":"2026-03-04T00:00:00.000Z","half":"\ufffd"}',
  )
  // The half of a pair, and the other values.
  expect(diagnostics.map(textOf)).toEqual(['lossy:data', 'lossy:data'])
})

it.each(versions)('converts metadata to JSON: %s', (version) => {
  const created = {
    ...context,
    kind: 'task-created',
    initiator: 'agent',
    metadata: { gone: undefined, when: date },
  } as unknown as ContextAnyEvent
  const { out, diagnostics } = runToA2a([created], { version }, 'open')
  expect(JSON.stringify(out)).toContain('"metadata":{"when":"2026-03-04T00:00:00.000Z"}')
  expect(diagnostics.map(textOf)).toEqual(['lossy:metadata', 'lossy:initiator'])
})
