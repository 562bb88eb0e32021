// Streams of AG-UI: legal ones, as an agent sends them, and damaged ones.
import fc from 'fast-check'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { jsonValue } from '../../support/json.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { outputsOf, writer } from './support.ts'

const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  fc.constantFrom('{"a":1}', '[1]', '1', '__proto__', 'a.b'),
)
const id = fc.constantFrom('a', 'b', 'c', '', 'state', '__proto__', 'r:content:0')
const object = fc
  .dictionary(
    fc.string({ unit: 'grapheme', maxLength: 4 }),
    jsonValue({ maxDepth: 1, stringUnit: 'grapheme' }),
    {
      maxKeys: 2,
      noNullPrototype: true,
    },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

/** Events with ids of few values, in no order, for the laws of machines. */
export const agUiEvent: fc.Arbitrary<AgUiEvent> = fc
  .tuple(
    fc.constantFrom<AgUiEvent['type']>(
      'RUN_STARTED',
      'RUN_FINISHED',
      'RUN_ERROR',
      'STEP_STARTED',
      'SUBAGENT_STARTED',
      'SUBAGENT_FINISHED',
      'SUBAGENT_ERROR',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'TEXT_MESSAGE_CHUNK',
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_MESSAGE_CHUNK',
      'REASONING_END',
      'REASONING_ENCRYPTED_VALUE',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'TOOL_CALL_CHUNK',
      'TOOL_CALL_RESULT',
      'STATE_SNAPSHOT',
      'STATE_DELTA',
      'ACTIVITY_SNAPSHOT',
      'ACTIVITY_DELTA',
      'RAW',
      'CUSTOM',
    ),
    id,
    text,
    object,
    fc.boolean(),
  )
  .map(([type, id, text, data, flag]) => {
    const patch = [{ op: 'add', path: '/x', value: data }]
    const fields = {
      ...(flag && type !== 'RUN_STARTED' && { subagentRunId: 's' }),
      ...(type.startsWith('SUBAGENT_') && { subagentRunId: 's', name: text }),
      ...(type.startsWith('RUN_') && { threadId: 't', runId: id }),
      ...(type === 'RUN_FINISHED' && flag && interrupt(id, text)),
      messageId: id,
      toolCallId: id,
      toolCallName: text,
      stepName: text,
      delta: type === 'STATE_DELTA' ? patch : text,
      message: text,
      subtype: flag ? 'message' : 'tool-call',
      entityId: id,
      encryptedValue: text,
      activityType: text,
      snapshot: data,
      event: data,
      name: text,
      value: data,
      patch,
      content: type === 'ACTIVITY_SNAPSHOT' ? data : text,
      role: type.startsWith('REASONING_') ? 'reasoning' : type.startsWith('TOOL_') ? 'tool' : 'assistant',
    }
    return { type, ...pick(fields, fieldsOf(type)) } as unknown as AgUiEvent
  })

function interrupt(id: string, message: string): object {
  return { outcome: { type: 'interrupt', interrupts: [{ id, reason: 'approval', message, toolCallId: id }] } }
}

/** The fields of a type, in the test's own words. */
function fieldsOf(type: AgUiEvent['type']): string[] {
  if (type === 'RUN_STARTED') return ['threadId', 'runId']
  if (type === 'RUN_FINISHED') return ['threadId', 'runId', 'outcome']
  if (type === 'RUN_ERROR') return ['message']
  const own = ['subagentRunId']
  if (type === 'SUBAGENT_STARTED') return [...own, 'name']
  if (type === 'SUBAGENT_ERROR') return [...own, 'message']
  if (type === 'SUBAGENT_FINISHED') return own
  if (type === 'STEP_STARTED' || type === 'STEP_FINISHED') return [...own, 'stepName']
  if (type === 'REASONING_ENCRYPTED_VALUE') return [...own, 'subtype', 'entityId', 'encryptedValue']
  if (type === 'TOOL_CALL_RESULT') return [...own, 'messageId', 'toolCallId', 'content', 'role']
  if (type.startsWith('TOOL_CALL_')) {
    const isFirst = type === 'TOOL_CALL_START' || type === 'TOOL_CALL_CHUNK'
    const hasDelta = type === 'TOOL_CALL_ARGS' || type === 'TOOL_CALL_CHUNK'
    return [...own, 'toolCallId', ...(isFirst ? ['toolCallName'] : []), ...(hasDelta ? ['delta'] : [])]
  }
  if (type === 'STATE_SNAPSHOT') return [...own, 'snapshot']
  if (type === 'STATE_DELTA') return [...own, 'delta']
  if (type === 'ACTIVITY_SNAPSHOT') return [...own, 'messageId', 'activityType', 'content']
  if (type === 'ACTIVITY_DELTA') return [...own, 'messageId', 'activityType', 'patch']
  if (type === 'RAW') return [...own, 'event']
  if (type === 'CUSTOM') return [...own, 'name', 'value']
  const hasRole = type.endsWith('MESSAGE_START')
  const hasDelta = type.endsWith('CONTENT') || type.endsWith('CHUNK')
  return [...own, 'messageId', ...(hasRole ? ['role'] : []), ...(hasDelta ? ['delta'] : [])]
}

function pick(fields: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  )
}

/** Legal streams: what an agent of another implementation sends, and what ours does. */
export const agUiStreams: fc.Arbitrary<readonly AgUiEvent[]> = fc.oneof(
  legalStreams().map((events) => outputsOf(writer(), events)),
  fc.array(agUiEvent, { maxLength: 30 }),
)

/** The beginnings of streams. */
export function cut(streams: fc.Arbitrary<readonly AgUiEvent[]>): fc.Arbitrary<readonly AgUiEvent[]> {
  return fc.tuple(streams, fc.nat()).map(([events, at]) => events.slice(0, at % (events.length + 1)))
}

/** Legal streams of several tasks of users in one context, one after the other or interleaved. */
export const conversations: fc.Arbitrary<ContextAnyEvent[]> = fc
  .tuple(
    fc.array(legalStreams({ maxChoices: 25 }), { minLength: 1, maxLength: 3 }),
    fc.infiniteStream(fc.nat(5)),
    fc.boolean(),
  )
  .map(([streams, turns, isInterleaved]) => {
    const left = streams.map((events, i) => events.flatMap((event) => withIdsOf(lateStatus(event), i)))
    const all: ContextAnyEvent[] = []
    while (left.some((events) => events.length > 0)) {
      const turn = isInterleaved
        ? turns.next().value % left.length
        : left.findIndex((each) => each.length > 0)
      all.push(...(left[turn]?.splice(0, 1) ?? []))
    }
    return all
  })

/** The success of a task may also be stated after its result. */
function lateStatus(event: ContextAnyEvent): ContextAnyEvent[] {
  if (event.kind !== 'task-complete' || event.metadata === undefined) return [event]
  const { contextId, taskId, parentTaskId, path, timestamp } = event
  const parent = parentTaskId === undefined ? {} : { parentTaskId }
  const nested = path === undefined ? {} : { path }
  const context = { contextId, taskId, ...parent, ...nested, timestamp }
  return [event, { kind: 'task-status', status: 'completed', ...context }]
}

/** Events with other ids in each stream. */
function withIdsOf(events: ContextAnyEvent[], stream: number): ContextAnyEvent[] {
  return JSON.parse(
    JSON.stringify(events).replaceAll(/"((?!ctx|utf|sha|model)[a-z]+-\d+)"/g, `"$1.${stream}"`),
  )
}
