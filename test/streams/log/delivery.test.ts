// The resume theorem: what a client has folded equals the fold of the filtered log up to its cursor, except for the
// events declared as dropped. Holds under loss, repetition, delay, eviction, restarts, new filters, merges and drops.

import fc from 'fast-check'
import { run } from 'turnstream'
import {
  type Batch,
  batchDecoder,
  type Cursor,
  encodeBatch,
  formatEventId,
  type Received,
  type Reset,
  receiver,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { pipe } from '../../../src/core/machine.ts'
import type { BackpressureDecision } from '../../../src/streams/log/backpressure.ts'
import { runs } from '../../support/runs.ts'
import {
  CANARY,
  type Folding,
  MAKERS,
  type Position,
  pieces,
  readers,
  Server,
  wholeView,
} from './delivery-model.ts'

/** How often each case occurred in all runs: the last test requires every one. */
const seen: Record<string, number> = {}
const count = (what: string): void => {
  seen[what] = (seen[what] ?? 0) + 1
}

/** The state of a client, with what the test knows about it. */
class Client<F> {
  folded: F
  cursor: Cursor | undefined
  isClosed = false
  reader = 0
  private readonly server: Server<F>
  private dropped = new Set<number>()
  private declared = 0

  constructor(server: Server<F>) {
    this.server = server
    this.folded = server.folding.empty
  }

  get filter() {
    return readers[this.reader % readers.length]?.filter
  }

  /** @param dropped - Positions dropped from the batch that led to `received`. */
  handle(received: Received, dropped: readonly Position[]): void {
    count(received.type === 'reset' ? `reset: ${received.reason}` : received.type)
    if (received.type === 'closed') this.isClosed = true
    if (received.type === 'events') {
      const { epoch, seq: through } = received.cursor
      for (const { seq } of dropped.filter((one) => one.epoch === epoch)) {
        if (seq > (this.cursor?.seq ?? -1) && seq <= through) this.dropped.add(seq)
      }
      for (const loss of Object.values(received.loss ?? {})) this.declared += loss
      if (received.loss !== undefined) count('loss')
      this.folded = received.events.reduce(this.server.folding.fold, this.folded)
    }
    if (received.type === 'reset') {
      const { empty, fold } = this.server.folding
      this.folded = (received.events ?? []).reduce(fold, empty)
      this.dropped = new Set()
      this.declared = 0
      this.isClosed = false
    }
    if (received.type !== 'gap') this.cursor = received.cursor
    this.check()
  }

  /** The theorem. */
  check(): void {
    const { cursor } = this
    const { empty, fold } = this.server.folding
    if (cursor === undefined) {
      expect(this.folded).toEqual(empty)
      return
    }
    const reader = readers.find(({ filter }) => filter?.id === cursor.filter)
    const expected = this.server.visible(cursor.epoch, reader?.filter, cursor.seq, this.dropped)
    expect(this.folded).toEqual(expected.reduce(fold, empty))
    if (reader?.seesAll === false) expect(JSON.stringify(this.folded)).not.toContain(CANARY)
    expect(this.dropped.size).toBeLessThanOrEqual(this.declared)
    for (const seq of this.dropped) {
      expect(this.server.kindAt(cursor.epoch, seq)).toMatch(/^(?:thought-delta|thought-stream|internal:.*)$/)
    }
  }

  checkIsAtHead(): void {
    expect(this.cursor).toMatchObject({ epoch: this.server.log.epoch, seq: this.server.log.next - 1 })
    expect(this.cursor?.filter).toBe(this.filter?.id)
    expect(this.isClosed).toBe(this.server.log.closed)
    this.check()
  }
}

const nat = fc.nat(9)
const decision = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom<BackpressureDecision>('send', 'merge', 'drop-declared') },
  { weight: 1, arbitrary: fc.constant<BackpressureDecision>('reset') },
)
const limits = fc.record({
  maxEvents: fc.integer({ min: 1, max: 40 }),
  maxBytes: fc.constantFrom(600, 1e6, 1e6),
  maxAgeMs: fc.constantFrom(5, 1000),
})
const actions = {
  emit: fc.record({
    do: fc.constant('emit' as const),
    maker: fc.nat(MAKERS - 1),
    task: fc.constantFrom('a', 'b'),
    times: fc.integer({ min: 1, max: 4 }),
  }),
  send: fc.record({ do: fc.constant('send' as const), decision }),
  deliver: fc.record({ do: fc.constant('deliver' as const), which: nat, isRepeated: fc.boolean() }),
  lose: fc.record({ do: fc.constant('lose' as const), which: nat }),
  reconnect: fc.record({ do: fc.constant('reconnect' as const) }),
  refilter: fc.record({ do: fc.constant('refilter' as const), reader: fc.nat(readers.length - 1) }),
  wait: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(4) }),
  restart: fc.record({ do: fc.constant('restart' as const), fromStored: fc.boolean() }),
  close: fc.record({ do: fc.constant('close' as const) }),
}

/** Applies an action of the server. Returns `false` for actions of others. */
function applyToServer<F>(server: Server<F>, action: { do: string } & Record<string, unknown>): boolean {
  if (action.do === 'emit')
    for (let i = 0; i < Number(action.times); i++) server.emit(Number(action.maker), String(action.task))
  else if (action.do === 'wait') server.wait(Number(action.ms))
  else if (action.do === 'restart') server.restart(action.fromStored === true)
  else if (action.do === 'close') server.close()
  else return false
  return true
}

/** Checks the theorem on generated histories, for any fold. */
function proveTheorem<F>(folding: Folding<F>, tries: number): void {
  it('holds for batches on a channel that loses, repeats and reorders messages', () => {
    const { emit, send, deliver, lose, reconnect, refilter, wait, restart, close } = actions
    const history = fc.array(
      fc.oneof(
        { weight: 80, arbitrary: emit },
        { weight: 40, arbitrary: send },
        { weight: 60, arbitrary: deliver },
        { weight: 10, arbitrary: lose },
        { weight: 20, arbitrary: reconnect },
        { weight: 4, arbitrary: refilter },
        { weight: 4, arbitrary: wait },
        { weight: 3, arbitrary: restart },
        { weight: 1, arbitrary: close },
      ),
      { minLength: 20, maxLength: 120, size: 'max' },
    )
    fc.assert(
      fc.property(limits, history, (limits, history) => {
        const server = new Server(limits, folding)
        const client = new Client(server)
        const receiving = run(receiver())
        const channel: { part: Batch | Reset; dropped: readonly Position[] }[] = []
        /** The reader's cursor as the server knows it. */
        let sent: Cursor | string | undefined

        const deliverAt = (which: number, isRepeated: boolean): void => {
          const [message] = isRepeated ? channel.slice(which, which + 1) : channel.splice(which, 1)
          if (message === undefined) return
          count(message.part.type === 'batch' && message.part.merged ? 'merged batch' : message.part.type)
          const { loss } = message.part.type === 'batch' ? message.part : {}
          expect(Object.values(loss ?? {}).reduce((sum, n) => sum + n, 0)).toBe(message.dropped.length)
          for (const received of receiving.push(structuredClone(message.part)))
            client.handle(received, message.dropped)
        }
        const connect = (): void => {
          const { cursor } = receiving.state
          sent = cursor === undefined ? undefined : formatEventId(cursor)
        }
        const write = (decision: BackpressureDecision): void => {
          const answer = server.answer(sent, client.filter, decision)
          channel.push(answer)
          const { stream, epoch, through: seq, filter } = answer.part
          sent = { stream, epoch, seq, ...(filter !== undefined && { filter }) }
        }

        for (const what of history) {
          if (applyToServer(server, what)) continue
          if (what.do === 'send') write(what.decision)
          else if (what.do === 'deliver') deliverAt(what.which % (channel.length + 1), what.isRepeated)
          else if (what.do === 'lose') channel.splice(what.which % (channel.length + 1), 1)
          else if (what.do === 'refilter') client.reader = what.reader
          else connect()
        }
        // Afterwards, one reliable connection brings the client up to date.
        channel.length = 0
        connect()
        for (let i = 0; i < 2; i++) {
          write('send')
          deliverAt(0, false)
        }
        client.checkIsAtHead()
      }),
      { numRuns: runs(tries) },
    )
  })

  it('holds for SSE connections that break anywhere and are resumed with Last-Event-ID', () => {
    const { emit, send, refilter, wait, restart, close } = actions
    const breakOff = fc.record({
      do: fc.constant('break' as const),
      at: fc.nat(2000),
      chunk: fc.integer({ min: 1, max: 400 }),
    })
    const history = fc.array(
      fc.oneof(
        { weight: 80, arbitrary: emit },
        { weight: 50, arbitrary: send },
        { weight: 20, arbitrary: breakOff },
        { weight: 4, arbitrary: refilter },
        { weight: 4, arbitrary: wait },
        { weight: 3, arbitrary: restart },
        { weight: 1, arbitrary: close },
      ),
      { minLength: 10, maxLength: 80, size: 'max' },
    )
    fc.assert(
      fc.property(limits, history, (limits, history) => {
        const server = new Server(limits, folding)
        const client = new Client(server)
        let unexpected = 0
        const reading = run(pipe(batchDecoder({ keepUnknown: true }), receiver()), {
          onDiagnostic: (diagnostic) =>
            (unexpected +=
              diagnostic.code === 'incomplete-message' || diagnostic.code === 'unknown-kind' ? 0 : 1),
        })
        let text = ''
        let dropped: Position[] = []
        let sent: Cursor | string | undefined

        const write = (decision: BackpressureDecision): void => {
          count('sent')
          const answer = server.answer(sent, client.filter, decision)
          text += encodeBatch(answer.part, { viewer: 'all' })
          dropped.push(...answer.dropped)
          const { stream, epoch, through: seq, filter } = answer.part
          sent = { stream, epoch, seq, ...(filter !== undefined && { filter }) }
        }
        /** The client reads the first `at` characters of what was written and connects again. */
        const connect = (at: number, chunk: number): void => {
          for (let from = 0; from < Math.min(at, text.length); from += chunk) {
            const piece = text.slice(from, Math.min(from + chunk, at))
            for (const received of reading.push(piece)) client.handle(received as Received, dropped)
          }
          reading.end()
          text = ''
          dropped = []
          sent = reading.state[0].lastEventId
        }

        for (const what of history) {
          if (applyToServer(server, what)) continue
          if (what.do === 'send') write(what.decision)
          else if (what.do === 'refilter') client.reader = what.reader
          else if (what.do === 'break') connect(what.at, what.chunk)
          // A connection has one filter.
          if (what.do === 'refilter') connect(0, 1)
        }
        for (let i = 0; i < 3; i++) {
          write('send')
          connect(text.length, 64)
        }
        client.checkIsAtHead()
        expect(unexpected).toBe(0)
      }),
      { numRuns: runs(tries) },
    )
  })
}

describe('the resume theorem', () => {
  describe('for the simplest fold', () => proveTheorem(pieces, 1000))
  describe('for the view, with deltas compacted', () => proveTheorem(wholeView, 240))

  it('covers every case', () => {
    const all = ['events', 'duplicate', 'gap', 'closed', 'loss', 'batch', 'merged batch', 'reset', 'sent']
    const reasons = ['epoch-changed', 'evicted', 'filter-changed'].map((reason) => `reset: ${reason}`)
    for (const what of [...all, ...reasons]) expect([what, (seen[what] ?? 0) > 0]).toEqual([what, true])
    // At least 50 000 in a fuzz run of 2000 cases or more.
    const batches = Number(seen.batch) + Number(seen['merged batch']) + Number(seen.reset) + Number(seen.sent)
    expect(batches).toBeGreaterThan(15 * runs(1000))
    if (process.env.FC_RUNS !== undefined) console.log(`${batches} batches`, seen)
  })
})
