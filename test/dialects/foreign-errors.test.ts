// Proves that the text of an error that another system states reaches operators, and no user unless an option shows it.
import fc from 'fast-check'
import { type ContextAnyEvent, type ErrorInfo, type Machine, run } from 'turnstream'
import { fromA2a } from 'turnstream/a2a'
import { fromAgUi } from 'turnstream/ag-ui'
import { fromAgentEvents } from 'turnstream/agent-event'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { fromLooopy } from 'turnstream/looopy'
import { fromSessionEvents } from 'turnstream/session'
import { project } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { type Format, formats, writtenBy } from './formats.ts'

const secret = 'no api key at /srv/app.js'
const start = { type: 'RUN_STARTED', threadId: 'c', runId: 't' }
const status = (state: string, text?: string): object => {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] }
  return { statusUpdate: { taskId: 't', contextId: 'c', status: { state, ...(text && { message }) } } }
}
const refused = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: secret, data: { at: secret } } }
const of = { contextId: 'c', taskId: 't' }
const failing = {
  data: { title: 'Look', status: 'failed', error: { code: 'x', message: secret, retry: 'terminal' } },
}
const subtask = { type: 'data-subtask', id: 's', data: { ...failing.data, taskId: 's', parentTaskId: 't' } }

type Reader = (options: { readonly showErrors?: boolean }) => unknown

const agentEvents: Reader = (options) => fromAgentEvents({ ...of, ...options })

const streams: readonly (readonly [name: string, reader: Reader, inputs: readonly object[]])[] = [
  ['AG-UI', fromAgUi, [start, { type: 'RUN_ERROR', message: secret, code: 'X' }]],
  ['AG-UI, as its code', fromAgUi, [start, { type: 'RUN_ERROR', message: 'It broke', code: secret }]],
  ['AI SDK', fromUiMessageStream, [{ type: 'start' }, { type: 'error', errorText: secret }]],
  [
    'AI SDK, which continues',
    fromUiMessageStream,
    [{ type: 'start' }, { type: 'error', errorText: secret }, { type: 'text-delta', id: 'a', delta: 'Hi' }],
  ],
  ['AI SDK, which aborts', fromUiMessageStream, [{ type: 'error', errorText: secret }, { type: 'abort' }]],
  ['AI SDK, as data', fromUiMessageStream, [{ type: 'data-error', data: failing.data.error }]],
  ['AI SDK, of a subtask', fromUiMessageStream, [{ type: 'start' }, subtask]],
  [
    'AI SDK, in the metadata of the message',
    fromUiMessageStream,
    [
      { type: 'error', errorText: 'It broke', messageMetadata: {} },
      { type: 'finish', messageMetadata: { error: failing.data.error } },
    ],
  ],
  ['A2A', fromA2a, [refused]],
  ['A2A, with a task', fromA2a, [status('TASK_STATE_WORKING'), refused]],
  ['A2A, as the message of a failure', fromA2a, [status('TASK_STATE_FAILED', secret)]],
  ['A2A, as the message of a refusal', fromA2a, [status('TASK_STATE_REJECTED', secret)]],
  ['AgentEvent', agentEvents, [{ type: 'error', error: secret }]],
  [
    'session',
    fromSessionEvents,
    [
      { event: 'user.message', content: 'Hi' },
      { event: 'agent.error', content: secret },
    ],
  ],
  [
    'session, which summarizes it',
    fromSessionEvents,
    [
      { event: 'user.message', content: 'Hi' },
      { event: 'pipeline.completed', metadata: { status: 'failed', result_summary: secret } },
    ],
  ],
  ['Looopy', fromLooopy, [{ ...of, kind: 'task-status', status: 'failed', error: secret }]],
  [
    'Looopy, as a message',
    fromLooopy,
    [{ ...of, kind: 'task-status', status: { state: 'failed', message: secret } }],
  ],
]

const read = (reader: unknown, inputs: readonly object[]): readonly ContextAnyEvent[] => {
  const { push, end } = run(reader as Machine<unknown, object, ContextAnyEvent>)
  return [...inputs.flatMap((input) => push(input)), ...end()]
}
const seenIn = (events: readonly ContextAnyEvent[]): string =>
  JSON.stringify(events.map((event) => project(event, { audience: 'user' })))

describe.each(streams)('an error of %s', (_, reader, inputs) => {
  it('is for operators', () => {
    const events = read(reader({}), inputs)
    expect(JSON.stringify(events)).toContain(secret)
    expect(seenIn(events)).not.toContain('api key')
    expect(seenIn(events)).toMatch(/The agent (failed|reported an error)\./)
  })

  it('is shown with `showErrors`', () => {
    expect(seenIn(read(reader({ showErrors: true }), inputs))).toContain(secret)
  })
})

/** Errors that quote the secret wherever an error has text. */
const errors: fc.Arbitrary<ErrorInfo> = fc
  .tuple(
    fc.constantFrom('x-broken', 'timeout', secret),
    fc.boolean(),
    fc.constantFrom({}, { message: secret }, [secret]),
  )
  .map(([code, isMessage, details]) => {
    const message = isMessage ? `Failed: ${secret}.` : 'It broke.'
    return { code, message, retry: 'terminal', details }
  })

/** A task that reports errors and fails. */
const failures: fc.Arbitrary<readonly ContextAnyEvent[]> = fc
  .tuple(fc.array(errors, { maxLength: 2 }), fc.option(errors), fc.option(fc.constant(secret)))
  .map(([reported, error, message]) => {
    const base = { ...of, timestamp: '2026-01-01T00:00:00Z' }
    return [
      { ...base, kind: 'task-created', initiator: 'user' },
      { ...base, kind: 'task-status', status: 'working' },
      ...reported.map((each) => ({ ...base, kind: 'task-error', error: each }) as const),
      {
        ...base,
        kind: 'task-status',
        status: 'failed',
        ...(error && { error }),
        ...(message && { message }),
      },
    ]
  })

// Frames are those of one's own host, and responses of models and ACP have sentences of their own.
const foreign = formats.filter(({ format }) => format !== 'frames')

it.each(foreign)('of what $name writes of errors, users see nothing', (format: Format) => {
  fc.assert(
    fc.property(failures, (events) => {
      expect(seenIn(read(format.reader({}), writtenBy(format, events)))).not.toContain('api key')
    }),
    { numRuns: runs(50) },
  )
})
