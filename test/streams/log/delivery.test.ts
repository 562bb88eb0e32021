// Proves the theorem of delivery: what a client has folded is what the projected log says up to its cursor, less
// what was declared lost; whatever is lost, repeated, late, evicted, restarted, refiltered, merged or dropped.

import { type Runner, run } from 'agentwire'
import {
  type Batch,
  batchDecoder,
  type Cursor,
  encodeBatch,
  type FlowDecision,
  formatEventId,
  type Received,
  type ReceiverState,
  type Reset,
  receiver,
} from 'agentwire/streams'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pipe } from '../../../src/core/machine.ts'
import { runs } from '../../support/runs.ts'
import {
  CANARY,
  type Folding,
  MAKERS,
  type Place,
  pieces,
  Server,
  views,
  wholeView,
} from './delivery-model.ts'

/** What happened in all runs: the proof is about nothing where one of these stays at none. */
const seen: Record<string, number> = {}
const count = (what: string): void => {
  seen[what] = (seen[what] ?? 0) + 1
}

/** The folding side of a client, with what the test knows of it. */
class Client<F> {
  folded: F
  cursor: Cursor | undefined
  isClosed = false
  lens = 0
  private readonly server: Server<F>
  private dropped = new Set<number>()
  private declared = 0

  constructor(server: Server<F>) {
    this.server = server
    this.folded = server.folding.empty
  }

  get filter() {
    return views[this.lens % views.length]?.filter
  }

  /** @param dropped - What was left out of the stretch that `received` is of. */
  take(received: Received, dropped: readonly Place[]): void {
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
      this.folded = received.snapshot as F
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
    const lens = views.find(({ filter }) => filter?.id === cursor.filter)
    const expected = this.server.visible(cursor.epoch, lens?.filter, cursor.seq, this.dropped)
    expect(this.folded).toEqual(expected.reduce(fold, empty))
    if (lens?.isPrivy === false) expect(JSON.stringify(this.folded)).not.toContain(CANARY)
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
  { weight: 9, arbitrary: fc.constantFrom<FlowDecision>('send', 'merge', 'drop-declared') },
  { weight: 1, arbitrary: fc.constant<FlowDecision>('reset') },
)
const limits = fc.record({
  maxEvents: fc.integer({ min: 1, max: 40 }),
  maxBytes: fc.constantFrom(600, 1e6, 1e6),
  maxAgeMs: fc.constantFrom(5, 1000),
})
const happening = {
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
  look: fc.record({ do: fc.constant('look' as const), lens: fc.nat(views.length - 1) }),
  wait: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(4) }),
  restart: fc.record({ do: fc.constant('restart' as const), isStored: fc.boolean() }),
  close: fc.record({ do: fc.constant('close' as const) }),
}

/** Whether something befell the server; says so of what it knows. */
function befall<F>(server: Server<F>, what: { do: string } & Record<string, unknown>): boolean {
  if (what.do === 'emit')
    for (let i = 0; i < Number(what.times); i++) server.emit(Number(what.maker), String(what.task))
  else if (what.do === 'wait') server.wait(Number(what.ms))
  else if (what.do === 'restart') server.restart(what.isStored === true)
  else if (what.do === 'close') server.close()
  else return false
  return true
}

/** Tells a client's story in so many ways, whatever it folds events to. */
function proveTheorem<F>(folding: Folding<F>, tries: number): void {
  it('holds for batches on a channel that loses, repeats and reorders', () => {
    const { emit, send, deliver, lose, reconnect, look, wait, restart, close } = happening
    const story = fc.array(
      fc.oneof(
        { weight: 80, arbitrary: emit },
        { weight: 40, arbitrary: send },
        { weight: 60, arbitrary: deliver },
        { weight: 10, arbitrary: lose },
        { weight: 20, arbitrary: reconnect },
        { weight: 4, arbitrary: look },
        { weight: 4, arbitrary: wait },
        { weight: 3, arbitrary: restart },
        { weight: 1, arbitrary: close },
      ),
      { minLength: 20, maxLength: 120, size: 'max' },
    )
    fc.assert(
      fc.property(limits, story, (limits, story) => {
        const server = new Server(limits, folding)
        const client = new Client(server)
        const receiving: Runner<ReceiverState, Batch | Reset, Received> = run(receiver())
        const channel: { part: Batch | Reset; dropped: readonly Place[] }[] = []
        /** Where the server takes the reader to be, from the last connection on. */
        let sent: Cursor | string | undefined

        const deliverAt = (which: number, isRepeated: boolean): void => {
          const [message] = isRepeated ? channel.slice(which, which + 1) : channel.splice(which, 1)
          if (message === undefined) return
          count(message.part.type === 'batch' && message.part.merged ? 'merged batch' : message.part.type)
          const { loss } = message.part.type === 'batch' ? message.part : {}
          expect(Object.values(loss ?? {}).reduce((sum, n) => sum + n, 0)).toBe(message.dropped.length)
          for (const received of receiving.push(structuredClone(message.part)))
            client.take(received, message.dropped)
        }
        const connect = (): void => {
          const { cursor } = receiving.state
          sent = cursor === undefined ? undefined : formatEventId(cursor)
        }
        const write = (decision: FlowDecision): void => {
          const answer = server.answer(sent, client.filter, decision)
          channel.push(answer)
          const { stream, epoch, through: seq, filter } = answer.part
          sent = { stream, epoch, seq, ...(filter !== undefined && { filter }) }
        }

        for (const what of story) {
          if (befall(server, what)) continue
          if (what.do === 'send') write(what.decision)
          else if (what.do === 'deliver') deliverAt(what.which % (channel.length + 1), what.isRepeated)
          else if (what.do === 'lose') channel.splice(what.which % (channel.length + 1), 1)
          else if (what.do === 'look') client.lens = what.lens
          else connect()
        }
        // Whatever happened, a connection that holds brings the client up to date.
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
    const { emit, send, look, wait, restart, close } = happening
    const breakOff = fc.record({
      do: fc.constant('break' as const),
      at: fc.nat(2000),
      chunk: fc.integer({ min: 1, max: 400 }),
    })
    const story = fc.array(
      fc.oneof(
        { weight: 80, arbitrary: emit },
        { weight: 50, arbitrary: send },
        { weight: 20, arbitrary: breakOff },
        { weight: 4, arbitrary: look },
        { weight: 4, arbitrary: wait },
        { weight: 3, arbitrary: restart },
        { weight: 1, arbitrary: close },
      ),
      { minLength: 10, maxLength: 80, size: 'max' },
    )
    fc.assert(
      fc.property(limits, story, (limits, story) => {
        const server = new Server(limits, folding)
        const client = new Client(server)
        let unreadable = 0
        const reading = run(pipe(batchDecoder({ keepUnknown: true }), receiver()), {
          onDiagnostic: (diagnostic) =>
            (unreadable +=
              diagnostic.code === 'incomplete-message' || diagnostic.code === 'unknown-kind' ? 0 : 1),
        })
        let text = ''
        let dropped: Place[] = []
        let sent: Cursor | string | undefined

        const write = (decision: FlowDecision): void => {
          count('sent')
          const answer = server.answer(sent, client.filter, decision)
          text += encodeBatch(answer.part, { internal: true })
          dropped.push(...answer.dropped)
          const { stream, epoch, through: seq, filter } = answer.part
          sent = { stream, epoch, seq, ...(filter !== undefined && { filter }) }
        }
        /** The client reads so much of what was written, and connects again. */
        const connect = (at: number, chunk: number): void => {
          for (let from = 0; from < Math.min(at, text.length); from += chunk) {
            const piece = text.slice(from, Math.min(from + chunk, at))
            for (const received of reading.push(piece)) client.take(received as Received, dropped)
          }
          reading.end()
          text = ''
          dropped = []
          sent = reading.state[0].sse.lastEventId
        }

        for (const what of story) {
          if (befall(server, what)) continue
          if (what.do === 'send') write(what.decision)
          else if (what.do === 'look') client.lens = what.lens
          else if (what.do === 'break') connect(what.at, what.chunk)
          // A server sends one view on a connection.
          if (what.do === 'look') connect(0, 1)
        }
        for (let i = 0; i < 3; i++) {
          write('send')
          connect(text.length, 64)
        }
        client.checkIsAtHead()
        expect(unreadable).toBe(0)
      }),
      { numRuns: runs(tries) },
    )
  })
}

describe('the theorem of delivery', () => {
  describe('for the simplest fold', () => proveTheorem(pieces, 250))
  describe('for the view, with deltas compacted', () => proveTheorem(wholeView, 60))

  it('is about everything that can happen', () => {
    const all = ['events', 'duplicate', 'gap', 'closed', 'loss', 'batch', 'merged batch', 'reset', 'sent']
    const reasons = ['epoch-changed', 'evicted', 'filter-changed'].map((reason) => `reset: ${reason}`)
    for (const what of [...all, ...reasons]) expect([what, (seen[what] ?? 0) > 0]).toEqual([what, true])
    // Many enough to mean something: 50 000 in a fuzz run of 2000 cases or more.
    const batches = Number(seen.batch) + Number(seen['merged batch']) + Number(seen.reset) + Number(seen.sent)
    expect(batches).toBeGreaterThan(15 * runs(250))
    if (process.env.FC_RUNS !== undefined) console.log(`${batches} batches`, seen)
  })
})
