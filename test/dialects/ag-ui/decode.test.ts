// Decoding events and requests: 1.0, the spellings of 0.x, and what is neither.
import { createRequire } from 'node:module'
import type { BaseEvent, Event, Message, RunAgentInput } from '@ag-ui/core'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type AgUiEvent,
  type AgUiMessage,
  type AgUiRunInput,
  decodeAgUiEvent,
  decodeRunAgentInput,
  type fromAgUi,
} from '../../../src/dialects/ag-ui/index.ts'
import { jsonValue } from '../../support/json.ts'
import { runs } from '../../support/runs.ts'
import { schemaErrorsOf } from './peers.ts'
import { shapedEvents } from './shaped-events.ts'
import { agUiEvent } from './streams.ts'

const { RunAgentInputSchema } = createRequire(import.meta.url)('@ag-ui/core/schemas') as {
  RunAgentInputSchema: { safeParse: (value: unknown) => { success: boolean } }
}

const known = (value: unknown) => {
  const decoded = decodeAgUiEvent(value)
  return decoded.status === 'known' ? decoded.event : decoded
}

/** Values that few fields may have. */
const wrong = fc.constantFrom<unknown>(undefined, 7, -1, 1.5, true, 'other', [], [7], {}, { type: 'other' })

/** The path of one of the members of a value, however deep. */
function pathIn(value: unknown, at: number): string[] {
  const paths = pathsOf(value).filter((path) => path.at(-1) !== 'type')
  return paths[at % paths.length] ?? []
}

/** A value with another one at a path; `undefined` removes what is there. */
function changed(value: unknown, path: readonly string[], by: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  if (rest.length === 0 && by === undefined) delete copy[key]
  else copy[key] = changed(copy[key], rest, by)
  return copy
}

/** Where the reader accepts what the schemas refuse: older spellings, and patches, which are checked as they apply. */
function isLenient(path: string, value: unknown): boolean {
  if (path === 'timestamp') return value === 1.5
  if (path === 'role') return value === undefined
  if (path === 'outcome/interrupts') return Array.isArray(value)
  return /^(delta|patch)\//.test(path)
}

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner).map((path) => [key, ...path]),
  ])
}

describe('decodeAgUiEvent', () => {
  it('gives a valid event as it is', () => {
    const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x', threadId: 't', runId: 'r' }
    expect(known(event)).toBe(event)
  })

  it('reads an optional null as absent, but not content that is null', () => {
    const event = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: null, name: null, metadata: null }
    expect(known(event)).toEqual({ type: 'TEXT_MESSAGE_START', messageId: 'm' })
    expect(known({ type: 'STATE_SNAPSHOT', snapshot: null })).toEqual({
      type: 'STATE_SNAPSHOT',
      snapshot: null,
    })
  })

  it.each([
    ['THINKING_START', 'REASONING_START', {}],
    ['THINKING_TEXT_MESSAGE_START', 'REASONING_MESSAGE_START', { role: 'reasoning' }],
    ['THINKING_TEXT_MESSAGE_CONTENT', 'REASONING_MESSAGE_CONTENT', { delta: 'x' }],
    ['THINKING_TEXT_MESSAGE_END', 'REASONING_MESSAGE_END', {}],
    ['THINKING_END', 'REASONING_END', {}],
  ])('reads %s as %s', (older, type, more) => {
    const event = { type: older, ...(older.endsWith('CONTENT') && { delta: 'x' }) }
    expect(known(event)).toEqual({ type, messageId: 'thinking', ...more })
  })

  it('reads a fraction of a millisecond, and the older role of reasoning', () => {
    const event = { type: 'REASONING_MESSAGE_START', messageId: 'm', role: 'assistant', timestamp: 1.5 }
    expect(known(event)).toEqual({ ...event, role: 'reasoning', timestamp: 2 })
    expect(decodeAgUiEvent({ ...event, role: 'user' })).toMatchObject({ issues: [{ path: '/role' }] })
  })

  it('keeps an unknown type, and reports what is wrong with a known one', () => {
    const event = { type: 'PING', at: 1 }
    expect(decodeAgUiEvent(event)).toEqual({ status: 'unknown', kind: 'PING', event })
    const { issues } = decodeAgUiEvent({ type: 'TOOL_CALL_START', toolCallId: 7 }) as {
      issues: { path: string }[]
    }
    expect(issues.map(({ path }) => path)).toEqual(['/toolCallId', '/toolCallName'])
  })

  it('accepts what the schemas of the protocol accept', () => {
    fc.assert(
      fc.property(agUiEvent, (event) => {
        expect(schemaErrorsOf([event])).toEqual([])
        expect(known(event)).toBe(event)
      }),
      { numRuns: runs(300) },
    )
  })

  const message = { messageId: 'm', delta: 'x' }
  const result = { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'k' }
  const sources = [
    { type: 'data', value: 'eA==', mimeType: 'image/png' },
    { type: 'url', value: 'https://x.example/' },
    { type: 'file', value: 'f' },
  ]
  it.each([
    ...['developer', 'system', 'assistant', 'user'].flatMap((role) => [
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role },
      { type: 'TEXT_MESSAGE_CHUNK', ...message, role },
    ]),
    ...['tool-call', 'message'].map((subtype) => ({
      ...{ type: 'REASONING_ENCRYPTED_VALUE', subtype, entityId: 'm', encryptedValue: 'E' },
    })),
    ...['add', 'replace', 'test', 'remove', 'move', 'copy'].map((op) => ({
      type: 'STATE_DELTA',
      delta: [{ op, path: '/a', value: 1, from: '/b' }],
    })),
    ...['image', 'audio', 'video', 'document'].flatMap((type) =>
      sources.map((source) => ({ ...result, content: [{ type, source }] })),
    ),
    { ...result, content: [{ type: 'text', text: 'x' }], role: 'tool' },
  ])('accepts %j', (event) => {
    expect(schemaErrorsOf([event as AgUiEvent])).toEqual([])
    expect(known(event)).toBe(event)
  })

  it('accepts and refuses what the schemas of the protocol do', () => {
    fc.assert(
      fc.property(shapedEvents, fc.nat(), wrong, ([event], at, value) => {
        const path = pathIn(event, at)
        fc.pre(path.length > 0 && !isLenient(path.join('/'), value))
        const other = changed(event, path, value) as AgUiEvent
        const isAccepted = decodeAgUiEvent(other).status === 'known'
        expect({ other, isAccepted }).toEqual({ other, isAccepted: schemaErrorsOf([other]).length === 0 })
      }),
      { numRuns: runs(1000) },
    )
  })

  it('never throws', () => {
    const type = fc.constantFrom('RUN_STARTED', 'RUN_FINISHED', 'STATE_DELTA', 'MESSAGES_SNAPSHOT', 'CUSTOM')
    const value = fc.oneof(
      fc.anything(),
      fc.tuple(type, fc.dictionary(fc.string(), jsonValue())).map(([type, rest]) => ({ ...rest, type })),
    )
    fc.assert(
      fc.property(value, (value) => {
        expect(['known', 'unknown', 'invalid']).toContain(decodeAgUiEvent(value).status)
        expect(['known', 'invalid']).toContain(decodeRunAgentInput(value).status)
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('decodeRunAgentInput', () => {
  const request = {
    threadId: 't',
    runId: 'r',
    protocolVersion: '1.0',
    state: null,
    messages: [
      { id: 'm', role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { id: 'x', role: 'tool', toolCallId: 'c', content: '{}' },
    ],
    tools: [{ name: 'f', description: 'g', parameters: {} }],
    context: [],
    forwardedProps: {},
    resume: [{ interruptId: 'i', status: 'resolved', payload: { ok: true } }],
  }

  it('reads what the client posts', () => {
    expect(RunAgentInputSchema.safeParse(request).success).toBe(true)
    const decoded = decodeRunAgentInput(request)
    expect(decoded.status === 'known' && decoded.event).toBe(request)
  })

  it('reads what older clients post', () => {
    const { tools, context, ...older } = request
    expect(decodeRunAgentInput(older)).toEqual({
      status: 'known',
      event: { ...older, tools: [], context: [] },
    })
  })

  it('reports what is wrong', () => {
    const decoded = decodeRunAgentInput({
      ...request,
      threadId: 7,
      resume: [{ interruptId: 'i', status: 'x' }],
    })
    expect(decoded.status === 'invalid' && decoded.issues.map(({ path }) => path)).toEqual([
      '/threadId',
      '/resume/0/status',
    ])
    expect(decodeRunAgentInput('text').status).toBe('invalid')
  })
})

describe('the types', () => {
  /** An event whose type is a text instead of a member of an enumeration. */
  type Plain<E> = E extends { type: infer T extends string } ? Omit<E, 'type'> & { type: `${T}` } : never

  /** The names of the fields, by type. */
  type FieldsOf<E extends { type: string }> = { [T in E['type']]: keyof Extract<E, { type: T }> }

  it('are those of the package of the protocol', () => {
    expectTypeOf<AgUiEvent['type']>().toEqualTypeOf<`${Event['type']}`>()
    expectTypeOf<Plain<Event>>().toExtend<AgUiEvent>()
    // No type has a field more or less than there.
    expectTypeOf<FieldsOf<AgUiEvent>>().toEqualTypeOf<FieldsOf<Plain<Event>>>()
    expectTypeOf<AgUiRunInput>().toExtend<RunAgentInput>()
    expectTypeOf<RunAgentInput>().toExtend<AgUiRunInput>()
    expectTypeOf<AgUiMessage[]>().toExtend<Message[]>()
  })

  it('take the events of that package, and are given to it by an assertion, as it has an enumeration', () => {
    expectTypeOf<BaseEvent>().toExtend<Parameters<ReturnType<typeof fromAgUi>['step']>[1]>()
    expectTypeOf<Event>().toExtend<Parameters<ReturnType<typeof fromAgUi>['step']>[1]>()
    expectTypeOf<AgUiEvent>().not.toExtend<BaseEvent>()
    // The compiler refuses assertions between types that do not overlap.
    const given = (event: AgUiEvent): [BaseEvent, Event] => [event as BaseEvent, event as Event]
    const event: AgUiEvent = { type: 'RUN_ERROR', message: 'Failed.' }
    expect(given(event)).toEqual([event, event])
  })
})
