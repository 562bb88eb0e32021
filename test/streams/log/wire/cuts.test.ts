// Proves that a client gets the same however messages are cut into chunks, whatever they are and in which order they come.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pipe, run } from '../../../../src/core/machine.ts'
import { batchDecoder, type Received, receiver } from '../../../../src/streams/index.ts'
import { runs } from '../../../support/runs.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
const text = (value: unknown): string => `data: ${JSON.stringify(value)}\n`
const event = (message: string): string => text({ kind: 'task-status', status: 'working', message, ...place })

const id = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map((seq) => `id: s:e:${seq}\n`),
  fc.constantFrom('', 'id: 7\n', 'id: s:f:3\n', 'id\n', 'id: s:e:3:user\n'),
)
const reset = fc
  .record({
    through: fc.integer({ min: -1, max: 6 }),
    part: fc.nat({ max: 2 }),
    more: fc.boolean(),
    epoch: fc.constantFrom('e', 'f'),
    earliest: fc.constantFrom<unknown>(0, 'zero'),
  })
  .map((fields) => text({ type: 'reset', reason: 'evicted', stream: 's', ...fields, events: [] }))
const data = fc.oneof(
  fc.nat({ max: 99 }).map((n) => event(`${n}`)),
  reset,
  fc.constantFrom(
    '',
    text({ kind: 'later', ...place }),
    text({ kind: 'task-status' }),
    text({ type: 'loss', loss: { 'thought-delta': 1 } }),
    text({ type: 'loss', loss: { 'thought-delta': 2 } }),
    text({ type: 'closed' }),
    'data: {\n',
    `data: ${'.'.repeat(500)}\n`,
    `data: ${'['.repeat(60)}\n`,
  ),
)
const name = fc.constantFrom('', 'event: stream-reset\n', 'event: task-status\n')
const message = fc.tuple(name, id, data).map((fields) => `${fields.join('')}\n`)
const start = fc.constantFrom(undefined, { stream: 's', epoch: 'e', seq: 3 })

/** What a client gets, apart from how it is divided into batches. */
function plain(item: Received): unknown[] {
  if (item.type === 'duplicate') return []
  if (item.type !== 'events') return item.type === 'gap' ? ['gap'] : [item]
  return [...(item.loss === undefined ? [] : [item.loss]), ...item.events]
}

function read(chunks: readonly string[], cursor: { stream: string; epoch: string; seq: number } | undefined) {
  const codes: string[] = []
  const options = cursor === undefined ? {} : { cursor }
  const client = run(
    pipe(batchDecoder({ ...options, maxMessageSize: 400, maxDepth: 50 }), receiver(options)),
    {
      onDiagnostic: ({ code }) => codes.push(code),
    },
  )
  const received = [...chunks.flatMap((chunk) => [...client.push(chunk)]), ...client.end()].flatMap(plain)
  // Several gaps in a row are as good as one.
  const items = received.filter((item, i) => item !== 'gap' || received[i - 1] !== 'gap')
  const [{ lastEventId }, { cursor: end, closed }] = client.state
  return { items, codes, lastEventId, end, closed }
}

it('a client gets the same wherever the messages are cut', () => {
  const cuts = fc.array(fc.nat(), { maxLength: 8 })
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), start, cuts, (messages, cursor, places) => {
      const body = messages.join('')
      const whole = read([body], cursor)
      expect(read(messages, cursor)).toEqual(whole)
      expect(read([...body], cursor)).toEqual(whole)
      const at = [...places.map((n) => n % (body.length + 1)), 0, body.length].sort((a, b) => a - b)
      expect(
        read(
          at.slice(1).map((end, i) => body.slice(at[i], end)),
          cursor,
        ),
      ).toEqual(whole)
    }),
    { numRuns: runs(500) },
  )
})

it('nothing is emitted between a reset that was dropped and the next one', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), start, (messages, cursor) => {
      const codes: string[] = []
      const options = cursor === undefined ? {} : { cursor }
      const client = run(pipe(batchDecoder(options), receiver(options)), {
        onDiagnostic: ({ code }) => codes.push(code),
      })
      let isLost = false
      for (const each of messages) {
        const before = codes.length
        const types = client.push(each).map(({ type }) => type)
        const hasDropped = codes.slice(before).includes('incomplete-reset')
        if (types.includes('gap') && hasDropped) isLost = true
        else if (types.includes('reset')) isLost = false
        else if (isLost) expect(types).toEqual([])
      }
    }),
    { numRuns: runs(500) },
  )
})
