// The resume theorem over real responses: whatever connections break where, a reader has folded what it may see.

import fc from 'fast-check'
import { pipe, run } from 'turnstream'
import {
  batchDecoder,
  createStream,
  emptyView,
  foldEvents,
  formatEventId,
  project,
  receiver,
  type Stream,
  type Viewer,
} from 'turnstream/streams'
import { expect, it } from 'vitest'
import { createTaskTree } from '../../../src/streams/access/task-tree.ts'
import { runs } from '../../support/runs.ts'
import { delta } from '../log/support.ts'
import { soundStreams } from '../verify/support.ts'
import { restored, seesHalves } from '../view/restored.ts'

/** How often each case occurred in all runs: the last test requires every one. */
const seen: Record<string, number> = {}
const count = (what: string): void => {
  seen[what] = (seen[what] ?? 0) + 1
}

/** A reader that keeps its view and its position from connection to connection. */
class Reader {
  view = emptyView
  isClosed = false
  readonly viewer: Viewer
  private readonly client = run(pipe(batchDecoder({ keepUnknown: true }), receiver()), {
    onDiagnostic: ({ code, message }) => expect([code, message]).toEqual(['incomplete-message', message]),
  })

  constructor(viewer: Viewer) {
    this.viewer = viewer
  }

  get cursor() {
    return this.client.state[1].cursor
  }

  /** Reads at most `length` bytes of a connection, in chunks, until it ends or has reached `head`. */
  async connect(stream: Stream, head: number, length: number, chunk: number): Promise<void> {
    const { lastEventId } = this.client.state[0]
    if (this.cursor !== undefined) expect(lastEventId).toBe(formatEventId(this.cursor))
    const sent = lastEventId ? { headers: { 'last-event-id': lastEventId } } : {}
    const request = new Request('https://agent.example', sent)
    const { status, headers, body } = stream.respond(request, { viewer: this.viewer })
    const response = new Response(body, { status, headers })
    count(`status ${status}`)
    if (status === 204) {
      expect(this.cursor?.seq).toBe(head)
      this.isClosed = true
    }
    const reading = response.body?.getReader()
    let left = length
    for (let isDone = reading === undefined; !isDone; ) {
      const read = await reading?.read()
      if (read?.value === undefined) break
      for (let at = 0; at < read.value.length && left > 0; at += chunk) {
        const piece = read.value.slice(at, Math.min(at + chunk, at + left))
        left -= piece.length
        this.push(piece)
      }
      isDone =
        left <= 0 || (this.cursor?.seq === head && this.cursor.epoch === epochOf(stream) && !this.isClosing)
    }
    await reading?.cancel()
    this.client.end()
  }

  /** Whether to read on at the head, to the end of the stream. */
  isClosing = false

  private push(bytes: Uint8Array): void {
    for (const received of this.client.push(bytes)) {
      count(received.type === 'reset' ? `reset: ${received.reason}` : received.type)
      if (received.type === 'closed') this.isClosed = true
      if (received.type === 'reset') {
        expect(received.events).toBeDefined()
        this.view = emptyView
      }
      if ('events' in received) this.view = foldEvents(this.view, received.events ?? [])
    }
  }
}

const epochs = new WeakMap<Stream, string>()
const epochOf = (stream: Stream): string | undefined => epochs.get(stream)

function open(epoch: string, maxEvents: number): Stream {
  const stream = createStream({ stream: 'context/ctx-1', epoch, limits: { maxEvents }, now: () => 0 })
  epochs.set(stream, epoch)
  return stream
}

const audience = fc.constantFrom<Viewer>(
  { audience: 'user' },
  { audience: 'coordinator' },
  { audience: 'operator' },
)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('append' as const), times: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('connect' as const),
      length: fc.oneof(fc.nat(4000), fc.constant(1e9)),
      chunk: fc.integer({ min: 1, max: 900 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A reader comes back to the same stream, after its position was evicted, and after a restart. */
const whole = { do: 'connect', length: 1e9, chunk: 900 } as const
const resumed: Step[] = [{ do: 'append', times: 3 }, whole, { do: 'append', times: 3 }, whole]
const evicted: Step[] = [{ do: 'append', times: 3 }, whole, { do: 'append', times: 12 }, whole]
const restarted: Step[] = [{ do: 'append', times: 3 }, whole, { do: 'restart' }, whole]
const deltas = Array.from({ length: 20 }, (_, index) => delta(index))

it('a reader has folded what it may see of the events up to its cursor', async () => {
  await fc.assert(
    fc.asyncProperty(
      soundStreams({ maxChoices: 60 }),
      fc.array(step, { minLength: 4, maxLength: 25 }),
      fc.constantFrom(2, 8, 10_000),
      audience,
      async (events, steps, maxEvents, viewer) => {
        let restarts = 0
        let stream = open('e0', maxEvents)
        let appended = 0
        const reader = new Reader(viewer)
        const check = (): void => {
          const { cursor } = reader
          const seq = cursor?.epoch === epochOf(stream) ? cursor?.seq : undefined
          if (seq === undefined) return
          const tree = createTaskTree()
          const past = events.slice(0, seq + 1).map((event) => tree.stamp(event))
          const expected = foldEvents(
            emptyView,
            past.flatMap((event) => project(event, viewer) ?? []),
          )
          const isOrdered = !seesHalves(past, viewer)
          expect(restored(reader.view, isOrdered)).toEqual(restored(expected, isOrdered))
        }
        for (const what of steps) {
          if (what.do === 'append') {
            for (const event of events.slice(appended, appended + what.times)) await stream.append(event)
            appended = Math.min(appended + what.times, events.length)
          } else if (what.do === 'connect') {
            await reader.connect(stream, appended - 1, what.length, what.chunk)
            check()
          } else {
            stream = open(`e${++restarts}`, maxEvents)
            for (const event of events.slice(0, appended)) await stream.append(event)
          }
        }
        for (const event of events.slice(appended)) await stream.append(event)
        await stream.close()
        reader.isClosing = true
        await reader.connect(stream, events.length - 1, 1e9, 1000)
        expect(reader.isClosed).toBe(true)
        expect(reader.cursor?.seq).toBe(events.length - 1)
        check()
        expect(restored(await stream.view(), true)).toEqual(restored(foldEvents(emptyView, events), true))
        await reader.connect(stream, events.length - 1, 1e9, 1000)
      },
    ),
    {
      numRuns: runs(150, 300),
      examples: [
        [deltas, resumed, 10_000, { audience: 'user' }],
        [deltas, evicted, 2, { audience: 'user' }],
        [deltas, restarted, 2, { audience: 'user' }],
      ],
    },
  )
})

it('covers every case', () => {
  for (const what of [
    'events',
    'closed',
    'reset: evicted',
    'reset: epoch-changed',
    'status 204',
    'status 200',
  ]) {
    expect([what, (seen[what] ?? 0) > 0]).toEqual([what, true])
  }
})
