// Records that change by patches are shown as the patches leave them, whenever they are sent.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toUiMessageStream, type UiMessageChunk } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { expectSentences, resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { json } from '../../support/zod-arbitrary.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
const key = fc.constantFrom('a', 'b', 'list', '__proto__')
const pointer = fc.oneof(
  key.map((name) => `/${name}`),
  fc.constant('/list/-'),
)

const change = fc.oneof(
  fc.record({ type: fc.constant('merge-patch'), patch: fc.dictionary(key, json, { maxKeys: 2 }) }),
  fc.record({
    type: fc.constant('json-patch'),
    patch: fc.array(
      fc.record({ op: fc.constantFrom('add', 'replace', 'remove', 'test'), path: pointer, value: json }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
)

it('shows the record that the view has, and reports patches that fail', () => {
  fc.assert(
    fc.property(
      // Of a large record, only some states are sent.
      fc.constantFrom(0, 200_000, 300_000),
      fc.array(change, { maxLength: 12 }),
      fc.infiniteStream(fc.nat(9)),
      (size, changes, picks) => {
        let view = foldEvents(emptyView, [])
        const events: ContextAnyEvent[] = []
        const push = (event: object): void => {
          const whole = JSON.parse(JSON.stringify({ ...place, ...event })) as ContextAnyEvent
          events.push(whole)
          view = foldEvents(view, [whole])
        }
        push({ kind: 'task-created', initiator: 'user' })
        push({ kind: 'data-write', artifactId: 'r', data: { list: [], text: 'x'.repeat(size) }, version: 1 })
        for (const change of changes) {
          // Most writers know whether the patch before has failed.
          const current = view.artifacts[0]?.committed?.version ?? 0
          const base = picks.next().value === 0 ? current + 1 : current
          push({ kind: 'artifact-delta', artifactId: 'r', baseVersion: base, version: base + 1, change })
        }
        push({ kind: 'task-complete' })
        const results = resultsOf(toUiMessageStream() as never, events)
        expectSentences(results)
        const chunks = results.flatMap(({ out }) => out as UiMessageChunk[])
        const shown = chunks.findLast(({ type }) => type === 'data-r') as { data?: unknown }
        const content = view.artifacts[0]?.committed?.content as { data?: unknown }
        expect(JSON.stringify(shown.data)).toBe(JSON.stringify(content.data))
        const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
        const isFaulty = view.diagnostics.length > 0
        expect(codes.includes('dropped:artifact-delta')).toBe(isFaulty)
      },
    ),
    { numRuns: runs(300) },
  )
})

it('sends the output of at most 32 streams of a call', () => {
  const events = [
    { kind: 'task-created', initiator: 'user' },
    { kind: 'tool-start', toolCallId: 'k', toolName: 'n', arguments: {} },
    ...Array.from({ length: 40 }, (_, i) => ({
      kind: 'tool-progress',
      toolCallId: 'k',
      progress: 0,
      metadata: { stream: `s${i}`, chunk: 'x' },
    })),
    { kind: 'tool-complete', toolCallId: 'k', toolName: 'n', success: true },
  ].map((event) => ({ ...place, ...event })) as ContextAnyEvent[]
  const results = resultsOf(toUiMessageStream() as never, events)
  const { output } =
    results
      .flatMap(({ out }) => out as { type: string; output?: object }[])
      .findLast(({ type }) => type === 'tool-output-available') ?? {}
  expect(Object.keys(output ?? {})).toHaveLength(32)
  const lost = results.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ path }) => path === '/metadata/chunk'),
  )
  expect(lost).toHaveLength(8)
})
