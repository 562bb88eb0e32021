// Proves that a run after an answer continues the one that has asked: in one process, and after a restart.

import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, isTaskEnd } from 'turnstream'
import { fromAdk, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import type { Agent } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import type { FrameworkTask } from '../../../src/agents/frameworks/run-memory.ts'
import { answered } from '../../support/answered-agent.ts'
import {
  frameworks as frameworksRead,
  ids,
  linesOf,
  newTask,
  type Read,
  read,
  text,
  tools,
  usage,
  violations,
} from './reading.ts'

const needsApproval = ({ toolName }: { readonly toolName: string }): boolean => toolName === 'pay'
const frameworks: readonly (readonly [name: string, from: Read])[] = [
  ['openai-agents', fromOpenaiAgents],
  ['langgraph', fromLangGraph],
  ['adk', fromAdk],
]

/** What a task has sent, without what a stream adds. */
const stated = (events: readonly ContextAnyEvent[]): unknown[] =>
  events.slice(2).map((event) => ({ ...event, timestamp: '' }))
const starts = (events: readonly ContextAnyEvent[]): unknown[] =>
  events.flatMap((event) => (event.kind === 'tool-start' ? [[event.toolCallId, event.arguments]] : []))
const iterations = (events: readonly ContextAnyEvent[]): unknown[] =>
  events.flatMap((event) => (event.kind === 'internal:llm-call' ? [event.iteration] : []))

/** The second run, whose source states what was approved, as that of the OpenAI Agents SDK does. */
const after = (name: string, isApproved: boolean): Iterable<unknown> =>
  Object.assign(linesOf(`${name}-${isApproved ? 'approved' : 'declined'}`), {
    runContext: { isToolApproved: () => isApproved },
  })

describe.each(frameworks)('%s', (name, from) => {
  const first = async (task: FrameworkTask) => (await read(from, linesOf(`${name}-asks`), task)).events

  it('continues: the call starts as it was written, and responses and tokens are counted on', async () => {
    const task = newTask({ needsApproval })
    const asked = await first(task)
    expect(starts(asked)).toEqual([])
    expect(asked.at(-1)).toMatchObject({ kind: 'task-status', status: 'waiting-input' })
    const { events, codes } = await read(from, after(name, true), task)
    expect(starts(events)).toEqual([['p1', { amount: 5 }]])
    expect(tools(events)).toMatchObject([['p1', 'pay', true, expect.anything()]])
    expect([...iterations(asked), ...iterations(events)]).toEqual([0, 1])
    expect(usage(events)).toMatchObject([{ inputTokens: 20, outputTokens: 10, totalTokens: 30 }])
    expect(violations([...asked, ...events.slice(1)])).toEqual([])
    expect(codes).toEqual([])
  })

  it('continues after a restart, from what the task has sent', async () => {
    const task = newTask({ needsApproval })
    const sent = await first(task)
    const inProcess = await read(from, after(name, true), task)
    const restarted = await read(from, after(name, true), newTask({ needsApproval, sent }))
    expect(stated(restarted.events)).toEqual(stated(inProcess.events))
  })

  it('starts no call before it is approved, also one that the store does not name', async () => {
    const task = newTask()
    const asked = await first(task)
    expect(starts(asked)).toEqual([])
    const { events } = await read(from, after(name, true), task)
    expect(starts(events)).toEqual([['p1', { amount: 5 }]])
    expect(violations([...asked, ...events.slice(1)])).toEqual([])
  })

  it.each([
    { outcome: 'answered', names: needsApproval },
    { outcome: 'declined', names: needsApproval },
    { outcome: 'answered', names: undefined },
    { outcome: 'declined', names: undefined },
  ])('passes the gate of a store that is $outcome, with $names', async ({ outcome, names }) => {
    const isApproved = outcome === 'answered'
    const agent: Agent = async function* (task) {
      const questions = yield* from(linesOf(`${name}-asks`), { task })
      for (const { inputId } of questions) await task.answer({ inputId })
      yield* from(after(name, isApproved), { task })
    }
    const { events, errors } = await answered(agent, { outcome }, names)
    expect(errors).toEqual([])
    expect(starts(events)).toEqual(isApproved ? [['p1', { amount: 5 }]] : [])
    expect(tools(events)).toMatchObject([['p1', 'pay', isApproved, expect.anything()]])
    expect(text(events)).toBe('I pay.|Done.')
    expect(events.at(-1)).toMatchObject({ status: 'completed' })
    expect(violations(events)).toEqual([])
  })

  it('asks anew about the calls of a run that begins anew', async () => {
    const task = newTask({ needsApproval })
    const asked = await first(task)
    const { events, codes } = await read(from, linesOf(`${name}-asks`), task)
    const about = (events: readonly ContextAnyEvent[]): (readonly unknown[])[] =>
      events.flatMap((event) =>
        event.kind === 'input-required' ? [[event.inputId, event.metadata?.toolCall?.id]] : [],
      )
    expect(about([...asked, ...events]).map(([, id]) => id)).toEqual(['p1', 'p1-2'])
    expect(new Set(about([...asked, ...events]).map(([id]) => id)).size).toBe(2)
    expect(events.at(-1)).toMatchObject({ status: 'waiting-input' })
    expect(violations([...asked, ...events.slice(1)])).toEqual([])
    expect(codes).toEqual([])
    const later = await read(from, after(name, true), task)
    expect(starts(later.events)).toEqual([['p1-2', { amount: 5 }]])
  })
})

// Of openai-agents-resumed, the calls are those of a run before.
const whole = frameworksRead.filter(([name]) => name !== 'openai-agents-resumed')

it.each(whole)('%s: another run of a task loses no call, also after a restart', async (name, from) => {
  const calls = (events: readonly ContextAnyEvent[]): unknown[] => tools(events).map(([, ...call]) => call)
  const named = (events: readonly ContextAnyEvent[]): unknown[] =>
    events.flatMap((event) => (event.kind === 'tool-complete' ? [`${event.taskId} ${event.toolCallId}`] : []))
  for (const isRestarted of [false, true]) {
    const emitter = createEmitter(ids)
    const task = newTask()
    const one = await read(from, linesOf(name), task, emitter)
    const sent = one.events.filter((event) => !(isTaskEnd(event) && event.parentTaskId === undefined))
    const two = await read(from, linesOf(name), isRestarted ? newTask({ sent }) : task, emitter)
    expect(calls(two.events)).toEqual(calls(one.events))
    expect(two.codes).toEqual(one.codes)
    const all = named([...sent, ...two.events])
    expect(new Set(all).size).toBe(all.length)
    expect(violations([...sent, ...two.events.slice(1)])).toEqual([])
  }
})

it('LangGraph: the question of the middleware of LangChain approves the call that it names', async () => {
  const [response = ''] = [linesOf('langgraph-asks').filter((line) => !line.includes('__interrupt__'))]
  const ask = (...actionRequests: readonly object[]): unknown => [
    'updates',
    { __interrupt__: [{ id: 'i1', value: { actionRequests, reviewConfigs: [] } }] },
  ]
  const asked = async (...actions: readonly object[]): Promise<unknown> => {
    const { events } = await read(fromLangGraph, [...response, ask(...actions)], newTask({ needsApproval }))
    return events.flatMap((event) =>
      event.kind === 'input-required' ? [[event.inputType, event.metadata?.toolCall?.id]] : [],
    )[0]
  }
  expect(await asked({ name: 'pay', args: { amount: 5 } })).toEqual(['tool-execution', 'p1'])
  expect(await asked({ name: 'pay', args: { amount: 6 } })).toEqual(['custom', undefined])
  expect(await asked({ name: 'pay', args: { amount: 5 } }, { name: 'x', args: {} })).toEqual([
    'custom',
    undefined,
  ])
})

it('ADK: an input and a credential that a tool requests are questions, no calls', async () => {
  const call = (name: string, id: string, args: object): object => ({ functionCall: { name, id, args } })
  const parts = [
    call('adk_request_input', 'r1', { message: 'Which boat?' }),
    call('adk_request_credential', 'r2', { function_call_id: 'c1', auth_config: {} }),
  ]
  const { events, codes } = await read(fromAdk, [{ author: 'a', content: { role: 'user', parts } }])
  expect(events.flatMap((event) => (event.kind === 'input-required' ? [event] : []))).toMatchObject([
    { inputId: 'r1', inputType: 'clarification', prompt: 'Which boat?' },
    { inputId: 'r2', inputType: 'custom', metadata: { functionCall: { name: 'adk_request_credential' } } },
  ])
  expect(starts(events)).toEqual([])
  expect(codes).toEqual([])
})

it('LangGraph: asks each question of nodes that run at the same time once, whichever are answered first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      async (counts, picks) => {
        const left = [...counts]
        const agent: Agent = async function* (task) {
          for (;;) {
            // LangGraph gives each question of a node the same id, and asks again what the run was not resumed with.
            const open = left.flatMap((count, node) =>
              count > 0 ? [{ id: `node-${node}`, value: 'Which?' }] : [],
            )
            const run = open.length > 0 ? [['updates', { __interrupt__: open }]] : [['updates', { end: {} }]]
            const asked = yield* fromLangGraph(run, { task })
            if (asked.length === 0) return
            const one = asked[(picks.next().value ?? 0) % asked.length]
            const answer = await task.answer({ inputId: one?.inputId ?? '' })
            if (answer === undefined) throw new Error('no answer')
            const node = Number(String(one?.metadata?.interruptId).slice(5))
            left[node] = (left[node] ?? 0) - 1
          }
        }
        const { events, errors } = await answered(agent, { value: 'that' })
        expect(errors).toEqual([])
        expect(events.at(-1)).toMatchObject({ status: 'completed' })
        const asked = events.flatMap((event) => (event.kind === 'input-required' ? [event.inputId] : []))
        expect(asked).toHaveLength(counts.reduce((sum, count) => sum + count, 0))
        expect(new Set(asked).size).toBe(asked.length)
        expect(violations(events)).toEqual([])
      },
    ),
    { numRuns: 20 },
  )
})
