// Recordings of frameworks' own servers are read as what the clients of their protocols show of them, in all but listed cases.

import { describe, expect, it } from 'vitest'
import { anyOrder, check, listed, readA2a, readerOf } from './compare.ts'
import { peers, readTurns, recordingsOf } from './recording.ts'

describe.each(peers)('%s', (peer) => {
  it.each(recordingsOf(peer))('$name', (recording) => check(peer, recording))

  it('asks in words', () => {
    const events = recordingsOf(peer).flatMap(({ turns }) => readTurns(turns, readerOf(peer)).events)
    const asked = events.flatMap((event) => (event.kind === 'input-required' ? [event] : []))
    expect(asked.filter(({ prompt, metadata }) => prompt === metadata?.reason)).toEqual([])
  })
})

it('are at least forty, and few of them are listed', () => {
  const all = peers.flatMap((peer) => recordingsOf(peer).map(({ name }) => `${peer} ${name}`))
  expect(all.length).toBeGreaterThan(80)
  expect(new Set(all).size).toBe(all.length)
  expect(Object.keys(listed).filter((name) => !all.includes(name))).toEqual([])
  expect(Object.keys(listed).length).toBeLessThan(all.length / 4)
})

describe('a client of A2A that comes back with the task', () => {
  const whole = recordingsOf('adk-a2a')
  it.each(whole)('$name: has all, wherever it left', ({ turns, task }) => {
    const all = turns.flatMap(({ request, items }) => items.map((item) => ({ request, item })))
    const back = { request: { method: 'GetTask' }, items: [{ result: { task } }] }
    const { shown: expected } = readTurns(turns, readA2a)
    // What was asked and answered before it came is no part of the task.
    const first = task !== undefined && turns.length > 1 ? (turns[0]?.items.length ?? 0) : 0
    for (let count = first; count <= all.length; count++) {
      const before = turns.map(({ request }) => {
        const items = all.slice(0, count).filter((each) => each.request === request)
        return { request, items: items.map(({ item }) => item) }
      })
      const { shown, errors } = readTurns([...before.filter(({ items }) => items.length > 0), back], readA2a)
      expect(errors).toEqual([])
      expect(anyOrder(shown), `after ${count} items`).toEqual(anyOrder(expected))
    }
  })
})
