// eventLogLaw: holds for every log of this package, and names the law that a faulty one breaks.
import { type Cursor, createMemoryLog, createStream, type EventLog } from 'turnstream/streams'
import { eventLogLaws, eventLogLaw as law } from 'turnstream/testing'
import { describe, expect, it } from 'vitest'
import { inFakeTime } from '../support/fake-time.ts'
import { runs } from '../support/runs.ts'
import { brokenLogs, type Opener, optionsOf, soundLogs } from './broken-logs.ts'
import { leaseLogs } from './lease-log.ts'
import { arrayLog, faults, faultyLog, shared } from './logs.ts'

/** The logs of these tests wait for timers alone. */
const eventLogLaw: typeof law = (...args) => inFakeTime(() => law(...args))

const memoryLog = (stream: string): EventLog => createMemoryLog({ stream, epoch: 'e', now: () => 0 })

describe('eventLogLaw', () => {
  it.each([0, 1, 2, 3, 4])('holds for createMemoryLog, seed %d', (seed) =>
    eventLogLaw(shared(memoryLog), { seed }),
  )
  it('holds for createStream', () =>
    eventLogLaw(shared((stream) => createStream({ stream, epoch: 'e', now: () => 0 }).log)))
  it('holds for a log built from resolveCursor and makeBatch', () => eventLogLaw(shared(arrayLog)))
  it.each([-1, 0, 39])('holds for a log with a snapshot at %d', (through) =>
    eventLogLaw(
      shared((stream) => {
        const log = arrayLog(stream)
        return {
          ...log,
          async snapshot(_, { maxBytes } = {}) {
            const part = await log.read()
            const events = part.type === 'batch' ? part.events.slice(0, through + 1) : []
            return { epoch: 'e', through, events: maxBytes === undefined ? events : events.slice(-1) }
          },
        }
      }),
    ),
  )

  it.each(faults)('names what a log with %s breaks', async (_, law, names, fault) => {
    const testing = eventLogLaw(
      shared((stream) => faultyLog(stream, fault)),
      { timeoutMs: 250 },
    )
    const error = await testing.then(
      () => undefined,
      (reason: Error) => reason,
    )
    expect(error?.message).toContain(`The log breaks the law "${law}". ${names}`)
    expect(error?.cause).toBeInstanceOf(Error)
  })

  it.each([
    ['process 1 that reads nothing', 0, 'reading gives all visible events in order, without gaps', false],
    ['process 3 that reads nothing', 2, 'reading gives all visible events in order, without gaps', false],
    [
      'process 2 that reads nothing',
      1,
      'a reader that waits is woken by an event and by the end, in every process',
      false,
    ],
    [
      'process 1 that appends after the end',
      0,
      'a closed stream ends for every reader and takes no events',
      true,
    ],
    [
      'process 3 that appends after the end',
      2,
      'a closed stream ends for every reader and takes no events',
      true,
    ],
  ] as const)('names what a log with a %s breaks', async (_, which, law, appends) => {
    const open = shared(arrayLog)
    const opened = new Map<string, number>()
    const testing = eventLogLaw(
      (stream) => {
        const log = open(stream)
        const handle = opened.get(stream) ?? 0
        opened.set(stream, handle + 1)
        if (handle !== which) return log
        if (appends)
          return {
            ...log,
            append: (event) => log.append(event).catch(() => ({ stream, epoch: 'e', seq: 0 })),
          }
        return {
          ...log,
          async read(cursor, options) {
            const part = await log.read(cursor, options)
            return part.type === 'reset' ? part : { ...part, events: [], seqs: [] }
          },
        }
      },
      { timeoutMs: 250 },
    )
    await expect(testing).rejects.toThrow(`"${law}"`)
  })

  it('knows a fault for each law', () => {
    const broken = [...faults, ...brokenLogs].map(([, law]) => law)
    expect([...new Set(broken)].sort()).toEqual(eventLogLaws.map(({ name }) => name).sort())
  })

  const TRIALS = runs(100)

  /** How many trials a log fails. */
  async function failures(opener: Opener, name: string, timeoutMs: number): Promise<number> {
    const found = eventLogLaws.find((each) => each.name === name)
    const trial = (seed: number) =>
      found?.run(opener.open, { ...optionsOf(opener), prefix: `${seed}`, seed, timeoutMs }).then(
        () => 0,
        () => 1,
      )
    const trials = () => Promise.all(Array.from({ length: TRIALS }, (_, seed) => trial(seed)))
    // Who is faster is seen in real time alone.
    const results = await (name.includes('at the same time') ? trials() : inFakeTime(trials))
    return results.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  }

  it.each(brokenLogs)('finds %s in all trials', async (_, law, open) => {
    expect(await failures(open(), law, 250)).toBe(TRIALS)
  })

  it.each(Object.entries(soundLogs))('finds no fault in a log %s', async (_, opener) => {
    for (const law of new Set(brokenLogs.map(([, each]) => each))) {
      expect([law, await failures(opener, law, 20_000)]).toEqual([law, 0])
    }
  })

  it('names the laws that it skips', async () => {
    const skipped = async (opener: Opener): Promise<readonly string[]> => {
      const names: string[] = []
      await eventLogLaw(opener.open, { ...optionsOf(opener), onSkipped: (law) => names.push(law) })
      return names
    }
    const names = eventLogLaws.map(({ name }) => name)
    const plain = await skipped({ open: shared(arrayLog) })
    const missing = /snapshot|appendIf|changes|lease|heir|given back|answer|deadline/
    expect(plain).toEqual(names.filter((name) => missing.test(name)))
    const leases = await skipped(leaseLogs())
    expect(leases).toEqual(names.filter((name) => /snapshot|answer|deadline/.test(name)))
  })

  it('passes on what a log rejects with, and the errors of opening it', async () => {
    const broken = { ...memoryLog('s'), read: () => Promise.reject('down') }
    await expect(eventLogLaw(() => broken)).rejects.toMatchObject({
      message: expect.stringMatching(/^The log breaks the law ".+"\. down$/),
      cause: 'down',
    })
    const cause = new Error('No connection.')
    await expect(eventLogLaw(() => Promise.reject(cause))).rejects.toMatchObject({
      message: expect.stringMatching(/^The log breaks the law ".+"\. No connection\.$/),
      cause,
    })
  })
})

describe('an error', () => {
  /** What the error shows of the epochs of a log and of its snapshot. */
  async function shown(epoch: string, other: string): Promise<string[]> {
    const open = shared((stream) => ({
      ...createMemoryLog({ stream, epoch, now: () => 0 }),
      snapshot: async () => ({ epoch: other, through: 0, events: [] }),
    }))
    const error = await eventLogLaw(open).catch((reason: Error) => reason)
    return /the epoch of the snapshot to be (.*), got (.*)\.$/.exec(error?.message ?? '')?.slice(1) ?? []
  }
  const letters = (length: number): string => 'abcdefghij'.repeat(length / 10 + 1).slice(0, length)

  it('shows values of up to 500 characters', async () => {
    const text = letters(498)
    expect(await shown(text, 'e')).toEqual([`"${text}"`, '"e"'])
    expect(await shown('e', text)).toEqual(['"e"', `"${text}"`])
  })

  it('shows 500 characters of longer ones, from 200 before the difference', async () => {
    const text = letters(1000)
    const other = `${text.slice(0, 600)}X${text.slice(601)}`
    expect(await shown(text, other)).toEqual([`…${text.slice(400, 900)}…`, `…${other.slice(400, 900)}…`])
    expect(await shown(`X${text}`, text)).toEqual([`"X${text.slice(0, 498)}…`, `"${text.slice(0, 499)}…`])
    expect(await shown(text, `${text}X`)).toEqual([`…${text.slice(-200)}"`, `…${text.slice(-200)}X"`])
  })
})

/** What eventLogLaw calls: the streams that it opens, and what it appends to and reads from each. */
async function callsOf(options: Parameters<typeof eventLogLaw>[1] = {}) {
  const streams = new Set<string>()
  const calls: unknown[] = []
  const open = shared((stream) => {
    const log = memoryLog(stream)
    return {
      ...log,
      append(event) {
        calls.push([stream, event])
        return log.append(event)
      },
      read(cursor?: Cursor | string | null, options?: object) {
        calls.push([stream, cursor, { ...options, signal: undefined }])
        return log.read(cursor, options)
      },
    }
  })
  await eventLogLaw((stream) => {
    streams.add(stream)
    return open(stream)
  }, options)
  return { streams: [...streams], calls }
}

describe('the streams', () => {
  it('are one for each law, with the prefix, and without spaces', async () => {
    for (const [prefix, options] of [
      ['law', {}],
      ['other/prefix', { prefix: 'other/prefix' }],
    ] as const) {
      const { streams } = await callsOf(options)
      expect(streams.length).toBeGreaterThanOrEqual(eventLogLaws.length)
      for (const stream of streams) {
        expect(stream.startsWith(`${prefix}/`)).toBe(true)
        expect(stream).not.toMatch(/\s/)
      }
    }
  })

  it('get the same calls with the same seed, which is 1 unless it is stated', async () => {
    const { calls } = await callsOf({ seed: 1 })
    expect((await callsOf()).calls).toEqual(calls)
    expect((await callsOf({ seed: 2 })).calls).not.toEqual(calls)
  })

  it('get events that some filters hide, and of sizes above and below a page, with any seed', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const { calls } = await callsOf({ seed })
      const events = (calls as [string, { kind?: string }][]).map(([, event]) => event)
      const sizes = events.filter((event) => event?.kind).map((event) => JSON.stringify(event).length)
      expect(events.some((event) => event?.kind === 'thought-stream')).toBe(true)
      expect(Math.max(...sizes)).toBeGreaterThan(900)
      expect(Math.min(...sizes)).toBeLessThan(300)
      expect(sizes.length).toBeLessThanOrEqual(500)
    }
  })
})

it.each<[options: unknown, message: string]>([
  [null, '"options" must be an object, got null.'],
  [{ prefix: '' }, '"prefix" must be a non-empty string, got "".'],
  [{ seed: -1 }, '"seed" must be an integer >= 0, got -1.'],
  [{ seed: 0.5 }, '"seed" must be an integer >= 0, got 0.5.'],
  [{ timeoutMs: 0 }, '"timeoutMs" must be an integer >= 1, got 0.'],
  [{ timeout: 5 }, '"timeout"'],
])('refuses the options %j', async (options, message) => {
  const testing = eventLogLaw(shared(memoryLog), options as never)
  await expect(testing).rejects.toThrow(TypeError)
  await expect(testing).rejects.toThrow(message)
})

it('refuses anything but a function', async () => {
  await expect(eventLogLaw(memoryLog('s') as never)).rejects.toThrow(/^"openLog" must be a function, got /)
})
