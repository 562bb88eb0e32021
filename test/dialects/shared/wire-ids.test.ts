// Proves that protocols with one space for ids keep the calls and requests of all tasks apart, on the way to the client
// and on the way back.
import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { commandsFromA2a } from 'turnstream/a2a'
import {
  type AgUiMessage,
  agUiMessages,
  agUiVerifier,
  commandsFromRunAgentInput,
  toAgUi,
} from 'turnstream/ag-ui'
import { commandsFromChatRequest, toUiMessageStream, uiMessages } from 'turnstream/ai-sdk'
import type { ReadCommands } from 'turnstream/commands'
import { fromFrames, toFrames } from 'turnstream/frames'
import { commandsFromSessionEvent, toSessionEvents } from 'turnstream/session'
import { emptyView, foldEvents } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { namedOnWire } from '../../../src/dialects/shared/named-on-wire.ts'
import { runs } from '../../support/runs.ts'
import { resultsIn, type TwoTasks, twoTasks } from '../../support/two-tasks.ts'

const toolCallId = 'iteration-0-call-0'

/** A call that the client runs. Its name tells whose it is. */
const start = (taskId: string, id = toolCallId) => ({
  ...{ kind: 'tool-start', toolCallId: id, toolName: `tool-${taskId}`, arguments: { of: taskId } },
  metadata: { provider: 'client' },
})
const delta = (taskId: string, id = toolCallId) => ({
  ...{ kind: 'tool-arguments-delta', toolCallId: id, toolName: `tool-${taskId}` },
  ...{ delta: JSON.stringify({ of: taskId }), index: 0 },
})
const ask = (taskId: string, id = toolCallId, inputId = 'approve') => ({
  ...{ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: 'Run it?' },
  metadata: {
    toolCall: { id, function: { name: `tool-${taskId}`, arguments: JSON.stringify({ of: taskId }) } },
  },
})
const think = (taskId: string) => ({
  ...{ kind: 'thought-stream', thoughtId: 'thought-0', thoughtType: 'planning', verbosity: 'brief' },
  ...{ content: `For ${taskId}.`, index: 0 },
})
const wait = { kind: 'task-status', status: 'waiting-input' }

const viewer = { audience: 'user', subtasks: 'all' } as const
type Wire = { readonly [field: string]: unknown }
const toAgUiWire = (log: readonly ContextAnyEvent[]): Wire[] => written(toAgUi({ viewer }), log)
const toChunks = (log: readonly ContextAnyEvent[]): Wire[] => written(toUiMessageStream({ viewer }), log)

function written(machine: Parameters<typeof run>[0], log: readonly ContextAnyEvent[]): Wire[] {
  const { push } = run(machine as never) as { push(event: ContextAnyEvent): readonly Wire[] }
  return log.flatMap((event) => [...push(event)])
}

/** The id of each call on the wire, by the name of its tool. */
const idsByName = (wire: readonly Wire[], type: string, name: string): Map<unknown, string> =>
  new Map(wire.flatMap((each) => (each.type === type ? [[each[name], String(each.toolCallId)]] : [])))

/** What a page that uses the AI SDK posts: its message with the answers so far. */
function chatBody(wire: readonly Wire[], answers: ReadonlyMap<string, object>): object {
  const parts = new Map<string, Wire>()
  for (const chunk of wire) {
    const id = String(chunk.toolCallId)
    if (chunk.type === 'tool-input-available')
      parts.set(id, {
        type: `tool-${chunk.toolName}`,
        toolCallId: id,
        state: 'input-available',
        input: chunk.input,
      })
    if (chunk.type === 'tool-approval-request')
      parts.set(id, { ...parts.get(id), state: 'approval-requested', approval: { id: chunk.approvalId } })
  }
  const all = [...parts].map(([id, part]) => {
    const given = answers.get(id) as { approval?: object } | undefined
    return {
      ...part,
      ...given,
      ...(given?.approval && { approval: { ...(part.approval as object), ...given.approval } }),
    }
  })
  return { id: 'ctx', messages: [{ id: 'a', role: 'assistant', parts: all }] }
}

const agUiBody = (more: object): object => ({
  threadId: 'ctx',
  runId: `run-${runCount++}`,
  messages: [],
  ...more,
})
let runCount = 0

/** What an AG-UI client posts: the calls, and the results of those that it has run. */
function agUiResults(wire: readonly Wire[], answers: ReadonlyMap<string, unknown>): object {
  const calls = wire.flatMap(({ type, toolCallId: id }) => (type === 'TOOL_CALL_START' ? [{ id }] : []))
  const results = [...answers].map(([id, content]) => ({
    id: `result-${id}`,
    role: 'tool',
    toolCallId: id,
    content,
  }))
  return agUiBody({ messages: [{ id: 'm', role: 'assistant', toolCalls: calls }, ...results] })
}

/** Submits what a reader has read; returns the statuses. */
function submit({ send }: TwoTasks, { commands }: ReadCommands): unknown[] {
  return commands.map((command) => send(command)?.status)
}

describe('calls of two tasks with the same id', () => {
  /** Both tasks run a call of the client with the same id. */
  function running(): TwoTasks {
    const tasks = twoTasks(['a', 'b'], true)
    tasks.emit('a', think('a'), delta('a'))
    tasks.emit('b', think('b'), delta('b'), start('b'))
    tasks.emit('a', start('a'))
    return tasks
  }

  it('are two calls for AG-UI, with one machine for each run as with one for all', () => {
    const tasks = twoTasks(['a', 'b'], true)
    const runs = (['a', 'b'] as const).map((taskId) => {
      const from = tasks.log.length
      tasks.emit(taskId, think(taskId), delta(taskId), start(taskId))
      tasks.emit(taskId, {
        kind: 'tool-complete',
        toolCallId,
        toolName: `tool-${taskId}`,
        success: true,
        result: 1,
      })
      tasks.emit(taskId, { kind: 'task-status', status: 'completed' })
      return tasks.log.slice(from)
    })
    let messages: AgUiMessage[] = []
    const wire = runs.flatMap((log) => {
      const out = written(toAgUi({ viewer, messages }), log)
      messages = [...messages, ...agUiMessages(foldEvents(emptyView, log), { viewer })]
      return out
    })
    const idsOf = (each: readonly Wire[]) =>
      each.flatMap(({ type, toolCallId: id, messageId }) =>
        /^(TOOL_CALL_(START|RESULT)|REASONING_START)$/.test(String(type)) ? [id ?? messageId] : [],
      )
    expect(new Set(idsOf(wire)).size).toBe(4)
    expect(idsOf(wire)).toEqual(idsOf(toAgUiWire(tasks.log)))
  })

  it('are two calls for AG-UI, whose results come back to their tasks', () => {
    const tasks = running()
    const wire = toAgUiWire(tasks.log)
    const ids = idsByName(wire, 'TOOL_CALL_START', 'toolCallName')
    expect([...ids]).toEqual([
      ['tool-a', toolCallId],
      ['tool-b', `${toolCallId}_b`],
    ])
    const thoughts = wire.filter(({ type }) => type === 'REASONING_START').map(({ messageId }) => messageId)
    expect(thoughts).toEqual(['thought-0', 'thought-0_b'])
    const answers = new Map<string, unknown>()
    for (const taskId of ['b', 'a']) {
      answers.set(ids.get(`tool-${taskId}`) ?? '', taskId)
      const body = agUiResults(wire, answers)
      const read = commandsFromRunAgentInput(body, { requests: tasks.requests() })
      expect(submit(tasks, read)).toEqual(taskId === 'b' ? ['accepted'] : ['repeated', 'accepted'])
    }
    expect(resultsIn(tasks.log)).toEqual([
      ['b', 'b'],
      ['a', 'a'],
    ])
  })

  it('are two parts for the AI SDK, whose answers come back to their tasks', () => {
    const tasks = twoTasks(['a', 'b'], true)
    tasks.emit('b', delta('b'), ask('b'))
    tasks.emit('a', start('a'))
    tasks.emit('b', wait)
    const wire = toChunks(tasks.log)
    const ids = idsByName(wire, 'tool-input-available', 'toolName')
    expect(Object.fromEntries(ids)).toEqual({ 'tool-b': toolCallId, 'tool-a': `${toolCallId}_a` })
    const answers = new Map<string, object>()
    answers.set(`${toolCallId}_a`, { state: 'output-available', output: 'a' })
    const first = chatBody(wire, answers)
    const read = (body: object): unknown[] =>
      submit(tasks, commandsFromChatRequest(body, { requests: tasks.requests() }))
    expect(read(first)).toEqual(['accepted'])
    answers.set(toolCallId, { state: 'approval-responded', approval: { approved: true } })
    expect(read(chatBody(wire, answers))).toEqual(['accepted'])
    expect(tasks.answers).toMatchObject([{ taskId: 'b', call: { toolName: 'tool-b' } }])
    expect(read(chatBody(wire, answers))).toEqual(['repeated', 'repeated'])
    expect(resultsIn(tasks.log)).toEqual([['a', 'a']])
    // What the page shows when it loads again is answered alike.
    const parts = uiMessages(foldEvents(emptyView, tasks.log), { viewer }).flatMap(
      (each) => each.parts as Wire[],
    )
    const shown = parts.flatMap((part) => ('toolCallId' in part ? [[part.toolName, part.toolCallId]] : []))
    expect(new Set(shown.map(([, id]) => id)).size).toBe(2)
  })

  it('are another call of a subtask that a message does not show', () => {
    const tasks = running()
    const wire = toChunks(tasks.log)
    expect([...idsByName(wire, 'tool-input-available', 'toolName')]).toEqual([['tool-a', toolCallId]])
    tasks.emit('b', { ...start('b'), kind: 'tool-complete', success: true, result: 'b' })
    expect(toChunks(tasks.log).filter(({ type }) => type === 'tool-output-available')).toEqual([])
  })

  it('have in histories of AG-UI the ids that they have in the stream', () => {
    const { log, emit } = running()
    for (const taskId of ['b', 'a'])
      emit(taskId, { ...start(taskId), kind: 'tool-complete', success: true, result: taskId })
    const messages = agUiMessages(foldEvents(emptyView, log), { viewer })
    const calls = messages.flatMap((message) => ('toolCalls' in message ? (message.toolCalls ?? []) : []))
    expect(new Map(calls.map(({ id, function: { name } }) => [name, id]))).toEqual(
      idsByName(toAgUiWire(log), 'TOOL_CALL_START', 'toolCallName'),
    )
    const results = messages.flatMap((message) =>
      message.role === 'tool' ? [[message.toolCallId, message.content]] : [],
    )
    expect(new Map(results as [string, string][])).toEqual(
      new Map([
        [toolCallId, 'a'],
        [`${toolCallId}_b`, 'b'],
      ]),
    )
  })

  it('are legal in AG-UI', () => {
    const { log } = running()
    const { push } = run(agUiVerifier())
    expect(toAgUiWire(log).flatMap((event) => [...push(event as never)])).toEqual([])
  })
})

describe('requests of two tasks with the same id', () => {
  function asking(): TwoTasks {
    const tasks = twoTasks(['a', 'b'], true)
    tasks.emit('a', delta('a'), ask('a'))
    tasks.emit('b', delta('b'), ask('b'), wait)
    tasks.emit('a', wait)
    return tasks
  }

  it('are two interrupts of AG-UI, whose answers come back to their tasks', () => {
    const tasks = asking()
    const interrupts = toAgUiWire(tasks.log).flatMap(({ outcome }) => {
      return (
        (outcome as { interrupts?: { id: string; message: string; metadata: object }[] })?.interrupts ?? []
      ).map(({ id, metadata }) => [id, JSON.stringify(metadata).includes('tool-a') ? 'a' : 'b'])
    })
    const ids = new Map(interrupts as [string, string][])
    expect(Object.fromEntries(ids)).toEqual({ approve: 'a', approve_b: 'b' })
    const resume = [...ids].map(([interruptId, taskId]) => ({
      ...{ interruptId, status: 'resolved' },
      payload: { approved: taskId === 'b' },
    }))
    const read = commandsFromRunAgentInput(agUiBody({ resume }), { requests: tasks.requests() })
    expect(submit(tasks, read)).toEqual(['accepted', 'accepted'])
    expect(tasks.answers).toMatchObject([
      { taskId: 'a', outcome: 'declined' },
      { taskId: 'b', outcome: 'answered', call: { toolName: 'tool-b' } },
    ])
  })

  it('are two approvals of the AI SDK, whose answers come back to their tasks', () => {
    const tasks = asking()
    const wire = toChunks(tasks.log)
    const ids = idsByName(wire, 'tool-input-available', 'toolName')
    const answers = new Map(
      ['a', 'b'].map((taskId) => [
        ids.get(`tool-${taskId}`) ?? '',
        { state: 'approval-responded', approval: { approved: taskId === 'a' } },
      ]),
    )
    const read = commandsFromChatRequest(chatBody(wire, answers), { requests: tasks.requests() })
    expect(submit(tasks, read)).toEqual(['accepted'])
    expect(tasks.answers.map(({ taskId, outcome }) => [taskId, outcome]).sort()).toEqual([
      ['a', 'answered'],
      ['b', 'declined'],
    ])
  })

  it('of two rounds of a session are two questions, whose answers come back to their tasks', () => {
    const tasks = twoTasks(['a'])
    const question = { kind: 'input-required', inputId: 'q', inputType: 'confirmation', prompt: 'Go on?' }
    tasks.emit('a', question, wait, { kind: 'task-status', status: 'failed' })
    tasks.begin('b')
    tasks.emit('b', question, wait)
    const wire = written(toSessionEvents(), tasks.log)
    const steps = wire.map(({ step_id }) => String(step_id)).filter((id) => id.startsWith('q'))
    expect(new Set(steps)).toEqual(new Set(['q', 'q_b']))
    const respond = (step_id: string): ReadCommands =>
      commandsFromSessionEvent(
        {
          ...{ event: 'user.response', session_id: 'ctx', step_id, seq: 1 },
          ...{ timestamp: '2026-01-01T00:00:01.000Z', content: { approved: true } },
        },
        { requests: tasks.requests() },
      )
    expect(submit(tasks, respond('q_b'))).toEqual(['accepted'])
    expect(tasks.answers).toMatchObject([{ taskId: 'b', inputId: 'q' }])
  })
})

describe('protocols with a space of ids for each task', () => {
  const message = (fields: object): object => ({
    method: 'message/send',
    params: {
      message: {
        messageId: 'm',
        role: 'user',
        parts: [{ kind: 'data', data: { approved: true } }],
        ...fields,
      },
    },
  })

  it('resolve an answer of A2A by its task, and refuse one without', () => {
    const tasks = twoTasks(['a', 'b'])
    for (const taskId of ['a', 'b']) tasks.emit(taskId, ask(taskId), wait)
    const read = (fields: object): unknown[] =>
      submit(tasks, commandsFromA2a(message(fields), { requests: tasks.requests() }))
    expect(read({ messageId: 'm1', metadata: { inputId: 'approve' } })).toEqual(['ambiguous'])
    expect(read({ messageId: 'm2', taskId: 'b' })).toEqual(['accepted'])
    expect(read({ messageId: 'm3', taskId: 'a', metadata: { inputId: 'approve' } })).toEqual(['accepted'])
    expect(tasks.answers.map(({ taskId }) => taskId)).toEqual(['b', 'a'])
  })

  it('keep the calls of two tasks apart in event frames', () => {
    const { log, emit } = twoTasks(['a', 'b'], true)
    emit('a', start('a'))
    emit('b', start('b'))
    for (const taskId of ['a', 'b'])
      emit(taskId, { ...start(taskId), kind: 'tool-complete', success: true, result: taskId })
    let ids = 0
    const frames = run(toFrames({ version: 'v2', sessionId: 's', newId: () => `frame-${ids++}` }))
    const events = run(fromFrames())
    const back = log.flatMap((event) => [...frames.push(event)].flatMap((frame) => [...events.push(frame)]))
    // Each task is a stream of its own, which has the id.
    const ends = (back as ContextAnyEvent[]).flatMap((event) =>
      event.kind === 'tool-complete' ? [event] : [],
    )
    expect(new Set(ends.map(({ taskId }) => taskId)).size).toBe(2)
    expect(ends.map((event) => event.toolCallId)).toEqual([toolCallId, toolCallId])
  })
})

describe('an id on the wire', () => {
  const first = { taskId: 'a', id: 'x' }
  const second = { taskId: 'b', id: 'x' }
  const third = { taskId: 'c', id: 'x' }
  const named = (requests: readonly (typeof second | typeof first)[], id: string, others: string[] = []) => {
    const { taskId, isAmbiguous = false } = namedOnWire(requests, id, (each) => each, new Set(others))
    return taskId ?? (isAmbiguous ? 'ambiguous' : 'unknown')
  }

  it.each<[Parameters<typeof named>, string]>([
    [[[first, second], 'x'], 'ambiguous'],
    [[[second, first], 'x'], 'ambiguous'],
    [[[first, second], 'x', ['x', 'x_b']], 'a'],
    [[[first, second], 'x_b'], 'b'],
    [[[second], 'x'], 'b'],
    [[[second], 'x', ['x', 'x_b']], 'unknown'],
    [[[second, third], 'x'], 'ambiguous'],
    [[[second, third], 'x', ['x_b']], 'c'],
    [[[first, second], 'x_c'], 'unknown'],
    [[[first, { taskId: 'c', id: 'x_b' }, second], 'x_b'], 'ambiguous'],
  ])('%j names the request of task %s', (args, expected) => {
    expect(named(...args)).toBe(expected)
  })
})

/** One step of one of two tasks. */
const moves = fc.array(
  fc.record({
    task: fc.constantFrom('a', 'b'),
    move: fc.constantFrom('delta', 'start', 'ask', 'finish', 'think'),
    call: fc.constantFrom('x', 'y'),
  }),
  { minLength: 1, maxLength: 16 },
)

/** A conversation after some steps, with the state of each call. */
function after(steps: readonly { task: string; move: string; call: string }[]) {
  const tasks = twoTasks(['a', 'b'], true)
  const phases = new Map<string, string>()
  for (const { task, move, call } of steps) {
    const key = `${task} ${call}`
    const phase = phases.get(key)
    if (move === 'think' && !phases.has(`${task} thought`)) {
      tasks.emit(task, think(task))
      phases.set(`${task} thought`, 'ended')
    } else if (move === 'delta' && phase === undefined) {
      tasks.emit(task, delta(task, call))
      phases.set(key, 'written')
    } else if (move === 'start' && (phase === undefined || phase === 'written')) {
      tasks.emit(task, start(task, call))
      phases.set(key, 'running')
    } else if (move === 'ask' && phase === 'written') {
      tasks.emit(task, ask(task, call, call))
      phases.set(key, 'asked')
    } else if (move === 'finish' && phase === 'running') {
      tasks.emit(task, { ...start(task, call), kind: 'tool-complete', success: true, result: task })
      phases.set(key, 'ended')
    }
  }
  for (const taskId of ['b', 'a']) tasks.emit(taskId, wait)
  return { tasks, phases }
}

describe('random streams of two tasks with the same ids', () => {
  it('come back from AI SDK and AG-UI to the calls and requests that the client answers', () => {
    const property = fc.property(moves, fc.boolean(), (steps, isAgUi) => {
      const { tasks, phases } = after(steps)
      const wire = isAgUi ? toAgUiWire(tasks.log) : toChunks(tasks.log)
      const type = isAgUi ? 'TOOL_CALL_START' : 'tool-input-available'
      const calls = wire.filter((each) => each.type === type)
      const nameOf = (each: Wire): string => String(each[isAgUi ? 'toolCallName' : 'toolName']).slice(5)
      const ids = calls.map((each) => String(each.toolCallId))
      const ownerOf = new Map(calls.map((each) => [String(each.toolCallId), nameOf(each)]))
      // Each call has an id of its own.
      const keys = new Set(calls.map((each) => `${nameOf(each)} ${String(each.toolCallId)[0]}`))
      expect(new Set(ids).size).toBe(keys.size)
      if (isAgUi) expect(keys.size).toBe([...phases.keys()].filter((key) => !key.endsWith('thought')).length)
      if (isAgUi) {
        const messages = agUiMessages(foldEvents(emptyView, tasks.log), { viewer })
        const shown = messages.flatMap((each) => ('toolCalls' in each ? (each.toolCalls ?? []) : []))
        expect(new Map(shown.map(({ id, function: { name } }) => [id, name.slice(5)]))).toEqual(ownerOf)
      }
      const answers = new Map<string, never>()
      const running = calls.filter(
        (each) => phases.get(`${nameOf(each)} ${String(each.toolCallId)[0]}`) === 'running',
      )
      for (const each of running) {
        const id = String(each.toolCallId)
        const owner = ownerOf.get(id)
        const value = isAgUi ? owner : { state: 'output-available', output: owner }
        const requests = tasks.requests()
        answers.set(id, value as never)
        const read = isAgUi
          ? commandsFromRunAgentInput(agUiResults(wire, answers), { requests })
          : commandsFromChatRequest(chatBody(wire, answers), { requests })
        const statuses = submit(tasks, read)
        expect(statuses.at(-1)).toBe('accepted')
        expect(statuses.slice(0, -1).every((status) => status === 'repeated')).toBe(true)
      }
      for (const [taskId, value] of resultsIn(tasks.log)) expect(value).toBe(taskId)
      const asked = [...phases].filter(([, phase]) => phase === 'asked').length
      if (asked > 0 && isAgUi) {
        const resume = interruptsIn(wire).map(({ id, of }) => ({
          ...{ interruptId: id, status: 'resolved' },
          payload: { approved: of === 'b' },
        }))
        const read = commandsFromRunAgentInput(agUiBody({ resume }), { requests: tasks.requests() })
        expect(submit(tasks, read)).toEqual(resume.map(() => 'accepted'))
      } else if (asked > 0) {
        const approvals = wire.filter((each) => each.type === 'tool-approval-request')
        for (const { toolCallId: id } of approvals) {
          const approved = ownerOf.get(String(id)) === 'b'
          answers.set(String(id), { state: 'approval-responded', approval: { approved } } as never)
        }
        const read = commandsFromChatRequest(chatBody(wire, answers), { requests: tasks.requests() })
        expect(submit(tasks, read)).toEqual(['accepted'])
      }
      expect(tasks.answers.length).toBe(asked)
      for (const { taskId, outcome, call } of tasks.answers) {
        expect([taskId, outcome]).toEqual([taskId, taskId === 'b' ? 'answered' : 'declined'])
        if (call !== undefined) expect(call.toolName).toBe(`tool-${taskId}`)
      }
    })
    fc.assert(property, { numRuns: runs(1000) })
  })
})

function interruptsIn(wire: readonly Wire[]): { id: string; of: string }[] {
  const last = wire.findLast(({ outcome }) => (outcome as { type?: string })?.type === 'interrupt')
  const { interrupts } = (last?.outcome ?? { interrupts: [] }) as {
    interrupts: { id: string; metadata: object }[]
  }
  return interrupts.map(({ id, metadata }) => ({
    id,
    of: JSON.stringify(metadata).includes('tool-a') ? 'a' : 'b',
  }))
}

it('leave metadata as it is that a kind does not declare', () => {
  const delta = {
    kind: 'content-delta',
    contextId: 'c',
    taskId: 't',
    timestamp: '2026-01-01T00:00:00Z',
    index: 0,
  }
  const types = toChunks([{ ...delta, delta: 'a', metadata: null } as never]).map(({ type }) => type)
  expect(types).toContain('text-delta')
})
