// Proves that run, pipe, iterate and transform produce the machine's output for every kind of source.

import fc from 'fast-check'
import { type Diagnostic, iterate, type Machine, pipe, run, transform } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { iterateBatches } from '../../src/core/iterate.ts'

/** Emits each word when it ends, the last one upper-cased with `shout`. Reports words that are too long. */
function words(longest = 9): Machine<string, string, string, { shout: boolean }> {
  const split = (text: string): { state: string; out: string[]; diagnostics?: Diagnostic[] } => {
    const all = text.split(' ')
    const out = all.slice(0, -1)
    const diagnostics = out
      .filter((word) => word.length > longest)
      .map((word) => ({ code: 'long', message: word }))
    const state = all.at(-1) ?? ''
    return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
  }
  return {
    initial: '',
    step: (state, input) => split(state + input),
    end: (state, reason) => ({
      state: '',
      out: state === '' ? [] : [reason?.shout === true ? state.toUpperCase() : state],
    }),
  }
}

/** Emits the running total of lengths, and the last total again at the end. */
const totals: Machine<number, string, number> = {
  initial: 0,
  step: (state, input) => ({ state: state + input.length, out: [state + input.length] }),
  end: (state) => ({ state, out: [state] }),
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}

async function* soon<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const value of values) yield value
}

describe('run', () => {
  it('keeps the state, and resumes from a given one', () => {
    const first = run(words())
    expect(first.push('a b')).toEqual(['a'])
    expect(first.state).toBe('b')
    const second = run(words(), { state: first.state })
    expect(second.push('c d')).toEqual(['bc'])
    expect(second.end({ shout: true })).toEqual(['D'])
    expect(second.state).toBe('')
  })

  it('calls onDiagnostic for each diagnostic', () => {
    const diagnostics: Diagnostic[] = []
    const { push } = run(words(2), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
    expect(push('abc ab abcd ')).toEqual(['abc', 'ab', 'abcd'])
    expect(diagnostics).toEqual([
      { code: 'long', message: 'abc' },
      { code: 'long', message: 'abcd' },
    ])
    expect(run(words(2)).push('abc ')).toEqual(['abc'])
  })
})

describe('pipe', () => {
  it('passes the outputs of one machine to the next, also at the end', () => {
    const piped = pipe(words(), totals)
    const { push, end } = run(piped)
    expect(push('ab c')).toEqual([2])
    expect(push(' d')).toEqual([3])
    expect(end({ shout: true })).toEqual([4, 4])
  })

  it('equals running the machines one after the other', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ') })), (inputs) => {
        const diagnostics: Diagnostic[] = []
        const piped = run(pipe(words(1), words(1), totals), {
          onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
        })
        const [a, b, c] = [run(words(1)), run(words(1)), run(totals)]
        const through = (out: readonly string[], ending: boolean): number[] => {
          const second = [...out.flatMap((word) => [...b.push(word)]), ...(ending ? b.end() : [])]
          return [...second.flatMap((word) => [...c.push(word)]), ...(ending ? c.end() : [])]
        }
        for (const input of inputs) expect(piped.push(input)).toEqual(through(a.push(input), false))
        expect(piped.end()).toEqual(through(a.end(), true))
        expect(piped.state).toEqual([a.state, b.state, c.state])
      }),
    )
  })

  it('connects four machines and collects their diagnostics', () => {
    const diagnostics: Diagnostic[] = []
    const { push } = run(pipe(words(1), words(1), words(1), totals), {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    })
    push('ab ')
    expect(diagnostics).toEqual([{ code: 'long', message: 'ab' }])
  })
})

describe('iterate', () => {
  const stream = (chunks: readonly string[]): ReadableStream<string> =>
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })

  it.each([
    ['a list', (chunks: string[]) => chunks],
    ['an async generator', (chunks: string[]) => soon(chunks)],
    ['a stream', (chunks: string[]) => stream(chunks)],
  ])('reads %s', async (_name, source) => {
    const atEnd = (): { shout: boolean } => ({ shout: true })
    expect(await collect(iterate(words(), source(['a b', 'c ', 'd']), { atEnd }))).toEqual(['a', 'bc', 'D'])
    expect(await collect(iterateBatches(words(), source(['a b c', 'x', ' y'])))).toEqual([
      ['a', 'b'],
      ['cx'],
      ['y'],
    ])
    expect(await collect(iterate(words(), source([])))).toEqual([])
  })

  it('resumes from a state and calls onDiagnostic', async () => {
    const diagnostics: Diagnostic[] = []
    const onDiagnostic = (diagnostic: Diagnostic): unknown => diagnostics.push(diagnostic)
    expect(await collect(iterate(words(3), ['d e'], { state: 'abc', onDiagnostic }))).toEqual(['abcd', 'e'])
    expect(diagnostics).toHaveLength(1)
  })

  it('cancels the source if the loop breaks', async () => {
    let cancelled: unknown = 'no'
    const source = new ReadableStream<string>({
      pull: (controller) => controller.enqueue('a b c '),
      cancel(reason) {
        cancelled = reason
      },
    })
    for await (const word of iterate(words(), source)) {
      expect(word).toBe('a')
      break
    }
    expect(cancelled).toBeUndefined()

    let returned = false
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'a '
      } finally {
        returned = true
      }
    }
    for await (const _word of iterate(words(), endless())) break
    expect(returned).toBe(true)
  })

  it('rethrows errors of the source', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'a '
      throw new Error('lost')
    }
    const seen: string[] = []
    await expect(async () => {
      for await (const word of iterate(words(), broken())) seen.push(word)
    }).rejects.toThrow('lost')
    expect(seen).toEqual(['a'])
    const failing = new ReadableStream<string>({ start: (controller) => controller.error(new Error('cut')) })
    await expect(collect(iterate(words(), failing))).rejects.toThrow('cut')
  })

  describe('with a signal', () => {
    it('does not start if the signal is already aborted', async () => {
      const signal = AbortSignal.abort(new Error('stop'))
      await expect(collect(iterate(words(), ['a '], { signal }))).rejects.toThrow('stop')
    })

    it('stops waiting for a source that hangs, and cancels it', async () => {
      const controller = new AbortController()
      let reason: unknown
      const hanging = new ReadableStream<string>({
        start: (source) => source.enqueue('a '),
        cancel(why) {
          reason = why
        },
      })
      const seen: string[] = []
      await expect(async () => {
        for await (const word of iterate(words(), hanging, { signal: controller.signal })) {
          seen.push(word)
          queueMicrotask(() => controller.abort(new Error('enough')))
        }
      }).rejects.toThrow('enough')
      expect(seen).toEqual(['a'])
      expect(reason).toEqual(new Error('enough'))
    })

    it('stops a generator that hangs', async () => {
      const controller = new AbortController()
      async function* hanging(): AsyncGenerator<string> {
        yield 'a '
        await new Promise(() => {})
      }
      await expect(async () => {
        for await (const _word of iterate(words(), hanging(), { signal: controller.signal })) {
          queueMicrotask(() => controller.abort(new Error('enough')))
        }
      }).rejects.toThrow('enough')
    })

    it('stops between two outputs of one input', async () => {
      const controller = new AbortController()
      const seen: string[] = []
      await expect(async () => {
        for await (const word of iterate(words(), ['a b ', 'c '], { signal: controller.signal })) {
          seen.push(word)
          controller.abort(new Error('enough'))
        }
      }).rejects.toThrow('enough')
      expect(seen).toEqual(['a'])
    })

    it('removes its abort listener', async () => {
      const { signal } = new AbortController()
      let listeners = 0
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (...args: Parameters<typeof add>) => {
        listeners++
        add(...args)
      }
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listeners--
        remove(...args)
      }
      expect(await collect(iterate(words(), ['a ', 'b'], { signal }))).toEqual(['a', 'b'])
      expect(listeners).toBe(0)
    })
  })
})

describe('transform', () => {
  it('runs the machine as a stream', async () => {
    const diagnostics: Diagnostic[] = []
    const stream = new ReadableStream<string>({
      start(controller) {
        for (const chunk of ['abc d', 'e ', 'f']) controller.enqueue(chunk)
        controller.close()
      },
    })
    const piped = stream.pipeThrough(
      transform(words(2), {
        state: 'x',
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
        atEnd: () => ({ shout: true }),
      }),
    )
    expect(
      await collect(
        iterate(
          {
            initial: 0,
            step: (state, input: string) => ({ state, out: [input] }),
            end: (state) => ({ state, out: [] }),
          },
          piped,
        ),
      ),
    ).toEqual(['xabc', 'de', 'F'])
    expect(diagnostics).toEqual([{ code: 'long', message: 'xabc' }])
  })
})
