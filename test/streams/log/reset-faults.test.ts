// Proves that a reset of which any message cannot be read is a gap: what follows it is never taken for the next events.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pipe, run } from '../../../src/core/machine.ts'
import { batchDecoder, formatEventId, type Received, receiver } from '../../../src/streams/index.ts'
import { runs } from '../../support/runs.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
const event = (message: string) => ({ kind: 'task-status', status: 'working', message, ...place })
const at = (seq: number) => ({ stream: 's', epoch: 'e', seq })

/** Options of the client: all messages that are not damaged are within them. */
const LIMIT = 2000
const limits = { maxMessageSize: LIMIT }

type Fields = Record<string, unknown>

/** Ways to damage a message of a reset. */
const damages: Record<string, (message: Fields) => Fields | undefined> = {
  missing: () => undefined,
  'without a reason': ({ reason: _, ...rest }) => rest,
  'of no stream': (message) => ({ ...message, stream: '' }),
  'of no epoch': (message) => ({ ...message, epoch: 7 }),
  'to no position': (message) => ({ ...message, through: 'four' }),
  'from no position': (message) => ({ ...message, earliest: -1 }),
  'with events that are no list': (message) => ({ ...message, events: {} }),
  'that is too large': (message) => ({ ...message, note: '.'.repeat(LIMIT) }),
  'with a part that is no number': (message) => ({ ...message, part: 'first' }),
}

const encode = (id: string | undefined, name: string | undefined, data: unknown): string =>
  `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

it('a reset with a message that cannot be read is a gap', () => {
  const arbitrary = fc.record({
    have: fc.integer({ min: 0, max: 9 }),
    through: fc.integer({ min: 0, max: 9 }),
    parts: fc.integer({ min: 1, max: 3 }),
    damaged: fc.nat({ max: 2 }),
    damage: fc.constantFrom(...Object.keys(damages)),
    size: fc.integer({ min: 1, max: 400 }),
    isNamed: fc.boolean(),
  })
  fc.assert(
    fc.property(arbitrary, ({ have, through, parts, damaged, damage, size, isNamed }) => {
      // A reset that is missing as a whole leaves nothing to be read, and none leads to where the reader is.
      fc.pre(
        through !== have &&
          damaged < parts &&
          !(damage === 'missing' && (parts === 1 || damaged === parts - 1)),
      )
      const messages = Array.from({ length: parts }, (_, part) => {
        const head = { type: 'reset', reason: 'evicted', stream: 's', epoch: 'e', through, earliest: 0, part }
        const isLast = part === parts - 1
        const whole = { ...head, ...(!isLast && { more: true }), events: [event(`part ${part}`)] }
        const message = part === damaged ? damages[damage]?.(whole) : whole
        return message === undefined
          ? ''
          : encode(
              isLast ? formatEventId(at(through)) : undefined,
              isNamed ? 'stream-reset' : undefined,
              message,
            )
      })
      const next = encode(formatEventId(at(through + 1)), 'task-status', event('next'))
      const body = messages.join('') + next
      const codes: string[] = []
      const start = { cursor: at(have) }
      const client = run(pipe(batchDecoder({ ...limits, ...start }), receiver(start)), {
        onDiagnostic: ({ code }) => codes.push(code),
      })
      const received: Received[] = []
      for (let from = 0; from < body.length; from += size)
        received.push(...client.push(body.slice(from, from + size)))
      received.push(...client.end())
      expect(received.map(({ type }) => type)).toContain('gap')
      expect(received.filter(({ type }) => type === 'events' || type === 'reset')).toEqual([])
      expect(codes).toContain('incomplete-reset')
      expect(client.state[0].lastEventId).toBe(formatEventId(at(have)))
    }),
    { numRuns: runs(300) },
  )
})
