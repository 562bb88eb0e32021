// Proves that a stream whose log stores its state continues after a crash where it stopped: each request is answered at most
// once, every event that follows an answer is appended exactly once, and the stream is legal.

import fc from 'fast-check'
import { type ContextAnyEvent, isTerminalStatus, run } from 'turnstream'
import { createCommand, type Sender } from 'turnstream/commands'
import type { Stream } from 'turnstream/server'
import { closeDangling, emptyView, foldEvents, type StateLog, taskOf, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { openOver, Stored, sharedLog } from './shared-log.ts'

const user: Sender = { role: 'user', id: 'user-1' }
const task = { contextId: 'ctx-1', taskId: 'task-1' }
const start = Date.parse('2026-01-01T00:00:00Z')

interface Choice {
  readonly what: number
  readonly a: number
  /** At which of the next writes the process stops, and whether it was stored. */
  readonly stop: { readonly after: number; readonly isStored: boolean } | null
}

/** A log that stores a state with its events, and the process that writes to it, or the next one. */
class World {
  readonly stored = new Stored()
  readonly accepted: string[] = []
  #now = start
  #ids = 0
  #stop: Choice['stop'] = null
  #isDead = false
  #stream: Promise<Stream> = this.#restart()

  get log(): ContextAnyEvent[] {
    return this.stored.events
  }

  #restart(): Promise<Stream> {
    this.#isDead = false
    const log = sharedLog(this.stored)
    const append: StateLog['append'] = (event) => this.#write(() => log.append(event))
    const appendIf: StateLog['appendIf'] = (...args) => this.#write(() => log.appendIf(...args))
    return openOver({ ...log, append, appendIf } as StateLog, { now: () => this.#now })
  }

  async #write<T>(store: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw new Error('stopped')
    const stop = this.#stop
    if (stop === null) return store()
    this.#stop = stop.after === 0 ? null : { ...stop, after: stop.after - 1 }
    if (stop.after > 0) return store()
    this.#isDead = true
    if (stop.isStored) await store()
    throw new Error('stopped')
  }

  /** Does something, in the next process if this one stops, until it is done. */
  async #do<T>(what: (stream: Stream) => Promise<T>): Promise<T> {
    for (;;) {
      const before = await this.#stream
      const outcome = await what(before).then(
        (value) => ({ value }),
        () => undefined,
      )
      if (outcome !== undefined && !this.#isDead) return outcome.value
      await before.release()
      this.#stream = this.#restart()
    }
  }

  async play({ what, a, stop }: Choice): Promise<void> {
    this.#stop = stop
    this.#now += a * 100
    const emit = (bare: object): ContextAnyEvent =>
      ({ ...task, ...bare, timestamp: new Date(this.#now).toISOString() }) as unknown as ContextAnyEvent
    const status = taskOf(foldEvents(emptyView, this.log), task.taskId)?.status ?? null
    if (isTerminalStatus(status)) return
    if (this.log.length === 0) await this.#agent(emit({ kind: 'task-created', initiator: 'user' }))
    const open = await this.#do((stream) => stream.requests())
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
      const { status: first } = await this.#do((stream) => stream.submit(command, user))
      // A process that stopped after it had accepted the command gets it again.
      if (first === 'accepted') this.accepted.push(inputId)
    } else if (what === 9) {
      await this.#do((stream) => stream.submit(createCommand({ kind: 'task.cancel' }), user))
    } else await this.#do((stream) => stream.submit(createCommand({ kind: 'stream.resume' }), user))
  }

  /** Appends an event of the agent unless an earlier attempt has: the agent reads the log after a restart. */
  async #agent(event: ContextAnyEvent): Promise<void> {
    const { length } = this.log
    await this.#do<unknown>((stream) => {
      const isThere = this.log.slice(length).some((each) => JSON.stringify(each) === JSON.stringify(event))
      return isThere ? Promise.resolve() : stream.append(event)
    })
  }

  async end(): Promise<Stream> {
    this.#stop = null
    await this.#do((stream) => stream.submit(createCommand({ kind: 'stream.resume' }), user))
    const at = new Date(this.#now).toISOString()
    const stream = await this.#stream
    for (const event of closeDangling(foldEvents(emptyView, this.log), { reason: 'End.', at })) {
      await stream.append(event)
    }
    return stream
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
        const stream = await world.end()
        const { log } = world
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
          expect(await stream.answer({ inputId: event.inputId })).toBeDefined()
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
        await stream.release()
      }),
      { numRuns: runs(300) },
    )
  })
})
