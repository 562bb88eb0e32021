// Proves that the step of a partial answer is kept, or reported where it changes.
import { expect, test } from 'vitest'
import { fromSessionEvents } from '../../../src/dialects/session/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'

const timestamp = '2026-01-01T00:00:00Z'
const event = (name: string, content: unknown, step_id?: string) => ({
  event: name,
  session_id: 's',
  timestamp,
  content,
  metadata: {},
  ...(step_id !== undefined && { step_id }),
})
const part = (content: string, step?: string) => event('agent.partial_answer', content, step)

/** The steps that the events carry, and those that diagnostics state. */
function stepsOf(events: readonly object[]): { carried: unknown[]; reported: unknown[] } {
  const results = resultsOf(fromSessionEvents(), [event('user.message', 'Hi'), ...events] as never[])
  const carried = results
    .flatMap(({ out }) => out)
    .flatMap((each) => {
      const { metadata } = each as { metadata?: { session?: { step_id?: unknown } } }
      return metadata?.session?.step_id ?? []
    })
  const all = results.flatMap(({ diagnostics }) => diagnostics)
  return { carried, reported: all.filter(({ code }) => code === 'lossy:step_id').map(({ detail }) => detail) }
}

const cancelled = event('agent.interrupted', null)

test.each([
  ['is canceled', [part('a', 'one'), cancelled]],
  ['just ends', [part('a', 'one')]],
  ['ends with an answer that states none', [part('a', 'one'), event('agent.final_answer', 'a')]],
  ['ends with an answer of the same step', [part('a', 'one'), event('agent.final_answer', 'a', 'one')]],
  ['is followed by another one', [part('a', 'one'), event('user.message', 'More')]],
  ['has further parts without a step', [part('a', 'one'), part('b'), cancelled]],
  ['has a first part without a step', [part('a'), part('b', 'one'), cancelled]],
])('the step is carried once if the round %s', (_, events) => {
  expect(stepsOf(events)).toEqual({ carried: ['one'], reported: [] })
})

test.each([
  ['parts', [part('a', 'one'), part('b', 'two'), part('c', 'one'), cancelled], ['one'], ['two']],
  ['an answer', [part('a', 'one'), event('agent.final_answer', 'ab', 'two')], ['two'], ['one']],
])('another step of %s is reported', (_, events, carried, reported) => {
  expect(stepsOf(events)).toEqual({ carried, reported })
})
