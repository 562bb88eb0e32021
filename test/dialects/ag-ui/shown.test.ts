// What a page shows is what the events state, and anything else is reported.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { pageOf } from './peers.ts'
import { outputsOf, writer } from './support.ts'

// The client logs what it does not expect.
vi.spyOn(console, 'warn').mockImplementation(() => {})
vi.spyOn(console, 'error').mockImplementation(() => {})

const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
const created: ContextAnyEvent = { kind: 'task-created', initiator: 'user', ...context }
const completed: ContextAnyEvent = { kind: 'task-status', status: 'completed', ...context }

/** The codes of the diagnostics of a stream, without those of statuses. */
function codesOf(events: readonly ContextAnyEvent[]): string[] {
  const found = resultsOf(writer(), events).flatMap(({ diagnostics }) => diagnostics)
  return found.map(({ code }) => code).filter((code) => code !== 'dropped:task-status')
}

describe('the arguments of a call', () => {
  const call = { toolCallId: 'k', toolName: 'pay' }
  const delta = '{ "amount": 500 }'

  it('that a user has edited are metadata of its end, and reported', async () => {
    const events: ContextAnyEvent[] = [
      created,
      { kind: 'tool-arguments-delta', ...call, delta, index: 0, ...context },
      { kind: 'tool-start', ...call, arguments: { amount: 5 }, ...context },
      { kind: 'tool-complete', ...call, success: true, result: 1, ...context },
      completed,
    ]
    const { messages, errors } = await pageOf(outputsOf(writer(), events))
    expect(errors).toEqual([])
    expect(messages[0]).toMatchObject({
      toolCalls: [{ id: 'k', function: { arguments: delta }, metadata: { arguments: { amount: 5 } } }],
    })
    expect(codesOf(events)).toEqual(['lossy:arguments'])
  })

  it('that are the same in other words are no metadata', () => {
    const events: ContextAnyEvent[] = [
      created,
      { kind: 'tool-arguments-delta', ...call, delta, index: 0, ...context },
      { kind: 'tool-start', ...call, arguments: { amount: 500 }, ...context },
    ]
    expect(codesOf(events)).toEqual([])
    expect(outputsOf(writer(), events).at(-1)).toEqual({
      type: 'TOOL_CALL_END',
      toolCallId: 'k',
      timestamp: Date.parse(context.timestamp),
    })
  })

  it('are those that ran, or reported', () => {
    const edits = fc.infiniteStream(fc.constantFrom('keep', 'edit'))
    const streams = fc.tuple(legalStreams(), edits).map(([events, edits]) =>
      events.map((event): ContextAnyEvent => {
        const isEdited = event.kind === 'tool-start' && edits.next().value === 'edit'
        return isEdited ? { ...event, arguments: { ...event.arguments, edited: true } } : event
      }),
    )
    fc.assert(
      fc.property(streams, (events) => {
        const results = resultsOf(writer(), events)
        const texts = new Map<string, string>()
        for (const [i, { out, diagnostics }] of results.entries()) {
          for (const each of out) {
            if (each.type !== 'TOOL_CALL_ARGS') continue
            texts.set(each.toolCallId, (texts.get(each.toolCallId) ?? '') + each.delta)
          }
          const event = events[i]
          if (event?.kind !== 'tool-start') continue
          const codes = diagnostics.map(({ code }) => code)
          if (codes.includes('dropped:tool-start')) continue
          const isShown = isSame(texts.get(event.toolCallId), event.arguments)
          expect(codes.includes('lossy:arguments')).toBe(!isShown)
          const end = out.find(({ type }) => type === 'TOOL_CALL_END') as AgUiEvent | undefined
          if (!isShown) expect(end?.metadata?.arguments).toEqual(event.arguments)
        }
      }),
      { numRuns: runs(200) },
    )
  })
})

function isSame(text: string | undefined, value: unknown): boolean {
  try {
    expect(JSON.parse(text ?? '')).toEqual(value)
    return true
  } catch {
    return false
  }
}
