// Proves that all readers agree on which events end a task, also if it ends with a `task-complete` alone.

import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type Diagnostic, isTaskEnd, readEvents, run } from 'turnstream'
import { toA2a } from 'turnstream/a2a'
import { toAcp } from 'turnstream/acp'
import { toAgUi } from 'turnstream/ag-ui'
import { toAgentEvents } from 'turnstream/agent-event'
import { toUiMessageStream } from 'turnstream/ai-sdk'
import { toFrames } from 'turnstream/frames'
import { toChatCompletions } from 'turnstream/openai'
import { toSessionEvents } from 'turnstream/session'
import { encodeEvent } from 'turnstream/sse'
import { compact, emptyView, foldEvents, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../src/commands/ledger/ledger.ts'
import { isRunning } from '../../src/commands/ledger/read.ts'
import type { Machine } from '../../src/core/machine.ts'
import { OpenTasks } from '../../src/streams/log/writer/open-tasks.ts'
import { anyone } from '../support/anyone.ts'
import { legalStreams, taskIds } from '../support/legal-streams.ts'
import { runs } from '../support/runs.ts'

const { emit } = createEmitter({ contextId: 'c', taskId: 't', now: () => '2026-05-01T08:00:00Z' })

it.each(['completed', 'failed', 'canceled'] as const)('the status %s ends a task', (status) => {
  expect(isTaskEnd(emit({ kind: 'task-status', status }))).toBe(true)
})

it.each(['submitted', 'working', 'waiting-input', 'waiting-auth', 'waiting-subtask'] as const)(
  'the status %s ends no task',
  (status) => expect(isTaskEnd(emit({ kind: 'task-status', status }))).toBe(false),
)

it('a task-complete ends a task, and no other kind does', () => {
  expect(isTaskEnd(emit({ kind: 'task-complete' }))).toBe(true)
  expect(isTaskEnd(emit({ kind: 'content-complete', content: 'x' }))).toBe(false)
  expect(isTaskEnd({ kind: 'custom', status: 'completed' })).toBe(false)
})

/** A stream in which every task that succeeds ends with a `task-complete` alone. */
const withResultsAlone = legalStreams().map((events) => {
  const hasResult = new Set(events.filter(({ kind }) => kind === 'task-complete').map(({ taskId }) => taskId))
  return events.flatMap((event): ContextAnyEvent[] => {
    if (event.kind !== 'task-status' || event.status !== 'completed') return [event]
    if (hasResult.has(event.taskId)) return []
    const { status: _, message: __, error: ___, metadata: ____, ...rest } = event
    return [{ ...rest, kind: 'task-complete' }]
  })
})

/** The same with the status after each result. */
const withStatuses = (events: readonly ContextAnyEvent[]): ContextAnyEvent[] =>
  events.flatMap((event): ContextAnyEvent[] => {
    if (event.kind !== 'task-complete') return [event]
    const { content: _, artifacts: __, metadata: ___, ...rest } = event
    return [event, { ...rest, kind: 'task-status', status: 'completed' }]
  })

async function* chunked(text: string): AsyncGenerator<string> {
  yield text
}

describe('a task that ends with a task-complete alone is completed', () => {
  const ended = (events: readonly ContextAnyEvent[]): Set<string> =>
    new Set(events.filter(isTaskEnd).map(({ taskId }) => taskId))

  it('for the view, readEvents, the verifier, the ledger, a writer in Redis and compaction', async () => {
    await fc.assert(
      fc.asyncProperty(withResultsAlone, async (events) => {
        const ends = ended(events)
        const completed = events.filter(({ kind }) => kind === 'task-complete').map(({ taskId }) => taskId)
        const { tasks } = foldEvents(emptyView, events)
        expect(
          tasks
            .filter(({ status }) => status === 'completed')
            .map(({ taskId }) => taskId)
            .sort(),
        ).toEqual([...completed].sort())

        const diagnostics: Diagnostic[] = []
        const body = events.map((event) => encodeEvent(event, { viewer: 'all' })).join('')
        for await (const _ of readEvents(chunked(body), { onDiagnostic: (each) => diagnostics.push(each) })) {
          // Read to the end.
        }
        const early = diagnostics.flatMap(({ code, detail }) => (code === 'ended-early' ? [detail] : []))
        const open = early.flatMap((detail) => (detail as { taskIds: string[] }).taskIds)
        expect(open.filter((taskId) => ends.has(taskId))).toEqual([])

        const check = run(verifier())
        for (const event of events)
          expect([...check.push(event)].filter(({ severity }) => severity === 'error')).toEqual([])
        const unended = [...check.end()].filter(({ rule }) => rule === 'task-ends')
        expect(unended.filter(({ taskId = '' }) => ends.has(taskId))).toEqual([])

        const ledger = run(commandLedger(anyone))
        for (const event of events) ledger.push({ type: 'event', event })
        for (const taskId of taskIds(events)) {
          expect(isRunning(ledger.state, { contextId: events[0]?.contextId ?? '', taskId })).toBe(
            !ends.has(taskId),
          )
        }
        const writer = new OpenTasks()
        for (const event of events) writer.add(event)
        expect(writer.toJSON().filter(([, taskId]) => ends.has(taskId))).toEqual([])

        expect(foldEvents(emptyView, compact(events)).tasks.map(({ status }) => status)).toEqual(
          tasks.map(({ status }) => status),
        )
      }),
      { numRuns: runs(100) },
    )
  })

  const newId = (): string => 'id'
  const viewer = { audience: 'operator' } as const
  it.each<[name: string, machine: () => unknown]>([
    ['ACP', () => toAcp({ viewer })],
    ['A2A 0.3', () => toA2a({ version: '0.3', viewer })],
    ['A2A 1.0', () => toA2a({ version: '1.0', viewer })],
    ['AG-UI', () => toAgUi({ viewer })],
    ['AI SDK', () => toUiMessageStream({ viewer })],
    ['agent-event', () => toAgentEvents({ viewer })],
    ['frames', () => toFrames({ version: 'v2', sessionId: 's', newId })],
    ['openai', () => toChatCompletions({ viewer, includeUsage: true })],
    ['session', () => toSessionEvents({ viewer })],
  ])('for %s, whether its status follows or not', (_, machine) => {
    const outputs = (events: readonly ContextAnyEvent[]): unknown[] => {
      const { push, end } = run(machine() as Machine<unknown, ContextAnyEvent, unknown, undefined>)
      const out = [...events.flatMap((event) => [...push(event)]), ...end(undefined)]
      // Session events carry both ends for who reads them back.
      return JSON.parse(JSON.stringify(out, (key, value) => (key === 'ending' ? undefined : value)))
    }
    fc.assert(
      fc.property(withResultsAlone, (events) => {
        expect(outputs(withStatuses(events))).toEqual(outputs(events))
      }),
      { numRuns: runs(100) },
    )
  })
})
