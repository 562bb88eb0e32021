// What the mappers and the verifier keep and compare has limits, and each is exact.
import { describe, expect, it } from 'vitest'
import { agUiVerifier, fromAgUi, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import {
  noMessages,
  type SentMessages,
  withSentEvent,
  withSnapshot,
} from '../../../src/dialects/ag-ui/to/sent-messages.ts'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/wire/types/index.ts'
import type { Item } from '../../../src/dialects/engine/item.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { inputsUntilEvicted, resultsOf } from '../../support/mapper-laws.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00.000Z' }
const run = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const call = { toolCallId: 'k', toolName: 'pay' }

function read(events: readonly object[]) {
  return resultsOf(fromAgUi({ now: () => 0 }) as never, [run, ...events] as never[])
}

function write(events: readonly object[]) {
  const created = { kind: 'task-created', initiator: 'user' }
  const all = [created, ...events].map((event) => ({ ...place, ...event }))
  return resultsOf(toAgUi({ viewer: { audience: 'operator' } }) as never, all as never[])
}

function rulesOf(events: readonly object[]): string[] {
  const steps = resultsOf(agUiVerifier({ mode: 'strict' }) as never, [run, ...events] as never[])
  return steps.flatMap(({ out }) => (out as { rule: string }[]).map(({ rule }) => rule))
}

describe('the reader', () => {
  it.each<[string, (id: string) => object]>([
    ['texts', (messageId) => ({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })],
    ['calls', (toolCallId) => ({ type: 'TOOL_CALL_START', toolCallId, toolCallName: 'pay' })],
  ])('keeps 1024 open %s', (_, inputOf) => {
    expect(inputsUntilEvicted(fromAgUi({ now: () => 0 }) as never, (i) => inputOf(`id-${i}`) as never)).toBe(
      2 * 1024 + 1,
    )
  })

  it.each([0, 1])('ends a segment before 1 Mi characters are passed: %i more', (more) => {
    const content = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm' }
    const steps = read([
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      { ...content, delta: 'x'.repeat((1 << 20) - 1) },
      { ...content, delta: 'y'.repeat(1 + more) },
    ])
    const kinds = ((steps[3]?.out ?? []) as ContextAnyEvent[]).map(({ kind }) => kind)
    expect(kinds).toEqual([...(more > 0 ? ['content-complete'] : []), 'content-delta'])
  })
})

describe('the writer', () => {
  it('keeps 1024 calls and artifacts', () => {
    const machine = () => toAgUi() as never
    const start = (i: number) => ({
      ...place,
      kind: 'tool-start',
      ...call,
      toolCallId: `k${i}`,
      arguments: {},
    })
    const data = (i: number) => ({ ...place, kind: 'data-write', artifactId: `a${i}`, data: {} })
    expect(inputsUntilEvicted(machine(), start)).toBe(2 * 1024 + 1)
    expect(inputsUntilEvicted(machine(), data)).toBe(2 * 1024 + 1)
  })

  it.each([0, 1])('compares arguments of 1 Mi characters with those that run: %i more', (more) => {
    const text = `{"a":"${'x'.repeat((1 << 20) - 8 + more)}"`
    const piece = { kind: 'tool-arguments-delta', ...call }
    const steps = write([
      { ...piece, delta: text, index: 0 },
      { ...piece, delta: '}', index: 1 },
      { kind: 'tool-start', ...call, arguments: { a: 1 } },
    ])
    const codes = steps[3]?.diagnostics.map(({ code }) => code)
    expect(codes).toEqual(more > 0 ? [] : ['lossy:arguments'])
  })

  it('starts the subagents of 64 levels', () => {
    const tasks = Array.from({ length: 70 }, (_, i) => ({
      ...{ kind: 'subtask-created', taskId: `t${i}`, subtaskId: `t${i + 1}`, prompt: 'Go' },
      ...(i > 0 && { parentTaskId: `t${i - 1}` }),
    }))
    const first = { kind: 'task-created', initiator: 'user', taskId: 't0' }
    const deep = (i: number) => ({
      ...{ kind: 'content-delta', taskId: `t${i}`, parentTaskId: `t${i - 1}`, delta: 'x', index: 0 },
    })
    const startsOf = (i: number): number => {
      const events = [first, ...tasks, deep(i)].map((event) => ({ ...place, ...event }))
      const machine = toAgUi({ viewer: { audience: 'operator', subtasks: 'all' } })
      const out = resultsOf(machine as never, events as never[])[events.length - 1]?.out as { type: string }[]
      return out.filter(({ type }) => type === 'SUBAGENT_STARTED').length
    }
    expect([1, 62, 63].map(startsOf)).toEqual([1, 62, 63])
  })
})

describe('what a snapshot repeats', () => {
  const item = { taskId: 't', iteration: null, type: 'text' } as unknown as Item
  const begin = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }
  const [start, add] = [begin, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'abc' }] as AgUiEvent[]
  const of = (sent: Partial<SentMessages>): SentMessages => ({ ...noMessages, ...sent })
  const after = (sent: SentMessages, event: AgUiEvent | undefined): boolean =>
    withSentEvent(sent, event as AgUiEvent, { ...item, id: 'm' }) !== null
  const length = JSON.stringify({ id: 'm', role: 'assistant' }).length

  it.each<[string, number, (most: number) => boolean]>([
    ['characters of texts', 1 << 20, (most) => after(of({ length: most - 3 }), add)],
    ['characters of messages', 1 << 20, (most) => after(of({ length: most - length }), start)],
    ['messages', 1024, (most) => after(of({ size: most - 1 }), start)],
    [
      'characters sent again',
      1 << 24,
      (most) => withSnapshot(of({ repeated: most - 1, length: 1 })) !== null,
    ],
  ])('has a limit: %s', (_, most, fits) => {
    expect([fits(most), fits(most + 1)]).toEqual([true, false])
  })
})

describe('the verifier', () => {
  it.each([0, 1])('parses arguments of 65 536 characters: %i more', (more) => {
    const toolCallId = 'k'
    const rules = rulesOf([
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'pay' },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: 'x'.repeat(65_535) },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: 'y'.repeat(1 + more) },
      { type: 'TOOL_CALL_END', toolCallId },
    ])
    expect(rules.includes('arguments-json')).toBe(more === 0)
  })

  it.each([0, 1])('applies changes to a state of 65 536 characters: %i more', (more) => {
    const rules = rulesOf([
      { type: 'STATE_SNAPSHOT', snapshot: { a: 'x'.repeat(65_536 - 8 + more) } },
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/gone' }] },
    ])
    expect(rules.includes('delta-applies')).toBe(more === 0)
  })

  it.each([0, 1])('counts the changes of a state: %i more', (more) => {
    const change = { op: 'replace', path: '/a', value: 1 }
    const size = JSON.stringify([change]).length
    const rules = rulesOf([
      { type: 'STATE_SNAPSHOT', snapshot: { a: 'x'.repeat(65_536 - 8 - size + more) } },
      { type: 'STATE_DELTA', delta: [change] },
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/gone' }] },
    ])
    expect(rules.includes('delta-applies')).toBe(more === 0)
  })
})

it('opens a text again that a snapshot has changed', () => {
  const start = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }
  const steps = read([
    start,
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'a' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm' },
    { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', content: 'ab' }] },
    start,
    start,
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ])
  expect(steps.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
    ...[[], [], [], [], [], []],
    ...[['dropped:TEXT_MESSAGE_START'], ['inferred:TEXT_MESSAGE_END'], []],
  ])
})
