// Events survive mapping to AG-UI and back: whole with the extension, otherwise except for the declared losses.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AgUiEvent, agUiVerifier } from '../../../src/dialects/ag-ui/index.ts'
import type { AgUiViolation } from '../../../src/dialects/ag-ui/verify/context.ts'
import { type ContextAnyEvent, run } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { orderErrorsOf, schemaErrorsOf } from './peers.ts'
import { conversations } from './streams.ts'
import { closing, isWritten, outputsOf, reader, writer } from './support.ts'

/** Whether the client is asked to run a call that has no end: of AG-UI it is a call, and waits for the client. */
function leavesCallToClient(events: readonly ContextAnyEvent[], ended: ReadonlySet<string>): boolean {
  return events.some(
    (event) =>
      event.kind === 'input-required' &&
      event.metadata?.provider === 'client' &&
      !ended.has(event.metadata.toolCall?.id ?? ''),
  )
}

it.each([
  ['one task', legalStreams()],
  ['several tasks', conversations],
])('restores every event of %s with the extension', (_, streams) => {
  fc.assert(
    fc.property(streams, (events) => {
      const written = outputsOf(writer({ extension: true }), events)
      expect(outputsOf(reader({ extension: true }), written)).toEqual(events)
      expect(schemaErrorsOf(written)).toEqual([])
      expect(orderErrorsOf(written)).toEqual([])
    }),
    { numRuns: runs(200) },
  )
})

it.each([
  ['one task', legalStreams()],
  ['several tasks', conversations],
])('reads what it writes of %s as a legal stream', (_, streams) => {
  fc.assert(
    fc.property(streams, (events) => {
      const written = outputsOf(writer(), events)
      expect(errorsOf(outputsOf(closing(), written))).toEqual([])
      expect(schemaErrorsOf(written)).toEqual([])
      expect(orderErrorsOf(written)).toEqual([])
      expect(violationsOf(written)).toEqual([])
    }),
    { numRuns: runs(200) },
  )
})

/** The errors of a strict verifier. */
function violationsOf(events: readonly AgUiEvent[]): AgUiViolation[] {
  const { push, end } = run(agUiVerifier({ mode: 'strict' }))
  return [...events.flatMap((event) => [...push(event)]), ...end()].filter(
    ({ severity }) => severity === 'error',
  )
}

/** What a stream says without the extension: texts, thoughts, calls, records and ends of tasks, by task. */
function contentOf(events: readonly ContextAnyEvent[], ended: ReadonlySet<string>): object {
  const view = foldEvents(emptyView, events)
  const joined = new Map<string, string>()
  const calls = new Map<string, object>()
  const add = (key: string, text: string) => {
    if (text !== '') joined.set(key, (joined.get(key) ?? '') + text)
  }
  for (const { taskId, parts } of view.tasks) {
    for (const part of parts) {
      if (part.type === 'text') add(`${taskId} text ${part.contentId}`, part.text)
      // One that an interrupt cuts off goes on as another thought.
      if (part.type === 'thought') add(`thought ${part.thoughtId.replace(/#\d+$/, '')}`, part.text)
      if (part.type !== 'tool' || part.argumentsComplete !== true) continue
      const { toolCallId, toolName, status, error, result } = part
      // A request that is closed before the task waits for it is reported as lost.
      if (/waiting|declined|expired|canceled/.test(status)) continue
      // The results of a call that has none, and of one with an empty text, are the same.
      const stated = status === 'failed' ? { error } : { result: result ?? '' }
      const outcome = ended.has(toolCallId) ? stated : {}
      calls.set(toolCallId, { toolName, arguments: part.arguments, ...outcome })
    }
  }
  const records = view.artifacts.flatMap(({ artifactId, committed }) =>
    committed?.content.type === 'data' ? [[artifactId, committed.content.data] as const] : [],
  )
  return {
    texts: joined,
    calls,
    records: new Map(records),
    tasks: new Map(
      view.tasks.map(({ taskId, status, parentTaskId }) => {
        // A subagent that is canceled ends as one that has finished, which is reported.
        const end = parentTaskId !== undefined && status === 'canceled' ? 'completed' : status
        return [taskId, { status: end, parentTaskId }]
      }),
    ),
  }
}

it.each([
  ['one task', legalStreams({ internal: false })],
  ['texts that overlap', legalStreams({ internal: false, focus: 'texts' })],
])(
  'keeps texts, thoughts, calls, records and the ends of tasks of %s without the extension',
  (_, streams) => {
    fc.assert(
      fc.property(streams, (events) => {
        // Other changes of artifacts are reported.
        fc.pre(events.every((event) => event.kind !== 'artifact-delta' || isWritten(event)))
        const back = outputsOf(closing(), outputsOf(writer(), events))
        // A call that is open at the end of its task fails on the way back.
        const ended = new Set(
          events.flatMap((event) => (event.kind === 'tool-complete' ? event.toolCallId : [])),
        )
        fc.pre(!leavesCallToClient(events, ended))
        expect(contentOf(back, ended)).toEqual(contentOf(events, ended))
      }),
      { numRuns: runs(200) },
    )
  },
)
