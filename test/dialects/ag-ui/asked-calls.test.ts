// Proves that a page of AG-UI has the call it is asked about, and that a reader has the call start once, after the answer.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ContextAnyEvent, EventDraft } from '../../../src/index.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { outputsOf, reader, writer } from './support.ts'

const toolCall = { id: 'k', type: 'function', function: { name: 'pay', arguments: '{"amount":5}' } } as const
const call = { toolCallId: 'k', toolName: 'pay' } as const

/**
 * A task whose call is streamed in some pieces, or not, asked about, and approved or not.
 *
 * @param hasMore - An approved call has progress, a declined one fails.
 * @param fails - An approved call fails.
 * @param about - The call, or something else.
 */
function asked(
  pieces: number,
  isApproved: boolean,
  hasMore: boolean,
  fails = false,
  about: 'call' | 'other' = 'call',
): ContextAnyEvent[] {
  const text = toolCall.function.arguments
  const deltas = Array.from({ length: pieces }, (_, index): EventDraft => {
    const delta = text.slice((index * text.length) / pieces, ((index + 1) * text.length) / pieces)
    return { kind: 'tool-arguments-delta', ...call, delta, index }
  })
  const outcome = isApproved ? 'answered' : 'declined'
  const result: EventDraft[] = isApproved
    ? [
        { kind: 'tool-start', ...call, arguments: { amount: 5 } },
        ...(hasMore ? [{ kind: 'tool-progress', ...call, progress: 0.5 } as const] : []),
        fails
          ? { kind: 'tool-complete', ...call, success: false, error: 'No money.' }
          : { kind: 'tool-complete', ...call, success: true, result: { paid: 5 } },
      ]
    : [{ kind: 'tool-complete', ...call, success: false, error: 'declined' }]
  const drafts: EventDraft[] = [
    { kind: 'task-created', initiator: 'user' },
    ...deltas,
    {
      kind: 'input-required',
      inputId: 'i',
      inputType: about === 'call' ? 'tool-execution' : 'confirmation',
      prompt: 'Pay?',
      ...(about === 'call' && { metadata: { toolCall } }),
    },
    { kind: 'task-status', status: 'waiting-input' },
    { kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'u', outcome },
    { kind: 'task-status', status: 'working' },
    ...(isApproved || (hasMore && pieces > 0) ? result : []),
    { kind: 'task-status', status: 'completed' },
  ]
  const at = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
  return drafts.map((draft) => ({ ...at, ...draft }) as ContextAnyEvent)
}

const cases = fc.tuple(fc.nat({ max: 4 }), fc.boolean(), fc.boolean())

it('has the call before the interrupt that names it', () => {
  fc.assert(
    fc.property(cases, ([pieces, isApproved, hasMore]) => {
      const written = outputsOf(writer(), asked(pieces, isApproved, hasMore))
      const end = written.findIndex(({ type }) => type === 'RUN_FINISHED')
      const before = written.slice(0, end)
      const pieced = before.flatMap((event) => (event.type === 'TOOL_CALL_ARGS' ? [event.delta] : []))
      expect(before.filter(({ type }) => type === 'TOOL_CALL_START')).toHaveLength(1)
      expect(pieced.join('')).toBe(toolCall.function.arguments)
      expect(written[end]).toMatchObject({
        outcome: { interrupts: [{ reason: 'tool_call', toolCallId: 'k' }] },
      })
    }),
    { numRuns: runs(50) },
  )
})

it('starts once it is approved, and not if it is declined', () => {
  fc.assert(
    fc.property(cases, ([pieces, isApproved, hasMore]) => {
      const written = outputsOf(writer(), asked(pieces, isApproved, hasMore))
      const read = outputsOf(reader(), written)
      expect(errorsOf(read)).toEqual([])
      const kinds = read.map(({ kind }) => kind)
      const start = kinds.indexOf('tool-start')
      if (isApproved) expect(start).toBeGreaterThan(kinds.indexOf('input-received'))
      if (isApproved) expect(kinds.includes('tool-progress')).toBe(hasMore)
      else expect(start).toBe(-1)
      const results = read.flatMap((event) => (event.kind === 'tool-complete' ? [event.success] : []))
      expect(results).toEqual(isApproved ? [true] : hasMore && pieces > 0 ? [false] : [])
    }),
    { numRuns: runs(50) },
  )
})

it('starts once after a question about something else, and after an answer with a tool that fails', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 4 }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      (pieces, hasMore, fails, isOther) => {
        const events = asked(pieces, true, hasMore, fails, isOther ? 'other' : 'call')
        const read = outputsOf(reader(), outputsOf(writer(), events))
        expect(errorsOf(read)).toEqual([])
        const tools = read.filter(({ kind }) => /^tool-(start|progress|complete)/.test(kind))
        expect(tools).toMatchObject([
          { kind: 'tool-start', arguments: { amount: 5 } },
          ...(hasMore ? [{ kind: 'tool-progress', progress: 0.5 }] : []),
          { kind: 'tool-complete', success: !fails },
        ])
      },
    ),
    { numRuns: runs(100) },
  )
})

it('may be edited as AG-UI states it, and is read as it was', () => {
  const args = { type: 'object', properties: { amount: { type: 'number' } } }
  const schema = {
    type: 'object',
    properties: { arguments: args },
    required: ['arguments'],
    additionalProperties: false,
  }
  const events = asked(0, true, false).map((event) =>
    event.kind === 'input-required' ? { ...event, schema } : event,
  )
  const written = outputsOf(writer(), events)
  const responseSchema = {
    ...{ type: 'object', required: ['approved'] },
    properties: { approved: { type: 'boolean' }, editedArgs: args },
  }
  expect(written.find(({ type }) => type === 'RUN_FINISHED')).toMatchObject({
    outcome: { interrupts: [{ responseSchema }] },
  })
  expect(outputsOf(reader(), written).find(({ kind }) => kind === 'input-required')).toMatchObject({ schema })
})
