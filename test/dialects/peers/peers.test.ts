// Recordings of frameworks' own servers are read as what the clients of their protocols show of them, in all but listed cases.

import { describe, expect, it } from 'vitest'
import { check, listed } from './compare.ts'
import { peers, recordingsOf } from './recording.ts'

describe.each(peers)('%s', (peer) => {
  it.each(recordingsOf(peer))('$name', (recording) => check(peer, recording))
})

it('are at least forty, and few of them are listed', () => {
  const all = peers.flatMap((peer) => recordingsOf(peer).map(({ name }) => `${peer} ${name}`))
  expect(all.length).toBeGreaterThan(80)
  expect(new Set(all).size).toBe(all.length)
  expect(Object.keys(listed).filter((name) => !all.includes(name))).toEqual([])
  expect(Object.keys(listed).length).toBeLessThan(all.length / 4)
})
