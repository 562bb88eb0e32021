// Which retries the ledger recognizes: of the latest commands of each sender, whatever others send. What is older has no effect.
import fc from 'fast-check'
import type { Receipt, Sender } from 'turnstream/commands'
import { expect, it } from 'vitest'
import { commandLedger } from '../../src/commands/ledger/ledger.ts'
import { anyone } from '../support/anyone.ts'
import { runs } from '../support/runs.ts'

const start = Date.parse('2026-01-01T00:00:00.000Z')
const hour = 60 * 60 * 1000
const day = 24 * hour

interface Sent {
  readonly sender: Sender
  readonly commandId: string
  readonly timestamp: string
}

/** A stream whose time moves by a millisecond with each command. */
function server(maxEntries: number) {
  const ledger = commandLedger({ ...anyone, maxEntries })
  let { initial: state } = ledger
  let now = start
  let ids = 0
  let accepted = 0
  const deliver = ({ sender, commandId, timestamp }: Sent, more: object = {}): Receipt => {
    const command = { kind: 'task.send', commandId, input: 'Hi', timestamp, ...more }
    const step = ledger.step(state, { type: 'command', command, sender, at: new Date(now).toISOString() })
    state = step.state
    accepted += step.out.filter(({ type }) => type === 'send').length
    return step.out.flatMap((each) => (each.type === 'receipt' ? [each.receipt] : []))[0] as Receipt
  }
  const send = (id: string, skew = 0): Sent => {
    now++
    const timestamp = new Date(now + skew).toISOString()
    const sent = { sender: { role: 'user', id }, commandId: `c-${ids++}`, timestamp } as const
    expect(deliver(sent).status).toBe('accepted')
    return sent
  }
  return {
    deliver,
    send,
    wait: (ms: number) => (now += ms),
    size: () => JSON.stringify(state).length,
    accepted: () => accepted,
  }
}

it('recognizes a retry however much others send', () => {
  const { send, deliver } = server(200)
  const sent = send('alice')
  for (let n = 0; n < 1000; n++) send(`mallory-${n % 3}`)
  expect(deliver(sent).status).toBe('repeated')
  expect(deliver(sent, { input: 'Bye' }).status).toBe('conflict')
})

it('refuses a retry of what is forgotten as too old, and says so', () => {
  const { send, deliver } = server(200)
  const [first, second] = [send('alice'), send('alice')]
  for (let n = 0; n < 199; n++) send('alice')
  expect(deliver(second).status).toBe('repeated')
  const receipt = deliver(first)
  expect(receipt).toMatchObject({ commandId: first.commandId, status: 'too-old' })
  expect(receipt.results).toMatchObject([
    { status: 'too-old', message: expect.stringContaining(first.timestamp) },
  ])
  expect(deliver({ ...first, commandId: 'new', timestamp: new Date(start + day).toISOString() }).status).toBe(
    'accepted',
  )
})

it('remembers for a day, by the clock of the server', () => {
  const { send, deliver, wait } = server(1000)
  // Clocks of clients may be wrong.
  const skews = { alice: 0, bob: -30 * day, carol: hour }
  const sendAll = (): Sent[] => Object.entries(skews).map(([id, skew]) => send(id, skew))
  const sent = sendAll()
  wait(day - 4)
  sendAll()
  expect(sent.map((each) => deliver(each).status)).toEqual(['repeated', 'repeated', 'repeated'])
  wait(4)
  sendAll()
  expect(sent.map((each) => deliver(each).status)).toEqual(['too-old', 'too-old', 'too-old'])
})

it('takes what is sent after a clock was wrong', () => {
  const { send, wait } = server(2)
  for (let n = 0; n < 10; n++) send('alice', 365 * day)
  send('bob')
  wait(day)
  send('alice')
})

it('needs little space, whoever sends how much', () => {
  const { send, size } = server(10)
  for (let n = 0; n < 1000; n++) send(`user-${n % 300}`)
  const before = size()
  for (let n = 1000; n < 3000; n++) send(`user-${n % 300}`)
  expect(size()).toBeLessThan(1.2 * before)
})

it('never applies a command twice, and recognizes the latest of each sender', () => {
  const max = 3
  const move = fc.record({
    sender: fc.constantFrom('alice', 'bob', 'eve'),
    skew: fc.constantFrom(0, 0, -hour, hour),
    wait: fc.constantFrom(0, 0, 0, hour, day / 2),
    retry: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const { send, deliver, wait, accepted } = server(max)
      const skews = new Map<string, number>()
      const all: (Sent & { at: number })[] = []
      let at = 0
      for (const { sender, skew, retry, ...move } of moves) {
        wait(move.wait)
        at += move.wait
        // The clock of a client may be wrong, but it does not jump.
        if (!skews.has(sender)) skews.set(sender, skew)
        all.push({ ...send(sender, skews.get(sender)), at })
        const again = all[retry % all.length] as Sent & { at: number }
        const newer = all.slice(all.indexOf(again) + 1).filter(({ sender }) => sender.id === again.sender.id)
        const isRemembered = newer.length < max && at - again.at < day
        expect(['repeated', ...(isRemembered ? [] : ['too-old'])]).toContain(deliver(again).status)
      }
      expect(accepted()).toBe(all.length)
    }),
    { numRuns: runs(200) },
  )
})

it('refuses no command that is as new as the oldest that is remembered', () => {
  // How far its clock is from that of the server, which stands still: many are created within one millisecond.
  const move = fc.record({ id: fc.constantFrom('alice', 'bob'), skew: fc.integer({ min: -2, max: 2 }) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.array(move, { maxLength: 40 }), (max, moves) => {
      const { deliver, accepted } = server(max)
      const all: Sent[] = []
      for (const { id, skew } of moves) {
        const own = all.filter(({ sender }) => sender.id === id)
        const timestamp = new Date(start + skew).toISOString()
        const sent = { sender: { role: 'user', id }, commandId: `c-${all.length}`, timestamp } as const
        const oldest = own
          .map((each) => each.timestamp)
          .sort()
          .at(-max)
        const { status } = deliver(sent)
        if (oldest === undefined || timestamp >= oldest) expect(status).toBe('accepted')
        if (status === 'accepted') all.push(sent)
        for (const each of all) expect(['repeated', 'too-old']).toContain(deliver(each).status)
      }
      expect(accepted()).toBe(all.length)
    }),
    { numRuns: runs(200) },
  )
})
