// Values that are nested too deeply to be written as JSON text.
import { expect, test } from 'vitest'
import { fromAgUi, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { deepRecord } from '../../support/deep-values.ts'
import { resultsOf } from '../../support/mapper-laws.ts'

test('arguments and results that are nested too deeply are reported', () => {
  const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  const call = { toolCallId: 'k', toolName: 'f' }
  const deep = deepRecord
  const events: ContextAnyEvent[] = [
    { kind: 'task-created', ...context, initiator: 'user' },
    { kind: 'tool-start', ...context, ...call, arguments: deep },
    { kind: 'tool-complete', ...context, ...call, success: true, result: deep },
  ]
  const [, started, completed] = resultsOf(toAgUi() as never, events)
  expect(started?.diagnostics.map(({ code }) => code)).toEqual(['lossy:arguments'])
  expect(completed?.diagnostics.map(({ code }) => code)).toEqual(['lossy:result'])
})

test('a state and an activity that are nested too deeply are read, also again', () => {
  const started = { type: 'RUN_STARTED', threadId: 'c', runId: 't' }
  const state = { type: 'STATE_SNAPSHOT', snapshot: deepRecord }
  const activity = { type: 'ACTIVITY_SNAPSHOT', messageId: 'm', activityType: 'x', content: deepRecord }
  const inputs = [started, state, activity, state, activity]
  const read = resultsOf(fromAgUi({ now: () => 0 }) as never, inputs as never[])
  const kinds = read.flatMap(({ out }) => out.map((event) => (event as ContextAnyEvent).kind))
  expect(kinds.filter((kind) => kind === 'data-write')).toHaveLength(4)
})
