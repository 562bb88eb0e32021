// Proves that a sub-agent becomes a tool with one result, which is an error if the sub-agent had one.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AgentEvent,
  adaptToolEvent,
  decodeToolEvent,
  subAgentToolEvents,
  toolEventVerifier,
} from '../../../src/dialects/agent-event/index.ts'
import type { SubAgentOptions } from '../../../src/dialects/agent-event/to/sub-agent.ts'
import { runs } from '../../support/runs.ts'
import { anything, through } from './support.ts'

const toolName = 'call-agent'
const mapped = (events: readonly AgentEvent[], options: Partial<SubAgentOptions> = {}, error?: string) =>
  through(subAgentToolEvents({ toolName, ...options }), events, error === undefined ? undefined : { error })

const answer: AgentEvent[] = [
  { type: 'thought', content: 'Easy.' },
  { type: 'stream', content: 'It is ' },
  { type: 'stream', content: 'noon.' },
]
const progress = ['It is ', 'noon.'].map((data) => ({ type: 'progress', toolName, data }))
const result = (output: string, more: object = {}) => ({ type: 'result', toolName, output, ...more })

describe('subAgentToolEvents', () => {
  test('forwards the answer and repeats it as the result', () => {
    const { out, codes } = mapped([...answer, { type: 'final' }])
    expect(out).toStrictEqual([...progress, result('It is noon.')])
    expect(codes).toEqual(['dropped:thought'])
    expect(out.map(adaptToolEvent).map(({ type }) => type)).toEqual([
      'tool_progress',
      'tool_progress',
      'tool_result',
    ])
  })
  test.each<[string, AgentEvent[], string | undefined, string, string[]]>([
    ['an error', [...answer, { type: 'error', error: 'Quota.' }], undefined, 'Quota.', []],
    [
      'the first of two errors',
      [...answer, { type: 'error', error: 'Quota.' }, { type: 'error', error: 'b' }],
      undefined,
      'Quota.',
      ['dropped:error'],
    ],
    [
      'an error after final',
      [...answer, { type: 'final' }, { type: 'error', error: 'Late.' }],
      undefined,
      'Late.',
      [],
    ],
    [
      'an error before final',
      [...answer, { type: 'error', error: 'Quota.' }, { type: 'final' }],
      undefined,
      'Quota.',
      ['dropped:final'],
    ],
    ['an empty error', [...answer, { type: 'error', error: '' }], undefined, '', []],
    ['a thrown error', answer, 'socket hang up', 'socket hang up', []],
    ['an error thrown after final', [...answer, { type: 'final' }], 'no', 'no', []],
    ['no end', answer, undefined, 'The sub-agent ended without final or error.', ['gap']],
  ])('fails with %s', (_, events, error, output, codes) => {
    const { out, codes: found } = mapped(events, {}, error)
    expect(out).toStrictEqual([...progress, result(output, { isError: true })])
    expect(found).toEqual(['dropped:thought', ...codes])
  })
  test('an empty stream is truncated', () => {
    expect(mapped([]).out).toMatchObject([{ type: 'result', isError: true }])
  })
  test('forwards other events when asked', () => {
    const { out, codes } = mapped([...answer, { type: 'final' }], { forward: ['thought'] })
    expect(out[0]).toStrictEqual({
      type: 'progress',
      toolName,
      data: { subtype: 'agent_event', event: answer[0] },
    })
    expect(codes).toEqual([])
  })
  test('truncates a long answer, and reports it', () => {
    const { out, codes } = mapped([...answer, ...answer, { type: 'final' }], { maxOutputLength: 8 })
    expect(out.at(-1)).toStrictEqual(result('It is no'))
    expect(out).toHaveLength(5)
    expect(codes).toContain('lossy:output')
  })
  test('keeps 16 Mi code units of the answer by default', () => {
    const pieces = ['a'.repeat(16 * 1024 * 1024), 'b'].map((content) => ({
      type: 'stream' as const,
      content,
    }))
    const { out, codes } = mapped([...pieces, { type: 'final' }])
    expect(out.at(-1)?.type === 'result' && out.at(-1)).toHaveProperty('output.length', 16 * 1024 * 1024)
    expect(codes).toEqual(['lossy:output'])
    expect(mapped([...pieces.slice(0, 1), { type: 'final' }]).codes).toEqual([])
  })
  test('emits the result once', () => {
    const machine = subAgentToolEvents({ toolName })
    const { state } = machine.end(machine.initial)
    expect(machine.end(state).out).toEqual([])
    expect(machine.step(state, { type: 'error', error: 'a' })).toMatchObject({
      out: [],
      diagnostics: [{ code: 'dropped:error', detail: { reason: 'after-end' } }],
    })
  })
  test('throws for invalid options', () => {
    expect(() => subAgentToolEvents({ toolName: '' })).toThrow(TypeError)
    expect(() => subAgentToolEvents({ toolName, maxOutputLength: 0 })).toThrow(TypeError)
  })

  test('arbitrary input yields a legal run, which never succeeds after an error', () => {
    const host = fc.option(fc.string(), { nil: undefined })
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 12 }), host, (events, error) => {
        const { out } = mapped(events, { forward: ['tool_call', 'tool_result'] }, error)
        expect(through(toolEventVerifier(), out).out).toEqual([])
        for (const event of out) expect(decodeToolEvent(event).status).toBe('known')
        const last = out.at(-1)
        const types = events.map((event) => (event as { type?: unknown } | null)?.type)
        const isCertain = types.includes('final') && !types.includes('error') && error === undefined
        if (last?.type !== 'result') throw new Error('No result.')
        if (isCertain) {
          const chunks = out.flatMap((event) =>
            event.type === 'progress' && typeof event.data === 'string' ? [event.data] : [],
          )
          expect(last).toStrictEqual(result(chunks.join('')))
        } else if (error !== undefined || !types.includes('final')) expect(last.isError).toBe(true)
        else if (events.some((event) => event?.type === 'error' && typeof event.error === 'string')) {
          expect(last.isError).toBe(true)
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})
