// Proves what holds of every stream: what is said is A2A to the letter, nothing is lost without a diagnostic, no
// machine mutates or throws, and every machine obeys the machine law.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { run } from '../../../src/core/machine.ts'
import {
  a2aCoverage,
  a2aExtensionUri,
  a2aSnapshot,
  demuxTasks,
  fromA2a,
  isA2aStreamEnd,
  toA2a,
  validateA2aEvent,
  validateA2aStream,
} from '../../../src/dialects/a2a/index.ts'
import { decodeEvent } from '../../../src/events/decode.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { verifier } from '../../../src/streams/verify/verifier.ts'
import { jsonValue } from '../../support/json.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { eventsOfTask, legalStreams, taskIds } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { closeTexts, say, splitStreams, throughJson, understand, versions } from './support.ts'

const settings = versions.flatMap((version) =>
  [false, true].flatMap((extension) => closeTexts.map((closeText) => ({ version, extension, closeText }))),
)

/** Streams to take events and items from, for inputs that need not be streams. */
const samples = fc.sample(legalStreams({ maxChoices: 12 }), { numRuns: 120, seed: 3 })

/** Events of several tasks in any order, most of them where the protocol does not allow them. */
const anyEvent: fc.Arbitrary<ContextAnyEvent> = fc.constantFrom(...samples.flat())

describe.each(settings)('A2A $version, extension $extension, text closed by $closeText', (options) => {
  const { version, extension } = options

  it('says every stream to the letter', () => {
    fc.assert(
      fc.property(legalStreams({ ended: false }), (events) => {
        for (const taskId of taskIds(events)) {
          const { out, state } = say(eventsOfTask(events, taskId), options)
          expect(validateA2aStream(version, out)).toEqual([])
          for (const stream of splitStreams(out)) expect(validateA2aStream(version, stream)).toEqual([])
          if (out.length === 0) continue
          const task = throughJson(a2aSnapshot(state))
          expect(validateA2aEvent(version, version === '0.3' ? task : { task })).toEqual([])
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('makes a legal stream of ours when it is read again', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false }), (events) => {
        const read = understand(say(events, options).out)
        for (const event of read.out) expect(decodeEvent(event)).toEqual({ status: 'known', event })
        expect(read.diagnostics).toEqual([])
        expect(errorsIn(read.out)).toEqual([])
      }),
      { numRuns: runs(40) },
    )
  })

  it('diagnostics every event that is not said, and says the others', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false }), (events) => {
        const mapper = run(toA2a(options), {
          onDiagnostic: (diagnostic) => diagnostics.push(diagnostic.code),
        })
        let diagnostics: string[] = []
        for (const event of events) {
          diagnostics = []
          const out = mapper.push(event)
          const isDropped = diagnostics.includes(`dropped:${event.kind}`)
          if (a2aCoverage[event.kind] === 'omitted' && (!extension || event.kind.startsWith('internal:')))
            expect(isDropped).toBe(true)
          if (extension && !event.kind.startsWith('internal:')) expect(isDropped).toBe(false)
          if (isDropped) expect(out).toEqual([])
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('never carries the extension unless it is on', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        for (const taskId of taskIds(events)) {
          const { out } = say(eventsOfTask(events, taskId), options)
          const count = out.filter((item) => JSON.stringify(item).includes(a2aExtensionUri)).length
          expect(count).toBe(extension ? out.length : 0)
        }
      }),
      { numRuns: runs(30) },
    )
  })

  it('obeys the machine law', () => {
    expectMachineLaw(toA2a(options), anyEvent, {
      reason: fc.constantFrom(undefined, { unfinished: 'keep' as const }),
      runs: 60,
    })
  })

  it('gives out what may be changed without harm', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false, maxChoices: 20 }), (events) => {
        const expected = say(events, options).out
        const mapper = run(toA2a(options))
        const out: unknown[] = []
        const take = (items: readonly unknown[]): void => {
          for (const item of items) {
            out.push(throughJson(item))
            vandalize(item)
          }
        }
        for (const event of events) {
          take(mapper.push(event))
          vandalize(a2aSnapshotOf(mapper.state))
        }
        take(mapper.end())
        expect(out).toEqual(expected)
      }),
      { numRuns: runs(30) },
    )
  })
})

function errorsIn(events: readonly ContextAnyEvent[]): unknown[] {
  const { push, end } = run(verifier({ mode: 'standard' }))
  return [...events.flatMap((event) => push(event)), ...end()].filter(({ severity }) => severity === 'error')
}

function a2aSnapshotOf(state: Parameters<typeof a2aSnapshot>[0]): unknown {
  return state.phase === 'new' ? undefined : a2aSnapshot(state)
}

/** Changes everything that can be changed. */
function vandalize(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) vandalize(inner)
  for (const key of Object.keys(value)) delete (value as Record<string, unknown>)[key]
  if (Array.isArray(value)) value.length = 0
}

describe('input of any kind', () => {
  it.each(versions)('is no reason for %s to throw or to say what is not A2A', (version) => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyEvent, damaged), { maxLength: 15 }),
        fc.boolean(),
        (inputs, extension) => {
          const { out } = say(inputs as ContextAnyEvent[], { version, extension })
          expect(validateA2aStream(version, out)).toEqual([])
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it('is no reason for reading to throw, or to make what is no event', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 15 }), (items) => {
        for (const event of understand(items).out) expect(decodeEvent(event).status).toBe('known')
      }),
      { numRuns: runs(300) },
    )
  })

  it('is no reason for a validator to throw, or to call a stream over', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...versions), (value, version) => {
        expect(validateA2aEvent(version, value)).not.toEqual([])
        expect(isA2aStreamEnd(value)).toBe(false)
      }),
      { numRuns: runs(300) },
    )
  })

  it('obeys the machine law when it is read', () => {
    expectMachineLaw(fromA2a(), item, { runs: 100 })
    expectMachineLaw(fromA2a({ contextId: 'ours' }), item, { runs: 50 })
  })
})

/** An event with one field that is something else. */
const damaged: fc.Arbitrary<unknown> = fc
  .tuple(anyEvent, fc.nat(20), fc.anything({ maxDepth: 2 }))
  .map(([event, at, value]) => {
    const keys = Object.keys(event)
    return { ...event, [keys[at % keys.length] ?? 'kind']: value }
  })

/** Items of a stream: as they should be, damaged in one place, or nothing of the kind. */
const item: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.constantFrom(...samples.flatMap((events, i) => saidBy(events, settings[i % settings.length]))),
    fc.array(fc.nat(9), { maxLength: 5 }),
    fc.option(jsonValue({ maxDepth: 2 }), { freq: 2 }),
  )
  .map(([chosen, path, value]) => (value === null ? chosen : replaceAt(chosen, path, value)))

function saidBy(events: readonly ContextAnyEvent[], options = settings[0]): unknown[] {
  return options === undefined ? [] : say(eventsOfTask(events, 'task-1'), options).out
}

function replaceAt(value: unknown, path: readonly number[], by: unknown): unknown {
  const [at, ...rest] = path
  if (at === undefined || typeof value !== 'object' || value === null) return by
  const entries = Object.entries(value)
  if (entries.length === 0) return by
  const changed = entries.map(([key, inner], i) =>
    i === at % entries.length ? [key, replaceAt(inner, rest, by)] : [key, inner],
  )
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)
}

describe('splitting tasks', () => {
  it('gives each task its events, in order', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const splitter = run(demuxTasks())
        const out = events.flatMap((event) => splitter.push(event))
        expect(out).toEqual(events.map((event) => ({ taskId: event.taskId, event })))
      }),
      { numRuns: runs(40) },
    )
  })

  it.each(versions)('says each task in %s as if it were alone', (version) => {
    fc.assert(
      fc.property(legalStreams(), fc.boolean(), (events, extension) => {
        const mapper = run(demuxTasks(toA2a({ version, extension })))
        const out = [...events.flatMap((event) => mapper.push(event)), ...mapper.end()]
        for (const taskId of taskIds(events)) {
          const own = out.filter((output) => output.taskId === taskId).map(({ event }) => event)
          expect(throughJson(own)).toEqual(say(eventsOfTask(events, taskId), { version, extension }).out)
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('obeys the machine law', () => {
    expectMachineLaw(demuxTasks(), anyEvent, { runs: 50 })
    expectMachineLaw(demuxTasks(toA2a({ version: '1.0' })), anyEvent, { runs: 50 })
  })
})
