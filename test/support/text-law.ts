/** The law of writers that send a text as it comes, over deltas that are missing or sent again. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import type { ContextAnyEvent } from '../../src/events/event.ts'
import { resultsOf } from './mapper-laws.ts'
import { runs } from './runs.ts'

const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }

/** An event of one task. */
export const eventOf = (fields: object): ContextAnyEvent => ({ ...context, ...fields }) as ContextAnyEvent

/** The beginning of the task. */
export const started: readonly ContextAnyEvent[] = [
  eventOf({ kind: 'task-created', initiator: 'user' }),
  eventOf({ kind: 'task-status', status: 'working' }),
]

/** A delta of the one text. */
export const deltaOf = (delta: string, index: number): ContextAnyEvent =>
  eventOf({ kind: 'content-delta', delta, index })

/** The end of the one text. */
export const wholeOf = (content: string): ContextAnyEvent => eventOf({ kind: 'content-complete', content })

/** The codes that a step reports, with their reasons. */
export function codesOf(results: ReturnType<typeof resultsOf>): string[] {
  return results.flatMap(({ diagnostics }) =>
    diagnostics.map(({ code, detail }) => {
      const { reason } = (detail ?? {}) as { reason?: string }
      return reason === undefined ? code : `${code} ${reason}`
    }),
  )
}

/** What a text that is received incompletely is reported as. */
const LOSSES = ['lossy:content', 'lossy:index', 'gap']

/**
 * Checks that the text that was sent is the beginning of the text, and all of it once it is complete, or that the difference
 * is reported.
 *
 * @param textOf - The text that a reader of the outputs has.
 */
export function expectTextLaw<Out>(
  machine: () => Machine<unknown, ContextAnyEvent, Out, never>,
  textOf: (out: readonly Out[]) => string,
): void {
  const piece = fc.record({
    text: fc.constantFrom('a', 'b', 'cd', ''),
    copies: fc.constantFrom(0, 1, 1, 1, 2),
  })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.boolean(), (pieces, isComplete) => {
      const deltas = pieces.flatMap(({ text, copies }, i) =>
        Array.from({ length: copies }, () => deltaOf(text, i)),
      )
      const whole = pieces.map(({ text }) => text).join('')
      const end = isComplete ? [wholeOf(whole)] : []
      const results = resultsOf(machine(), [...started, ...deltas, ...end])
      const text = textOf(results.flatMap(({ out }) => out))
      const isKept = isComplete ? text === whole : whole.startsWith(text)
      const again = pieces.filter(({ copies }) => copies === 2).length
      const codes = codesOf(results)
      expect(codes.filter((code) => code === 'dropped:content-delta repeated')).toHaveLength(again)
      if (!isKept) expect(codes.filter((code) => LOSSES.includes(code))).not.toEqual([])
    }),
    { numRuns: runs(300) },
  )
}
