// Proves that decoding and the schemas agree, and that adaptToolEvent keeps all fields.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AgentEvent,
  adaptToolEvent,
  decodeAgentEvent,
  decodeToolEvent,
  type ToolEvent,
} from '../../../src/dialects/agent-event/index.ts'
import {
  agentEventSchema,
  agentEventSchemas,
  toolEventSchema,
  toolEventSchemas,
} from '../../../src/dialects/agent-event/wire/schemas.ts'
import { agentEventTypes, toolEventTypes } from '../../../src/dialects/agent-event/wire/types.ts'
import { casesOf } from '../../support/conformance.ts'
import { runs } from '../../support/runs.ts'
import { anything } from './support.ts'

interface Value {
  readonly value: { readonly type: string }
}
interface Expected {
  readonly status: 'known' | 'unknown' | 'invalid'
  readonly issue?: object
  readonly adapted?: object
}
const agentCases = casesOf<Value, Expected>('formats/agent-event-decode/cases')
const toolCases = casesOf<Value, Expected>('formats/tool-event-decode')
const having = (all: typeof agentCases, status: Expected['status']) =>
  all
    .map(({ name, input, expected }) => ({ name, ...input, ...expected }))
    .filter((each) => each.status === status)
/** Those that decode to themselves. */
const agentEvents = having(agentCases, 'known').filter(({ value }) => !JSON.stringify(value).includes('null'))
const toolEvents = having(toolCases, 'known')

describe('known', () => {
  test.each(agentEvents)('agent: $name', ({ value }) => {
    const decoded = decodeAgentEvent(value)
    expect(decoded).toEqual({ status: 'known', event: value })
    expect(decoded).toHaveProperty(
      'event',
      expect.toSatisfy((event) => event === value),
    )
    expect(agentEventSchema.safeParse(value).success).toBe(true)
  })
  test.each(toolEvents)('tool: $name', ({ value }) => {
    expect(decodeToolEvent(value)).toEqual({ status: 'known', event: value })
    expect(toolEventSchema.safeParse(value).success).toBe(true)
  })
  test('the cases contain every type', () => {
    expect(new Set(agentEvents.map(({ value }) => value.type))).toEqual(new Set(agentEventTypes))
    expect(new Set(toolEvents.map(({ value }) => value.type))).toEqual(new Set(toolEventTypes))
    expect(Object.keys(agentEventSchemas)).toEqual([...agentEventTypes])
    expect(Object.keys(toolEventSchemas)).toEqual([...toolEventTypes])
  })
  test('null in an optional field counts as absent; any other null is kept', () => {
    const value = {
      type: 'tool_result',
      toolName: 'a',
      output: 'b',
      isError: null,
      toolCallId: null,
      mine: null,
    }
    const event = { type: 'tool_result', toolName: 'a', output: 'b', mine: null }
    expect(decodeAgentEvent(value)).toStrictEqual({ status: 'known', event })
    expect(value.isError).toBe(null)
  })
})

describe('not known', () => {
  test.each(having(agentCases, 'unknown'))('$name', ({ value }) => {
    expect(decodeAgentEvent(value)).toStrictEqual({ status: 'unknown', kind: value.type, event: value })
  })
  test('an AgentEvent is an unknown ToolEvent', () => {
    expect(decodeToolEvent({ type: 'final' }).status).toBe('unknown')
  })
  test.each(having(agentCases, 'invalid'))('$name', ({ value, issue }) => {
    const decoded = decodeAgentEvent(value)
    expect(decoded).toMatchObject({ status: 'invalid', issues: [issue] })
    expect(decoded).toHaveProperty('value', value)
  })
  test('a value that throws', () => {
    const value = {
      get type() {
        throw new Error('no')
      },
    }
    expect(decodeAgentEvent(value)).toMatchObject({ status: 'invalid', issues: [{ code: 'unreadable' }] })
  })
})

test('decoding and the schema accept the same', () => {
  fc.assert(
    fc.property(fc.oneof(anything, fc.anything()), (value) => {
      const { status } = decodeAgentEvent(value)
      if (status === 'known') expect(agentEventSchema.safeParse(value).success).toBe(true)
      else expect(agentEventSchema.safeParse(value).success).toBe(false)
    }),
    { numRuns: runs(2000) },
  )
})

describe('adaptToolEvent', () => {
  test.each(toolEvents)('$name', ({ value, adapted }) => {
    const before = structuredClone(value)
    const event = adaptToolEvent(Object.freeze(value) as unknown as ToolEvent)
    expect(event).toStrictEqual(adapted)
    expect(decodeAgentEvent(event).status).toBe('known')
    expect(value).toStrictEqual(before)
  })
  test('undefined data is omitted from JSON', () => {
    const event = adaptToolEvent({ type: 'progress', toolName: 'x', data: undefined })
    expect(JSON.stringify(event)).toBe('{"type":"tool_progress","toolName":"x"}')
  })
})

test('comparing the type narrows an event', () => {
  const texts: Record<AgentEvent['type'], (event: AgentEvent) => string> = {
    thought: (event) => (event.type === 'thought' ? event.content : ''),
    tool_call: (event) => (event.type === 'tool_call' ? event.toolArgs : ''),
    tool_progress: (event) => (event.type === 'tool_progress' ? JSON.stringify(event.data) : ''),
    tool_result: (event) => (event.type === 'tool_result' ? event.output : ''),
    stream: (event) => (event.type === 'stream' ? event.content : ''),
    final: () => '',
    error: (event) => (event.type === 'error' ? event.error : ''),
  }
  expect(Object.keys(texts)).toEqual([...agentEventTypes])
})
