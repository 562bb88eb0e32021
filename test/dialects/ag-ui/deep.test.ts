// Proves that neither direction throws on values that are nested deeper than any recursion can follow.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agUiMessages, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { deepValue, expectDeepTaken, ofView } from '../../support/deep-leaves.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { resultsOf, withUnknownFields } from '../../support/mapper-laws.ts'
import { shapedEvents } from './shaped-events.ts'
import { agUiStreams } from './streams.ts'
import { reader, writer } from './support.ts'

describe('a value nested 100 000 levels deep', () => {
  test.each([false, true])('of an event, with extension %s', (extension) =>
    expectDeepTaken(() => writer({ extension }) as never, withUnknownFields(legalStreams())),
  )

  test('of an AG-UI event', () =>
    expectDeepTaken(() => reader() as never, fc.oneof(agUiStreams, shapedEvents)))

  test('of the events of a view', () =>
    expectDeepTaken(
      () => ofView((view) => agUiMessages(view, { viewer: { audience: 'operator' } })) as never,
      withUnknownFields(legalStreams()),
    ))

  test('of arguments and results is reported', () => {
    const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
    const call = { toolCallId: 'k', toolName: 'f' }
    const deep = deepValue('object') as Record<string, unknown>
    const events: ContextAnyEvent[] = [
      { kind: 'task-created', ...context, initiator: 'user' },
      { kind: 'tool-start', ...context, ...call, arguments: deep },
      { kind: 'tool-complete', ...context, ...call, success: true, result: deep },
    ]
    const [, started, completed] = resultsOf(toAgUi() as never, events)
    expect(started?.diagnostics.map(({ code }) => code)).toEqual(['lossy:arguments'])
    expect(completed?.diagnostics.map(({ code }) => code)).toEqual(['lossy:result'])
  })
})
