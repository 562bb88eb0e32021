// Proves properties of every stream: only schema-valid A2A is emitted, nothing is lost without a diagnostic, and no
// machine mutates or throws.

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
} from '../../../src/dialects/a2a/index.ts'
import type { ToA2aState } from '../../../src/dialects/a2a/to/state.ts'
import { decodeEvent } from '../../../src/events/decode.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { verifier } from '../../../src/streams/verify/verifier.ts'
import { jsonValue } from '../../support/json.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { eventsOfTask, legalStreams, taskIds } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { closeTexts, errorsOf, runFromA2a, runToA2a, splitStreams, throughJson, versions } from './support.ts'

/** Sees every event, so that none is dropped. */
const viewer = { audience: 'operator' } as const

const settings = versions.flatMap((version) =>
  [false, true].flatMap((extension) =>
    closeTexts.map((closeText) => ({ version, extension, closeText, viewer })),
  ),
)

/** Streams whose events and items make up arbitrary inputs. */
const samples = fc.sample(legalStreams({ maxChoices: 12 }), { numRuns: 120, seed: 3 })

/** Events of several tasks in any order, most of which the protocol does not allow. */
const anyEvent: fc.Arbitrary<ContextAnyEvent> = fc.constantFrom(...samples.flat())

describe.each(settings)('A2A $version, extension $extension, text closed by $closeText', (options) => {
  const { version, extension } = options

  it('emits only schema-valid A2A', () => {
    fc.assert(
      fc.property(legalStreams({ ended: false }), (events) => {
        for (const taskId of taskIds(events)) {
          const { out, state } = runToA2a(eventsOfTask(events, taskId), options)
          expect(errorsOf(version, out)).toEqual([])
          for (const stream of splitStreams(out)) expect(errorsOf(version, stream)).toEqual([])
          if (out.length === 0) continue
          const task = throughJson(a2aSnapshot(state))
          expect(validateA2aEvent(version, version === '0.3' ? task : { task })).toEqual([])
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('maps back to a legal stream of events', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false }), (events) => {
        const read = runFromA2a(runToA2a(events, options).out, { extension: options.extension === true })
        for (const event of read.out) expect(decodeEvent(event)).toEqual({ status: 'known', event })
        // A file that is written again replaces its parts.
        const others = read.diagnostics.filter(({ code }) => !/^(inferred:|lossy:parts$)/.test(code))
        expect(others).toEqual([])
        expect(errorsIn(read.out)).toEqual([])
      }),
      { numRuns: runs(40) },
    )
  })

  it('reports every event it drops, and maps the others', () => {
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
            expect(isDropped).toBe((event as { transient?: boolean }).transient !== true)
          if (extension && !event.kind.startsWith('internal:')) expect(isDropped).toBe(false)
          if (isDropped) expect(out).toEqual([])
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('writes the extension only if it is enabled', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        for (const taskId of taskIds(events)) {
          const { out } = runToA2a(eventsOfTask(events, taskId), options)
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

  it('emits items that may be changed', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false, maxChoices: 20 }), (events) => {
        const expected = runToA2a(events, options).out
        const mapper = run(toA2a(options))
        const out: unknown[] = []
        const collect = (items: readonly unknown[]): void => {
          for (const item of items) {
            out.push(throughJson(item))
            vandalize(item)
          }
        }
        for (const event of events) {
          collect(mapper.push(event))
          vandalize(a2aSnapshotOf(mapper.state))
        }
        collect(mapper.end())
        expect(out).toEqual(expected)
      }),
      { numRuns: runs(30) },
    )
  })
})

function errorsIn(events: readonly ContextAnyEvent[]): unknown[] {
  const { push, end } = run(verifier({ mode: 'strict' }))
  return [...events.flatMap((event) => push(event)), ...end()].filter(({ severity }) => severity === 'error')
}

function a2aSnapshotOf(state: Parameters<typeof a2aSnapshot>[0]): unknown {
  return (state as unknown as ToA2aState).phase === 'new' ? undefined : a2aSnapshot(state)
}

/** Changes everything that can be changed, in depth. */
function vandalize(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) vandalize(inner)
  for (const key of Object.keys(value)) delete (value as Record<string, unknown>)[key]
  if (Array.isArray(value)) value.length = 0
}

describe('arbitrary input', () => {
  it.each(versions)('never makes toA2a throw or emit invalid A2A %s', (version) => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyEvent, damaged), { maxLength: 15 }),
        fc.boolean(),
        (inputs, extension) => {
          const { out } = runToA2a(inputs as ContextAnyEvent[], { version, extension })
          expect(errorsOf(version, out)).toEqual([])
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it('never makes fromA2a throw or emit an invalid event', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 15 }), fc.boolean(), (items, extension) => {
        for (const event of runFromA2a(items, { extension }).out)
          expect(decodeEvent(event).status).toBe('known')
      }),
      { numRuns: runs(300) },
    )
  })

  it('never makes a validator throw, and never ends a stream', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...versions), (value, version) => {
        expect(validateA2aEvent(version, value)).not.toEqual([])
        expect(isA2aStreamEnd(value)).toBe(false)
      }),
      { numRuns: runs(300) },
    )
  })

  it('of fromA2a obeys the machine law', () => {
    expectMachineLaw(fromA2a({ now: () => 0 }), item, { runs: 100 })
    expectMachineLaw(fromA2a({ now: () => 0, extension: true, contextId: 'given' }), item, { runs: 100 })
  })
})

/** An event with one field replaced. */
const damaged: fc.Arbitrary<unknown> = fc
  .tuple(anyEvent, fc.nat(20), fc.anything({ maxDepth: 2 }))
  .map(([event, at, value]) => {
    const keys = Object.keys(event)
    return { ...event, [keys[at % keys.length] ?? 'kind']: value }
  })

/** Items of a stream: valid, damaged in one place, or replaced altogether. */
const item: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.constantFrom(...samples.flatMap((events, i) => itemsOf(events, settings[i % settings.length]))),
    fc.array(fc.nat(9), { maxLength: 5 }),
    fc.option(jsonValue({ maxDepth: 2 }), { freq: 2 }),
  )
  .map(([chosen, path, value]) => (value === null ? chosen : replaceAt(chosen, path, value)))

function itemsOf(events: readonly ContextAnyEvent[], options = settings[0]): unknown[] {
  return options === undefined ? [] : runToA2a(eventsOfTask(events, 'task-1'), options).out
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

describe('demuxTasks', () => {
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

  it.each(versions)('maps each task to A2A %s as if it were alone', (version) => {
    fc.assert(
      fc.property(legalStreams(), fc.boolean(), (events, extension) => {
        const mapper = run(demuxTasks(toA2a({ version, extension, viewer }), { awaitResult: true }))
        const out = [...events.flatMap((event) => mapper.push(event)), ...mapper.end()]
        for (const taskId of taskIds(events)) {
          const own = out.filter((output) => output.taskId === taskId).map(({ event }) => event)
          expect(throughJson(own)).toEqual(runToA2a(eventsOfTask(events, taskId), { version, extension }).out)
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('drops events after the end of their task', () => {
    const ids = { contextId: 'c', taskId: 't', timestamp: '2026-03-04T05:06:07Z' }
    const demux = demuxTasks()
    const { state } = demux.step(demux.initial, { kind: 'task-complete', ...ids })
    expect(demux.step(state, { kind: 'content-delta', delta: 'x', index: 0, ...ids })).toMatchObject({
      out: [],
      diagnostics: [{ code: 'dropped:content-delta', detail: { reason: 'after-end' } }],
    })
  })

  it('obeys the machine law', () => {
    expectMachineLaw(demuxTasks(), anyEvent, { runs: 50 })
    expectMachineLaw(demuxTasks(toA2a({ version: '1.0' })), anyEvent, { runs: 50 })
  })
})
