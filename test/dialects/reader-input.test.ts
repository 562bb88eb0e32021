// Proves that every reader takes the values of its protocol, and the messages of `jsonDecoder` that have them as their data.

import fc from 'fast-check'
import { fromA2a } from 'turnstream/a2a'
import { fromAgUi } from 'turnstream/ag-ui'
import { fromAgentEvents } from 'turnstream/agent-event'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { fromFrames } from 'turnstream/frames'
import { fromLooopy } from 'turnstream/looopy'
import { encodeJson, jsonDecoder, sseDecoder } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent, Machine } from '../../src/index.ts'
import { pipe, run } from '../../src/index.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { runs } from '../support/runs.ts'
import { formats, writtenBy } from './formats.ts'

type Reader = Machine<object, unknown, ContextAnyEvent>

const outOf = (reader: unknown, inputs: readonly unknown[]): readonly ContextAnyEvent[] => {
  const { push, end } = run(reader as Reader)
  return [...inputs.flatMap((input) => push(input)), ...end()]
}

describe.each(formats.filter((format) => format.isConnection !== true))('the reader of $name', (format) => {
  it('reads a body through jsonDecoder as it reads the values', () =>
    fc.assert(
      fc.property(legalStreams({ revisions: true }), (events) => {
        const values = writtenBy(format, events)
        const body = values.map((value) => encodeJson(value)).join('')
        const read = outOf(pipe(jsonDecoder(), format.reader() as never), [body])
        expect(statedOf(read)).toEqual(statedOf(outOf(format.reader(), values)))
      }),
      { numRuns: runs(50) },
    ))
})

/** What the format states: times and ids are created where it has none. */
const statedOf = (events: readonly ContextAnyEvent[]): readonly object[] =>
  events.map((event) => ({
    ...event,
    timestamp: '',
    taskId: '',
    thoughtId: '',
    contextId: '',
    toolCallId: '',
  }))

it('accepts no messages whose data is not parsed', () => {
  // @ts-expect-error -- They have no field of an item of A2A.
  pipe(sseDecoder(), fromA2a())
  // @ts-expect-error -- They have no type.
  pipe(sseDecoder(), fromAgUi())
  // @ts-expect-error -- They have no type.
  pipe(sseDecoder(), fromUiMessageStream())
  // @ts-expect-error -- They have no type.
  pipe(sseDecoder(), fromAgentEvents())
  // @ts-expect-error -- They have no type.
  pipe(sseDecoder(), fromFrames())
  expect(outOf(pipe(sseDecoder(), fromLooopy()), [encodeJson(created)])).toHaveLength(1)
  expect(outOf(pipe(jsonDecoder(), fromLooopy()), [encodeJson(created)])).toHaveLength(1)
})

const created = {
  kind: 'task-created',
  contextId: 'c',
  taskId: 't',
  initiator: 'user',
  timestamp: '2026-01-31T10:30:00Z',
}

it('gives each run without an id one of its own', () => {
  const taskOf = (reader: unknown, input: object) => outOf(reader, [input])[0]?.taskId
  const idsOf = (read: () => unknown): ReadonlySet<unknown> => new Set([read(), read()])
  expect(idsOf(() => taskOf(fromUiMessageStream(), { type: 'start' })).size).toBe(2)
  expect(idsOf(() => taskOf(fromAgentEvents(), { type: 'start', agentId: 'a' })).size).toBe(2)
  expect(taskOf(fromUiMessageStream({ newId: () => 'mine' }), { type: 'start' })).toBe('mine')
  expect(taskOf(fromUiMessageStream(), { type: 'start', messageId: 'stated' })).toBe('stated')
})
