// Proves that the text of an error that another system states reaches operators, and no user unless an option shows it.
import { type ContextAnyEvent, type Machine, run } from 'turnstream'
import { fromA2a } from 'turnstream/a2a'
import { fromAgUi } from 'turnstream/ag-ui'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { project } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'

const secret = 'no api key at /srv/app.js'
const start = { type: 'RUN_STARTED', threadId: 'c', runId: 't' }
const status = (state: string): object => ({
  statusUpdate: { taskId: 't', contextId: 'c', status: { state } },
})

const streams: readonly (readonly [name: string, reader: () => unknown, inputs: readonly object[]])[] = [
  ['AG-UI', fromAgUi, [start, { type: 'RUN_ERROR', message: secret, code: 'X' }]],
  ['AI SDK', fromUiMessageStream, [{ type: 'start' }, { type: 'error', errorText: secret }]],
  [
    'AI SDK, which continues',
    fromUiMessageStream,
    [{ type: 'start' }, { type: 'error', errorText: secret }, { type: 'text-delta', id: 'a', delta: 'Hi' }],
  ],
  ['AI SDK, which aborts', fromUiMessageStream, [{ type: 'error', errorText: secret }, { type: 'abort' }]],
  ['A2A', fromA2a, [{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: secret } }]],
  [
    'A2A, with a task',
    fromA2a,
    [status('TASK_STATE_WORKING'), { jsonrpc: '2.0', id: 1, error: { code: -32603, message: secret } }],
  ],
]

const read = (reader: () => unknown, inputs: readonly object[]): readonly ContextAnyEvent[] => {
  const { push, end } = run(reader() as Machine<unknown, object, ContextAnyEvent>)
  return [...inputs.flatMap((input) => push(input)), ...end()]
}

describe.each(streams)('an error of %s', (_, reader, inputs) => {
  it('is for operators', () => {
    const events = read(reader, inputs)
    expect(JSON.stringify(events)).toContain(secret)
    const seen = events.map((event) => project(event, { audience: 'user' }))
    expect(JSON.stringify(seen)).not.toContain('api key')
    expect(JSON.stringify(seen)).toMatch(/The agent (failed|refused)/)
  })
})

it.each([
  ['AG-UI', () => fromAgUi({ showErrors: true }), streams[0]?.[2] ?? []],
  ['AI SDK', () => fromUiMessageStream({ showErrors: true }), streams[1]?.[2] ?? []],
])('an error of %s is shown with `showErrors`', (_, reader, inputs) => {
  const seen = read(reader, inputs).map((event) => project(event, { audience: 'user' }))
  expect(JSON.stringify(seen)).toContain(secret)
})
