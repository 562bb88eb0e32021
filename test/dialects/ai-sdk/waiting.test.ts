// A message whose task waits for the user is finished, so that the page can answer: also if it waits for a subtask that asks.

import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import fc from 'fast-check'
import { decodeEvent, run } from 'turnstream'
import { expect, it, vi } from 'vitest'
import { toUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import { type ContextAnyEvent, isTerminalStatus } from '../../../src/index.ts'
import { emptyView, foldEvents, type TaskView } from '../../../src/streams/index.ts'
import { runs } from '../../support/runs.ts'
import { Chat, State } from './chat.ts'
import { eventStreams } from './event-streams.ts'

const place = { contextId: 'c', timestamp: '2026-01-31T10:30:00Z' }
const [root, sub] = [
  { ...place, taskId: 't' },
  { ...place, taskId: 's', parentTaskId: 't' },
]
const named = { toolCallId: 'call', toolName: 'book' }
const toolCall = { id: 'call', function: { name: 'book', arguments: '{}' } }
const before = [
  { ...root, kind: 'task-created', initiator: 'user' },
  { ...root, kind: 'subtask-created', subtaskId: 's', prompt: 'Book it.' },
  { ...sub, kind: 'task-created', initiator: 'agent' },
  { ...sub, kind: 'task-status', status: 'working' },
  { ...root, kind: 'task-status', status: 'waiting-subtask' },
  {
    ...sub,
    kind: 'input-required',
    inputId: 'q',
    inputType: 'tool-execution',
    requireUser: true,
    prompt: 'Book?',
    metadata: { toolCall },
  },
  { ...sub, kind: 'task-status', status: 'waiting-input' },
] as ContextAnyEvent[]
const after = [
  { ...sub, kind: 'input-received', inputId: 'q', providedBy: 'user', userId: 'u' },
  { ...sub, kind: 'task-status', status: 'working' },
  { ...sub, kind: 'tool-start', ...named, arguments: {} },
  { ...sub, kind: 'tool-complete', ...named, success: true, result: 1 },
  { ...sub, kind: 'task-status', status: 'completed' },
  { ...root, kind: 'task-status', status: 'working' },
  { ...root, kind: 'task-status', status: 'completed' },
  { ...root, kind: 'task-complete' },
] as ContextAnyEvent[]

it('lets a page approve a call of a subtask', async () => {
  const { push } = run(toUiMessageStream())
  const bodies = [before, after]
  const transport = {
    // A response ends with the finish of the message. Without one, it waits for further events.
    sendMessages: async () =>
      new ReadableStream({
        start(controller) {
          const chunks = (bodies.shift() ?? []).flatMap((event) => push(event))
          for (const chunk of chunks) controller.enqueue(chunk as never)
          if (chunks.at(-1)?.type === 'finish') controller.close()
        },
      }),
    reconnectToStream: async () => null,
  }
  const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses
  const chat = new Chat({ state: new State(), transport, sendAutomaticallyWhen })
  const call = () => chat.messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool')
  void chat.sendMessage({ text: 'Go' })
  await vi.waitFor(() =>
    expect([chat.status, call()]).toMatchObject(['ready', { state: 'approval-requested' }]),
  )
  await chat.addToolApprovalResponse({ id: 'q', approved: true })
  await vi.waitFor(() =>
    expect([chat.status, call()]).toMatchObject(['ready', { state: 'output-available' }]),
  )
})

/** Whether nothing goes on in a message before an answer: its task waits for the user, or for tasks that do. */
function waits(tasks: readonly TaskView[]): boolean {
  const open = tasks.filter(({ status }) => status !== null && !isTerminalStatus(status))
  const asks = ({ status, parts }: TaskView): boolean =>
    (status === 'waiting-input' &&
      parts.some(
        (part) =>
          part.type === 'input' && part.status === 'open' && part.request?.metadata?.toolCall === undefined,
      )) ||
    (status === 'waiting-auth' && parts.some((part) => part.type === 'auth' && part.status === 'open'))
  const [main] = tasks
  if (main === undefined) return false
  if (asks(main)) return true
  return (
    main.status === 'waiting-subtask' &&
    open.every(({ status }) => status?.startsWith('waiting-')) &&
    open.some(asks)
  )
}

/** Streams of a task that waits for its subtasks, each of which has come some way: it works, asks, or has an answer. */
const withSubtasks: fc.Arbitrary<ContextAnyEvent[]> = fc
  .array(fc.record({ isAuth: fc.boolean(), length: fc.nat(7), at: fc.array(fc.nat(99), { maxLength: 7 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((subtasks) => {
    const start = subtasks.map((_, i) => ({ kind: 'subtask-created', subtaskId: `s${i}`, prompt: 'Ask.' }))
    const waiting = [
      { kind: 'task-created', initiator: 'user' },
      ...start,
      { kind: 'task-status', status: 'working' },
      { kind: 'task-status', status: 'waiting-subtask' },
    ].map((event) => ({ ...root, ...event }))
    const rest: object[] = []
    for (const [i, { isAuth, length, at }] of subtasks.entries()) {
      const own = [...(isAuth ? authSteps : inputSteps)(`q${i}`).slice(0, length + 1)]
      const places = own.map((_, j) => (at[j] ?? 0) % (rest.length + 1)).sort((a, b) => b - a)
      for (const place of places)
        rest.splice(place, 0, { ...root, parentTaskId: 't', taskId: `s${i}`, ...own.pop() })
    }
    return [...waiting, ...rest] as ContextAnyEvent[]
  })

/** What a subtask emits that asks the user a question. */
const inputSteps = (inputId: string): object[] => [
  { kind: 'task-created', initiator: 'agent' },
  { kind: 'task-status', status: 'working' },
  { kind: 'input-required', inputId, inputType: 'clarification', requireUser: true, prompt: 'Where?' },
  { kind: 'task-status', status: 'waiting-input' },
  { kind: 'input-received', inputId, providedBy: 'user', userId: 'u', value: 'Brest' },
  { kind: 'task-status', status: 'working' },
  { kind: 'task-status', status: 'completed' },
]

/** What a subtask emits that asks the user to sign in. */
const authSteps = (authId: string): object[] => [
  { kind: 'task-created', initiator: 'agent' },
  { kind: 'task-status', status: 'working' },
  { kind: 'auth-required', authId, authType: 'api-key', prompt: 'Sign in.' },
  { kind: 'task-status', status: 'waiting-auth' },
  { kind: 'auth-completed', authId, userId: 'u' },
  { kind: 'task-status', status: 'working' },
  { kind: 'task-status', status: 'completed' },
]

it('finishes a message whenever its task waits for the user', () => {
  const machine = toUiMessageStream({ viewer: { audience: 'operator' } })
  let count = 0
  fc.assert(
    fc.property(fc.oneof(eventStreams({ ended: false }), withSubtasks), (events) => {
      let [view, { initial: state }] = [emptyView, machine]
      let last: string | undefined
      for (const event of events) {
        expect(decodeEvent(event).status).toBe('known')
        view = foldEvents(view, [event])
        const step = machine.step(state, event)
        state = step.state
        last = step.out.at(-1)?.type ?? last
        if (!waits(view.tasks)) continue
        count++
        const asks = event.kind === 'task-status' || event.kind.endsWith('-required')
        if (asks) expect(last).toBe('finish')
        // The end of the stream is no failure of the task.
        const ended = machine.end(state).out.at(-1)?.type ?? last
        expect(ended).toBe('finish')
      }
    }),
    { numRuns: runs(1000) },
  )
  expect(count).toBeGreaterThan(0)
})
