// Files and datasets in chunks that are repeated or missing: one rule in the formats that have them.
import { describe, expect, it } from 'vitest'
import { toA2a } from '../../../src/dialects/a2a/index.ts'
import { toUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'

const at = (seconds: number) => `2026-01-31T10:00:${String(seconds).padStart(2, '0')}.000Z`
const event = (fields: object) =>
  ({ contextId: 'c', taskId: 't', timestamp: at(0), ...fields }) as unknown as ContextAnyEvent
const created = event({ kind: 'task-created', initiator: 'user' })

const kinds = {
  'file-write': (index: number) => ({ kind: 'file-write', artifactId: 'a', data: `${index};` }),
  'dataset-write': (index: number) => ({ kind: 'dataset-write', artifactId: 'a', rows: [{ n: index }] }),
}
const machines = {
  A2A: () => toA2a({ version: '1.0' }),
  'AI SDK': () => toUiMessageStream(),
}

/** The chunks that are given by their index, the last one with the end; one that is `late` has a later time. */
type Chunk = { readonly index: number; readonly complete?: true; readonly late?: true }
const [first, second, third] = [{ index: 0 }, { index: 1 }, { index: 2, complete: true }] as const

describe.each(Object.entries(machines))('%s', (_, machine) => {
  describe.each(Object.entries(kinds))('%s', (kind, chunkOf) => {
    const REPEATED = { code: `dropped:${kind}`, detail: { reason: 'repeated' } }
    const LATER = { code: `dropped:${kind}`, detail: { reason: 'out-of-order' } }
    const gap = (expected: number, actual: number) => ({ code: 'gap', detail: { expected, actual } })

    it.each<[name: string, chunks: readonly Chunk[], reports: readonly object[]]>([
      ['as they are', [first, second, third], []],
      ['with one repeated', [first, second, second, third], [REPEATED]],
      ['with the first repeated', [first, first, second, third], [REPEATED]],
      ['with the last repeated', [first, second, third, third], [REPEATED]],
      ['all of them repeated', [first, second, third, first, second, third], [REPEATED, REPEATED, REPEATED]],
      ['another version', [first, second, third, { ...first, late: true }, second, third], []],
      ['with one missing', [first, third], [gap(1, 2), LATER]],
      ['of which the first is missing', [second, third], [gap(0, 1), LATER, LATER]],
      [
        'that begin again after one is missing',
        [first, third, { ...first, late: true }, second, third],
        [gap(1, 2), LATER],
      ],
      ['with one more after the end', [first, second, third, { index: 7 }], [LATER]],
    ])('%s', (__, chunks, reports) => {
      const events = chunks.map(({ index, complete = false, late = false }) =>
        event({ ...chunkOf(index), index, complete, timestamp: at(late ? 1 : 0) }),
      )
      const found = resultsOf(machine() as never, [created, ...events])
        .flatMap(({ diagnostics }) => diagnostics)
        .filter(({ code, detail }) => {
          const { reason } = (detail ?? {}) as { reason?: string }
          // Of what is not complete at the end.
          return code === 'gap'
            ? detail !== undefined
            : code === `dropped:${kind}` && reason !== 'no-equivalent'
        })
      expect(found).toMatchObject(reports)
    })
  })
})

it('a chunk of another type takes nothing from an artifact', () => {
  const data = event({ kind: 'data-write', artifactId: 'a', data: { n: 0 } })
  const stray = event({ ...kinds['dataset-write'](3), index: 3, complete: false })
  const change = event({
    kind: 'artifact-delta',
    artifactId: 'a',
    baseVersion: 1,
    version: 2,
    change: { type: 'merge-patch', patch: { n: 1 } },
  })
  const codes = resultsOf(toUiMessageStream() as never, [created, data, stray, change]).flatMap(
    ({ diagnostics }) => diagnostics.map(({ code }) => code),
  )
  expect(codes).not.toContain('dropped:artifact-delta')
})
