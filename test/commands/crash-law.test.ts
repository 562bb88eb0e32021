// Proves that a ledger which stores its state with each event continues after a crash where it stopped: each request is
// answered at most once, every event that follows an answer is appended exactly once, and the stream is legal.

import fc from 'fast-check'
import { type ContextAnyEvent, isTerminalStatus, run } from 'turnstream'
import {
  answerTo,
  type CommandLedgerState,
  createCommand,
  createLedger,
  type LocalLedger,
  openRequests,
  type Sender,
} from 'turnstream/commands'
import { closeDangling, emptyView, foldEvents, taskOf, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'

const user: Sender = { role: 'user', id: 'user-1' }
const task = { contextId: 'ctx-1', taskId: 'task-1' }
const start = Date.parse('2026-01-01T00:00:00Z')

interface Choice {
  readonly what: number
  readonly a: number
  /** At which of the next events the process stops, and whether the event was stored. */
  readonly stop: { readonly after: number; readonly isStored: boolean } | null
}

/** A stream and a state that are stored in one step, and the process that runs, or the next one. */
class World {
  readonly log: ContextAnyEvent[] = []
  readonly accepted: string[] = []
  #stored: string | undefined
  #now = start
  #ids = 0
  #stop: Choice['stop'] = null
  #ledger: LocalLedger

  constructor() {
    this.#ledger = this.#restart()
  }

  #restart(): LocalLedger {
    let isDead = false
    const append = async (event: ContextAnyEvent, state: CommandLedgerState): Promise<void> => {
      await Promise.resolve()
      if (isDead) throw new Error('stopped')
      const stop = this.#stop?.after === 0 ? this.#stop : null
      if (this.#stop !== null)
        this.#stop = stop === null ? { ...this.#stop, after: this.#stop.after - 1 } : null
      if (stop === null || stop.isStored) {
        this.log.push(event)
        this.#stored = JSON.stringify(state)
      }
      if (stop === null) return
      isDead = true
      throw new Error('stopped')
    }
    const state = this.#stored === undefined ? {} : { state: JSON.parse(this.#stored) as CommandLedgerState }
    return createLedger({ append, now: () => this.#now, ...state })
  }

  /** Does something, in the next process if this one stops, until it is done. */
  async #do<T>(what: (ledger: LocalLedger) => Promise<T>): Promise<T> {
    for (;;) {
      const before = this.#ledger
      const outcome = await what(before).then(
        (value) => ({ value }),
        () => undefined,
      )
      const isStopped = this.#stored !== undefined && this.#isBehind(before)
      if (outcome !== undefined && !isStopped) return outcome.value
      before.close()
      this.#ledger = this.#restart()
      // What was pending is appended before anything else.
      await this.#ledger.requests()
    }
  }

  /** Whether the process has stopped after an event that it was to append later. */
  #isBehind({ state }: LocalLedger): boolean {
    return JSON.stringify(state).includes('"pending"')
  }

  async play({ what, a, stop }: Choice): Promise<void> {
    this.#stop = stop
    this.#now += a * 100
    const emit = (bare: object): ContextAnyEvent =>
      ({ ...task, ...bare, timestamp: new Date(this.#now).toISOString() }) as unknown as ContextAnyEvent
    const status = taskOf(foldEvents(emptyView, this.log), task.taskId)?.status ?? null
    if (isTerminalStatus(status)) return
    if (this.log.length === 0) await this.#agent(emit({ kind: 'task-created', initiator: 'user' }))
    const open = openRequests(this.#ledger.state)
    if (what < 4) {
      const id = `${++this.#ids}`
      const toolCall = { id: `c-${id}`, function: { name: 'book', arguments: '{}' } }
      const metadata = {
        ...(what > 0 && { toolCall }),
        ...(what === 3 && { provider: 'client' }),
        ...(a % 3 === 0 && { timeout: 1 }),
      }
      const inputType = what > 0 ? 'tool-execution' : 'custom'
      await this.#agent(
        emit({ kind: 'input-required', inputId: `i-${id}`, inputType, prompt: '?', metadata }),
      )
      await this.#agent(emit({ kind: 'task-status', status: 'waiting-input' }))
    } else if (what < 9) {
      const request = open[a % Math.max(1, open.length)]
      const inputId = request?.id ?? `i-${a}`
      const isRun = request?.isExecution === true
      const command = isRun
        ? createCommand({
            kind: 'tool.result',
            toolCallId: inputId.replace('i', 'c'),
            success: true,
            result: a,
          })
        : createCommand({ kind: 'input.respond', responses: [{ inputId, outcome: 'answered' }] })
      const { status: first } = await this.#do((ledger) => ledger.submit(command, user))
      // A process that stopped after it had accepted the command gets it again.
      if (first === 'accepted') this.accepted.push(inputId)
    } else if (what === 9) {
      await this.#do((ledger) => ledger.submit(createCommand({ kind: 'task.cancel' }), user))
    } else await this.#do((ledger) => ledger.submit(createCommand({ kind: 'stream.resume' }), user))
  }

  /** Appends an event of the agent unless an earlier attempt has: the agent reads the log after a restart. */
  async #agent(event: ContextAnyEvent): Promise<void> {
    const { length } = this.log
    await this.#do((ledger) => {
      const isThere = this.log.slice(length).some((each) => JSON.stringify(each) === JSON.stringify(event))
      return isThere ? Promise.resolve() : ledger.append(event)
    })
  }

  async end(): Promise<void> {
    this.#stop = null
    await this.#do((ledger) => ledger.submit(createCommand({ kind: 'stream.resume' }), user))
    const at = new Date(this.#now).toISOString()
    for (const event of closeDangling(foldEvents(emptyView, this.log), { reason: 'End.', at })) {
      await this.#ledger.append(event)
    }
    this.#ledger.close()
  }

  get state(): CommandLedgerState {
    return this.#ledger.state
  }
}

const choices = fc.array(
  fc.record({
    what: fc.nat(10),
    a: fc.nat(20),
    stop: fc.option(fc.record({ after: fc.nat(4), isStored: fc.boolean() }), { freq: 1 }),
  }),
  { maxLength: 25, size: 'max' },
)

describe('a process that may stop between any two events', () => {
  it('answers each request at most once, and appends everything that follows exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (steps) => {
        const world = new World()
        for (const step of steps) await world.play(step)
        await world.end()
        const { log, state } = world
        const { push, end } = run(verifier({ mode: 'strict' }))
        const violations = [...log.flatMap((event) => [...push(event)]), ...end()]
        expect(violations.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(world.accepted).toEqual([...new Set(world.accepted)])
        const ends = log.flatMap((event) =>
          event.kind === 'input-received' || event.kind === 'input-canceled' ? [event.inputId] : [],
        )
        expect(ends).toEqual([...new Set(ends)])
        const asked = log.flatMap((event) => (event.kind === 'input-required' ? [event.inputId] : []))
        expect([...ends].sort()).toEqual([...asked].sort())
        for (const event of log) {
          if (event.kind !== 'input-received') continue
          expect(answerTo(state, { inputId: event.inputId }).status).toBe('answered')
          // The result of a client ends its call, however often the process stopped in between.
          const asking = log.find((each) => each.kind === 'input-required' && each.inputId === event.inputId)
          const { metadata } = asking as { metadata?: { provider?: string } }
          if (metadata?.provider !== 'client') continue
          const toolCallId = event.inputId.replace('i', 'c')
          const kinds = log.flatMap((each) =>
            'toolCallId' in each && each.toolCallId === toolCallId ? [each.kind] : [],
          )
          expect(kinds).toEqual(['tool-start', 'tool-complete'])
        }
      }),
      { numRuns: runs(300) },
    )
  })
})
