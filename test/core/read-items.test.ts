// Proves that a source is read to the last item before an abort, and unlocked however reading ends.

import fc from 'fast-check'
import { iterate, type Machine } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { iterateBatches } from '../../src/core/iterate.ts'
import { runs } from '../support/runs.ts'

/** Emits each item of each input, and `end` at the end. */
const spread: Machine<null, readonly string[], string> = {
  initial: null,
  step: (state, input) => ({ state, out: input }),
  end: (state) => ({ state, out: ['end'] }),
}

interface Probe {
  readonly stream: ReadableStream<string[]>
  /** The reason of each cancellation. */
  readonly cancellations: unknown[]
  /** How often the source was asked for an input. */
  readonly pulls: () => number
}

/** A stream of inputs that ends, fails or hangs after them. */
function probe(inputs: readonly string[][], ending: 'close' | 'fail' | 'hang' = 'close'): Probe {
  const cancellations: unknown[] = []
  let pulls = 0
  const stream = new ReadableStream<string[]>(
    {
      pull(controller) {
        const input = inputs[pulls++]
        if (input !== undefined) controller.enqueue(input)
        else if (ending === 'close') controller.close()
        else if (ending === 'fail') controller.error(new Error('lost'))
        else return new Promise(() => {})
        return undefined
      },
      cancel(reason) {
        cancellations.push(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, cancellations, pulls: () => pulls }
}

const inputs = fc.array(fc.array(fc.string({ maxLength: 2 }), { maxLength: 4 }), { maxLength: 5 })
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

describe('a stream that is read', () => {
  it('gives exactly the items before an abort, at whichever item', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, fc.nat(12), fc.boolean(), async (all, at, whileReading) => {
        const { stream, cancellations } = probe(all, 'hang')
        const items = all.flat()
        const k = Math.min(at, items.length)
        const controller = new AbortController()
        const reason = new Error('enough')
        const seen: string[] = []
        const reading = iterate(spread, stream, { signal: controller.signal })
        for (let i = 0; i < k; i++) {
          const next = await reading.next()
          if (next.done !== true) seen.push(next.value)
        }
        // With nothing left, the next call waits for the source.
        const pending = whileReading && k === items.length ? reading.next() : undefined
        await turn()
        controller.abort(reason)
        await expect(pending ?? reading.next()).rejects.toBe(reason)
        expect(await reading.next()).toEqual({ done: true, value: undefined })
        expect(seen).toEqual(items.slice(0, k))
        expect(stream.locked).toBe(false)
        // A stream that nobody has read yet is canceled, too.
        expect(cancellations).toEqual([reason])
      }),
      { numRuns: runs(100) },
    )
  })

  it('is unlocked and canceled after every way to leave it', async () => {
    await fc.assert(
      fc.asyncProperty(
        inputs,
        fc.nat(12),
        fc.constantFrom('return', 'throw', 'break', 'pending return', 'pending throw'),
        async (all, at, way) => {
          const { stream, cancellations } = probe(all, 'hang')
          const items = all.flat()
          const k = way.startsWith('pending') ? items.length : Math.min(at, items.length)
          const reading = iterate(spread, stream)
          const seen: string[] = []
          for (let i = 0; i < k; i++) seen.push((await reading.next()).value as string)
          if (way.startsWith('pending')) {
            const pending = [reading.next(), reading.next()]
            await turn()
            if (way === 'pending throw')
              await expect(reading.throw(new Error('left'))).rejects.toThrow('left')
            else expect(await reading.return()).toEqual({ done: true, value: undefined })
            expect(await Promise.all(pending)).toEqual(Array(2).fill({ done: true, value: undefined }))
          } else if (way === 'throw') {
            await expect(reading.throw(new Error('left'))).rejects.toThrow('left')
          } else if (way === 'return' || k === items.length) {
            expect(await reading.return()).toEqual({ done: true, value: undefined })
          } else for await (const _item of reading) break
          expect(await reading.next()).toEqual({ done: true, value: undefined })
          expect(seen).toEqual(items.slice(0, k))
          expect(stream.locked).toBe(false)
          expect(cancellations).toHaveLength(1)
        },
      ),
      { numRuns: runs(100) },
    )
  })

  it.each(['close', 'fail'] as const)('is unlocked and not canceled after: %s', async (ending) => {
    await fc.assert(
      fc.asyncProperty(inputs, async (all) => {
        const { stream, cancellations } = probe(all, ending)
        const seen: string[] = []
        const reading = (async () => {
          for await (const item of iterate(spread, stream)) seen.push(item)
        })()
        if (ending === 'fail') await expect(reading).rejects.toThrow('lost')
        else await reading
        expect(seen).toEqual(ending === 'fail' ? all.flat() : [...all.flat(), 'end'])
        expect(stream.locked).toBe(false)
        expect(cancellations).toEqual([])
      }),
      { numRuns: runs(50) },
    )
  })

  it('is canceled and not read if the signal is already aborted', async () => {
    const { stream, cancellations, pulls } = probe([['a']])
    const reason = new Error('stop')
    const reading = iterateBatches(spread, stream, { signal: AbortSignal.abort(reason) })
    await expect(reading.next()).rejects.toBe(reason)
    expect([cancellations, pulls(), stream.locked]).toEqual([[reason], 0, false])
  })

  it('is canceled as soon as the signal is aborted, not at the next call', async () => {
    const { stream, cancellations } = probe([['a', 'b']])
    const controller = new AbortController()
    const reading = iterate(spread, stream, { signal: controller.signal })
    await reading.next()
    controller.abort('now')
    expect([cancellations, stream.locked]).toEqual([['now'], false])
    await expect(reading.next()).rejects.toBe('now')
  })

  it('is canceled if the machine or a callback throws', async () => {
    const { stream, cancellations } = probe([['a']])
    const failure = new Error('broken')
    const broken = { ...spread, step: (): never => fail(failure) }
    await expect(iterate(broken, stream).next()).rejects.toBe(failure)
    expect([cancellations, stream.locked]).toEqual([[failure], false])
  })

  it('stays with whoever reads it', async () => {
    const { stream, cancellations } = probe([['a']])
    const reader = stream.getReader()
    await expect(iterate(spread, stream).next()).rejects.toThrow(TypeError)
    expect(await iterate(spread, stream).return()).toEqual({ done: true, value: undefined })
    expect(await reader.read()).toEqual({ done: false, value: ['a'] })
    expect(cancellations).toEqual([])
  })
})

it('answers calls in order that do not wait for each other', async () => {
  await fc.assert(
    fc.asyncProperty(inputs, async (all) => {
      const expected = [...all.flat(), 'end', undefined, undefined]
      const reading = iterate(spread, probe(all).stream)
      const results = await Promise.all(expected.map(() => reading.next()))
      expect(results.map(({ value }) => value)).toEqual(expected)
    }),
    { numRuns: runs(50) },
  )
})

it('leaves a generator that hangs, without waiting for it', async () => {
  async function* hanging(): AsyncGenerator<string[]> {
    yield ['a']
    await new Promise(() => {})
  }
  const reading = iterate(spread, hanging())
  await reading.next()
  const pending = reading.next()
  await turn()
  expect(await reading.return()).toEqual({ done: true, value: undefined })
  expect(await pending).toEqual({ done: true, value: undefined })
})

it.each([['a text'], [7], [null], [undefined], [{}], [new Uint8Array(1)]])(
  'rejects the source %o at the call',
  (source) => {
    expect(() => iterate(spread, source as never)).toThrow(/^"source" must be a ReadableStream, .*, got /)
    expect(() => iterateBatches(spread, source as never)).toThrow(TypeError)
  },
)

function fail(error: Error): never {
  throw error
}
