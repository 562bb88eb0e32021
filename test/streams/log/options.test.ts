// The options and arguments of the log: wrong ones are refused by name, and omitted ones have their defaults.
import {
  applyBackpressure,
  batchDecoder,
  createMemoryLog,
  decideBackpressure,
  encodeBatch,
  follow,
  formatEventId,
  type LogExtent,
  makeBatch,
  readFilter,
  receiver,
  resolveCursor,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { closedLogOf, delta, logOf } from './support.ts'

const extent: LogExtent = { stream: 's', epoch: 'e', earliest: 0, next: 3, closed: false }
const at = { stream: 's', epoch: 'e', seq: 0 }
const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
const part = logOf(1).read('')
const never = (value: unknown): never => value as never

describe('misuse throws a TypeError with the name, what is expected and the value', () => {
  it.each<[() => unknown, string]>([
    [() => createMemoryLog(never(null)), '"options" must be an object, got null.'],
    [() => createMemoryLog(never({ stream: '', epoch: 'e' })), '"now" must be a function, got undefined.'],
    [() => createMemoryLog({ stream: '', epoch: 'e', now: Date.now }), '"stream" must be a non-empty string'],
    [() => createMemoryLog({ stream: 's', epoch: '', now: Date.now }), '"epoch" must be a non-empty string'],
    [
      () => createMemoryLog({ stream: 's', epoch: 'e', limits: never({ maxEvent: 1 }), now: Date.now }),
      '"limits" must be an object of "maxEvents", "maxBytes" and "maxAgeMs", got "maxEvent".',
    ],
    ...(['maxEvents', 'maxBytes', 'maxAgeMs'] as const).map((name): [() => unknown, string] => [
      () => createMemoryLog({ stream: 's', epoch: 'e', limits: { [name]: 0 }, now: Date.now }),
      `"${name}" must be an integer >= 1, got 0.`,
    ]),
    [
      () => createMemoryLog({ state: never({ stream: 's' }), now: Date.now }),
      '"state" must be the state of a log, got ',
    ],
    [
      () => createMemoryLog({ state: never(null), now: Date.now }),
      '"state" must be the state of a log, got null.',
    ],
    [
      () => createMemoryLog({ state: never({ entries: [] }), now: Date.now }),
      '"state" must be the state of a log, got ',
    ],
    [() => logOf(1).append(delta(1), never('1')), '"at" must be a finite number of milliseconds, got "1".'],
    [() => logOf(1).evict(Number.NaN), '"now" must be a finite number of milliseconds, got NaN.'],
    [() => closedLogOf(1).append(delta(1), 1), 'Cannot append to a closed log: s.'],
    [() => formatEventId(never(7)), '"position" must be an object, got 7.'],
    [() => formatEventId({ ...at, stream: '' }), '"position.stream" must be a non-empty string, got "".'],
    [() => formatEventId({ ...at, epoch: '' }), '"position.epoch" must be a non-empty string, got "".'],
    [() => formatEventId({ ...at, seq: -2 }), '"position.seq" must be an integer >= -1, got -2.'],
    [() => formatEventId({ ...at, filter: '' }), '"position.filter" must be a non-empty string, got "".'],
    [() => receiver(never(null)), '"options" must be an object, got null.'],
    [() => receiver({ cursor: never(7) }), '"cursor" must be an object, got 7.'],
    [() => batchDecoder(never(null)), '"options" must be an object, got null.'],
    [() => batchDecoder({ cursor: never({}) }), '"cursor.stream" must be a non-empty string, got undefined.'],
    [() => batchDecoder(never({ keepUnknown: 1 })), '"keepUnknown" must be true or false, got 1.'],
    [() => batchDecoder({ maxSnapshotSize: 0 }), '"maxSnapshotSize" must be an integer >= 1, got 0.'],
    [() => batchDecoder({ maxMessageSize: 0 }), '"maxMessageSize" must be '],
    [() => encodeBatch(never([]), { viewer: 'all' }), '"part" must be a batch or a reset, got '],
    [
      () => encodeBatch(never({ type: 'batch', events: [] }), { viewer: 'all' }),
      '"part" must be a batch or a reset, got ',
    ],
    [
      () => encodeBatch(never({ type: 'batch', seqs: [] }), { viewer: 'all' }),
      '"part" must be a batch or a reset, got ',
    ],
    [
      () => encodeBatch(part),
      '"viewer" must be "all", or omitted for a part that was read with a filter, got undefined.',
    ],
    [
      () => encodeBatch({ ...part, filter: 'f' }, { viewer: never({ audience: 'user' }) }),
      '"viewer" must be "all", or omitted for a part that was read with a filter, got ',
    ],
    [() => decideBackpressure(-1), '"lag" must be a number >= 0, got -1.'],
    [() => decideBackpressure(0, never(7)), '"policy" must be an object, got 7.'],
    [
      () => decideBackpressure(0, never({ merge: 7 })),
      '"policy" must be an object of "mergeAt", "dropAt" and "resetAt", got "merge".',
    ],
    ...(['mergeAt', 'dropAt', 'resetAt'] as const).map((name): [() => unknown, string] => [
      () => decideBackpressure(0, never({ [name]: '9' })),
      `"${name}" must be a number >= 0, got "9".`,
    ]),
    [() => applyBackpressure(never(null), 'send'), '"part" must be a batch or a reset, got null.'],
    [
      () => applyBackpressure(part, never('drop')),
      '"decision" must be "send", "merge", "drop-declared" or "reset", got "drop".',
    ],
    [() => applyBackpressure(part, 'merge', never(true)), '"merge" must be a function, got true.'],
    [() => follow(never({})), '"log" must be a log, got '],
    [() => follow(never(null)), '"log" must be a log, got null.'],
    [
      () => follow(log, null, never({ wait: true })),
      '"options" must be an object of "filter", "signal" and "maxBytes", got "wait".',
    ],
    [() => follow(log, null, { filter: never(7) }), '"filter" must be a filter with id and apply, got 7.'],
    [() => follow(log, null, { signal: never(7) }), '"signal" must be an AbortSignal, got 7.'],
    [() => follow(log, null, { maxBytes: 0 }), '"maxBytes" must be an integer >= 1, got 0.'],
    [() => resolveCursor(never(null)), '"log" must be an object, got null.'],
    [() => resolveCursor({ ...extent, stream: '' }), '"log.stream" must be a non-empty string, got "".'],
    [() => resolveCursor({ ...extent, epoch: '' }), '"log.epoch" must be a non-empty string, got "".'],
    [() => resolveCursor({ ...extent, earliest: -1 }), '"log.earliest" must be an integer >= 0, got -1.'],
    [() => resolveCursor({ ...extent, earliest: 4 }), '"log.next" must be an integer from 4 to 2^53, got 3.'],
    [() => resolveCursor({ ...extent, next: 0.5 }), '"log.next" must be an integer from 0 to 2^53, got 0.5.'],
    [
      () => resolveCursor({ ...extent, next: 2 ** 53 + 2 }),
      '"log.next" must be an integer from 0 to 2^53, got ',
    ],
    [() => resolveCursor({ ...extent, closed: never(0) }), '"log.closed" must be true or false, got 0.'],
    [() => resolveCursor(extent, '', never({})), '"filter.id" must be a non-empty string, got undefined.'],
    [() => resolveCursor(extent, '', never(null)), '"filter.id" must be a non-empty string, got undefined.'],
    [() => makeBatch(never(null), 0, []), '"log" must be an object, got null.'],
    [() => makeBatch(extent, -2, []), '"after" must be an integer >= -1, got -2.'],
    [() => makeBatch(extent, 0, never(7)), '"events" must be an iterable of events, got 7.'],
    [() => makeBatch(extent, 0, never(null)), '"events" must be an iterable of events, got null.'],
    [
      () => makeBatch(extent, 0, [], never({ audience: 'user' })),
      '"filter" must be a filter with id and apply, got ',
    ],
    [
      () => makeBatch(extent, 0, [], { id: '', apply: (event) => event }),
      '"filter.id" must be a non-empty string, got "".',
    ],
    [() => readFilter(never({ audience: 'usr' })), '"viewer.audience" must be '],
    [() => readFilter({ audience: 'user' }, never({ kind: 7 })), '"filter" must be '],
  ])('%#', (call, message) => {
    expect(call).toThrow(TypeError)
    expect(call).toThrow(message)
  })

  it.each<[options: unknown, string]>([
    [null, '"options" must be an object, got null.'],
    [{ page: 1 }, '"options" must be an object of "filter", "wait", "signal" and "maxBytes", got "page".'],
    [{ filter: 7 }, '"filter" must be a filter with id and apply, got 7.'],
    [{ wait: 1 }, '"wait" must be true or false, got 1.'],
    [{ signal: 7 }, '"signal" must be an AbortSignal, got 7.'],
    [{ maxBytes: 0 }, '"maxBytes" must be an integer >= 1, got 0.'],
  ])('reading with the options %j', async (options, message) => {
    await expect(log.read('', never(options))).rejects.toThrow(new TypeError(message))
  })

  it('a clock that returns no number', async () => {
    const broken = createMemoryLog({ stream: 's', epoch: 'e', now: () => Number.NaN })
    await expect(broken.append(delta(0))).rejects.toThrow(TypeError)
    await expect(broken.read()).rejects.toThrow(TypeError)
  })
})

describe('the bounds that are allowed', () => {
  it.each<() => unknown>([
    () =>
      createMemoryLog({
        stream: 's',
        epoch: 'e',
        limits: { maxEvents: 1, maxBytes: 1, maxAgeMs: 1 },
        now: () => 0,
      }),
    () => batchDecoder({ maxSnapshotSize: 1, cursor: { ...at, seq: -1 }, keepUnknown: true }),
    () => receiver({ cursor: { ...at, seq: -1, filter: 'f' } }),
    () => follow(log, null, { maxBytes: 1 }),
    () => resolveCursor({ ...extent, earliest: 2 ** 53 - 1, next: 2 ** 53 }),
    () => resolveCursor({ ...extent, earliest: 3 }),
    () => makeBatch(extent, -1, new Set([delta(0)])),
    () => decideBackpressure(0, { mergeAt: 0, dropAt: 0, resetAt: Number.POSITIVE_INFINITY }),
  ])('%#', (call) => {
    expect(call).not.toThrow()
  })
})

describe('the defaults', () => {
  const bytes = (event: object): number => JSON.stringify(event).length
  const ofSize = (size: number, index = 0) => {
    const empty = { ...delta(index), delta: '' }
    return { ...empty, delta: 'x'.repeat(size - bytes(empty)) }
  }

  it('of reading: 64 KiB a page, as for followers', async () => {
    for (const [size, through] of [
      [32_768, 1],
      [32_769, 0],
    ] as const) {
      const { append, read } = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
      for (let i = 0; i < 2; i++) await append(ofSize(size, i))
      expect(await read()).toMatchObject({ through })
    }
    const whole = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    for (const size of [32_768, 32_768, 1000]) await whole.append(ofSize(size))
    for (const each of [whole, { ...whole }]) {
      expect((await follow(each).next()).value).toMatchObject({ through: 1 })
    }
  })

  it('of a log: 10 000 events, 8 MiB, an hour', () => {
    const kept = (log: ReturnType<typeof logOf>): number => log.state.entries.length
    expect(kept(logOf(10_001))).toBe(10_000)
    const aged = logOf(1)
    aged.evict(3_600_000)
    expect(kept(aged)).toBe(1)
    aged.evict(3_600_001)
    expect(kept(aged)).toBe(0)
    const large = logOf(0)
    for (let i = 0; i < 8; i++) large.append(ofSize(2 ** 20, i), 0)
    expect(kept(large)).toBe(8)
    large.append(ofSize(200), 0)
    expect(kept(large)).toBe(8)
  })

  it('of a decoder: a snapshot of 32 Mi characters', () => {
    const reset = (size: number): string => {
      const text =
        '{"type":"reset","reason":"evicted","stream":"s","epoch":"e","through":0,"earliest":0,"events":[]}'
      return `data: ${text.slice(0, -1)}${' '.repeat(size - text.length)}}\n\n`
    }
    for (const [size, hasEvents] of [
      [2 ** 25, true],
      [2 ** 25 + 1, false],
    ] as const) {
      const machine = batchDecoder({ maxMessageSize: 2 ** 26 })
      const { out } = machine.step(machine.initial, reset(size))
      expect(out.map((part) => 'events' in part)).toEqual([hasEvents])
    }
  })
})
