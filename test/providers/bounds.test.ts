// Proves that the state of a provider is bounded: what is over a limit is dropped and reported, and the rest is legal.

import { openaiChat } from 'agentwire/providers'
import { expect, it } from 'vitest'
import { MAX_ITEMS, MAX_LENGTH } from '../../src/providers/shared/state.ts'
import { readStream, taskOf, violationsOf } from '../support/providers/agent-loop.ts'

const add = (delta: object): object => ({ model: 'm-1', choices: [{ index: 0, delta }] })
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

it('by the length of texts, thoughts and arguments together', () => {
  const { turn, drafts, codes } = readStream(openaiChat(), [
    add({ reasoning: 'x'.repeat(8) }),
    add({ content: 'x'.repeat(MAX_LENGTH) }),
    add({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'a', arguments: '{"x":1}' } }] }),
    end,
  ])
  expect(turn.text).toHaveLength(MAX_LENGTH - 8)
  expect(turn.calls).toEqual([{ toolCallId: 'c1', toolName: 'a', text: '', status: 'incomplete' }])
  expect(codes).toEqual(['too-large', 'too-large', 'arguments-incomplete'])
  expect(violationsOf(taskOf({ drafts, turn }))).toEqual([])
})

it('by the number of calls', () => {
  const calls = Array.from({ length: MAX_ITEMS + 2 }, (_, index) => ({
    index,
    id: `c${index}`,
    function: { name: 'a', arguments: '{}' },
  }))
  const { turn, codes } = readStream(openaiChat(), [add({ tool_calls: calls }), end])
  expect(turn.calls).toHaveLength(MAX_ITEMS)
  expect(new Set(codes)).toEqual(new Set(['too-large']))
})

it('by the number of sources of a text', () => {
  const citations = Array.from({ length: MAX_ITEMS + 1 }, (_, i) => `https://${i}.example`)
  const { drafts, codes } = readStream(openaiChat(), [{ ...add({ content: 'x' }), citations }, end])
  expect(drafts.at(-1)).toMatchObject({ metadata: { sources: { length: MAX_ITEMS } } })
  expect(codes).toEqual(['too-large'])
})
