/** Laws of mappers: what a writer declares it loses is what it loses, and a reader loses nothing silently. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Diagnostic, Machine } from '../../src/core/machine.ts'
import type { Coverage, LossTable } from '../../src/dialects/shared/coverage.ts'
import { toPointer } from '../../src/encoding/pointer.ts'
import { toUnicode } from '../../src/encoding/unicode.ts'
import { decodeEvent } from '../../src/events/decode.ts'
import type { ContextAnyEvent, EventKind } from '../../src/events/event.ts'
import { isTaskEnd } from '../../src/events/task-end.ts'
import { verifier } from '../../src/streams/index.ts'
import { jsonValue } from './json.ts'
import { standsAlone } from './law.ts'
import { legalStreams } from './legal-streams.ts'
import { runs } from './runs.ts'

/** What a machine made of its inputs, step by step; the last item is the end. */
export interface Result<Out> {
  readonly out: readonly Out[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Runs a machine over inputs. */
export function resultsOf<State, In, Out, End>(
  machine: Machine<State, In, Out, End>,
  inputs: readonly In[],
  reason?: End,
): Result<Out>[] {
  const results: Result<Out>[] = []
  let state = machine.initial
  for (const input of inputs) {
    const step = machine.step(state, input)
    results.push({ out: step.out, diagnostics: step.diagnostics ?? [] })
    state = step.state
  }
  const step = machine.end(state, reason)
  results.push({ out: step.out, diagnostics: step.diagnostics ?? [] })
  return results
}

/** How many different inputs a machine takes until it reports that it evicted some of its state; at most 10 000. */
export function inputsUntilEvicted<In>(
  machine: Machine<unknown, In, unknown, never>,
  inputOf: (i: number) => In,
): number {
  let { initial: state } = machine
  for (let i = 0; i < 10_000; i++) {
    const step = machine.step(state, inputOf(i))
    const { diagnostics = [] } = step
    if (diagnostics.some(({ code }) => code === 'state-evicted')) {
      expectSentences([{ out: [], diagnostics }])
      return i + 1
    }
    state = step.state
  }
  return Infinity
}

/** A leaf of a JSON value: a string, number, boolean or `null`, or an empty container. */
export interface Leaf {
  readonly path: string
  readonly value: unknown
}

/** All leaves of a JSON value, with their pointers. */
export function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = []
  addLeaves(leaves, value, '')
  return leaves
}

function addLeaves(leaves: Leaf[], value: unknown, path: string): void {
  const isObject = typeof value === 'object' && value !== null
  const keys = isObject ? Object.keys(value) : []
  if (keys.length === 0) leaves.push({ path, value })
  for (const key of keys) addLeaves(leaves, (value as Record<string, unknown>)[key], path + toPointer([key]))
}

/** What {@link expectReaderLaw} needs to know about a reader. */
export interface Reader<In> {
  /** A new reader. Output must not depend on anything but the inputs. */
  readonly machine: () => Machine<unknown, In, ContextAnyEvent, never>
  /** Valid streams of the protocol. */
  readonly streams: fc.Arbitrary<readonly In[]>
  /**
   * Whether a leaf is the protocol's own structure, such as a type tag, and not content of the sender. Also for leaves
   * whose value reaches the output in another spelling, such as a status that is mapped to another name.
   */
  readonly isStructure: (path: string, value: unknown, input: In) => boolean
  /** Whether the output must be legal, as it must for valid streams. Defaults to `true`. */
  readonly isLegal?: boolean
  /** The number of streams. */
  readonly runs?: number
}

/**
 * Checks that a reader loses nothing silently, and that its output is legal: every leaf of every input is in an
 * event, or a diagnostic of its step names its path, a path above it, or its value.
 */
export function expectReaderLaw<In>({
  machine,
  streams,
  isStructure,
  isLegal = true,
  runs: count = 200,
}: Reader<In>): void {
  fc.assert(
    fc.property(streams, (inputs) => {
      expectNothingLost(resultsOf(machine(), inputs), inputs, isStructure, isLegal)
    }),
    { numRuns: runs(count) },
  )
}

/**
 * Checks that every leaf of every input is in an event, or named by a diagnostic of its step, and that the events are
 * valid, without metadata that is empty unless an input has an empty object, and, unless stated otherwise, legal. The results are those of {@link resultsOf}.
 */
export function expectNothingLost<In>(
  results: readonly Result<ContextAnyEvent>[],
  inputs: readonly In[],
  isStructure: Reader<In>['isStructure'],
  isLegal = true,
): void {
  const events = results.flatMap(({ out }) => out)
  // Before the first event, one report names all inputs with the same fault.
  const first = results.findIndex(({ out }) => out.length > 0)
  const fault = results.findIndex(({ diagnostics }) => diagnostics.some(isNoEvent))
  const isNamed = new Set(
    inputs.filter(
      (_, i) =>
        fault !== -1 && i > fault && (first === -1 || i < first) && results[i]?.diagnostics.length === 0,
    ),
  )
  expectLeavesKept(
    results,
    inputs,
    (path, value, input) => isNamed.has(input) || isStructure(path, value, input),
  )
  if (!JSON.stringify(inputs).includes('{}')) expect(events.filter(hasEmptyMetadata)).toEqual([])
  expect(events.filter((event) => decodeEvent(event).status !== 'known')).toEqual([])
  if (isLegal) expect(errorsOf(events)).toEqual([])
}

/** Whether an input was reported as none of the protocol. */
function isNoEvent({ code, detail }: Diagnostic): boolean {
  return code === 'invalid-event' || (detail as { reason?: unknown } | undefined)?.reason === 'unknown-kind'
}

function hasEmptyMetadata(event: object): boolean {
  const { metadata } = event as { metadata?: object }
  return metadata !== undefined && Object.keys(metadata).length === 0
}

/** The codes of what a later event than the one that has it reports. */
const LATE = /^(lossy:(metadata|message|contentId|step_id)$|dropped:)/

/**
 * Checks that every leaf of every input is in an output, or named by a diagnostic of its step, and that no output has a field
 * that is `undefined`.
 */
export function expectLeavesKept<In>(
  results: readonly Result<unknown>[],
  inputs: readonly In[],
  isStructure: Reader<In>['isStructure'],
): void {
  const leaves = leavesOf(results.flatMap(({ out }) => out))
  const values = leaves.map(({ value }) => value)
  expect(leaves.filter(({ value }) => value === undefined)).toEqual([])
  const mapped = new Set(values.map((value) => JSON.stringify(value)))
  const joined = values.filter((value) => typeof value === 'string').join('')
  // Half a surrogate pair at an end belongs to the text before or after it; others are replaced.
  const whole = (text: string): string =>
    String(toUnicode(text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ''), () => {}))
  const isMapped = (value: unknown): boolean =>
    mapped.has(JSON.stringify(value)) || (typeof value === 'string' && joined.includes(whole(value)))
  // What is sent again is reported once, some at the end, metadata by the event that replaces it, and what an item without
  // content has by its end.
  const reported = new Set<string | undefined>()
  const report = (diagnostics: readonly Diagnostic[]): void => {
    for (const { detail } of diagnostics)
      for (const { value } of leavesOf(detail)) reported.add(JSON.stringify(value))
  }
  report(results.at(-1)?.diagnostics ?? [])
  report(results.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => LATE.test(code))))
  expectSentences(results)
  // A text of which deltas are missing waits for its whole; if that does not come, its end states how much is lost.
  const hasGap = results.some(({ diagnostics }) => diagnostics.some(({ code }) => code === 'gap'))
  for (const [i, input] of inputs.entries()) {
    const { diagnostics } = results[i] as Result<unknown>
    report(diagnostics)
    for (const leaf of leavesOf(input)) {
      if (isStructure(leaf.path, leaf.value, input) || isMapped(leaf.value)) continue
      if (
        hasGap &&
        'delta' in (input as object) &&
        /^\/(delta|(thought|content|toolCall)Id|toolName)$/.test(leaf.path)
      )
        continue
      // A delta without text adds nothing where a format has none.
      if ((input as { readonly delta?: unknown }).delta === '') continue
      const isReported = diagnostics.some(
        ({ code, path }) =>
          code.startsWith('dropped:') ||
          code === 'invalid-event' ||
          (path !== undefined && `${leaf.path}/`.startsWith(`${path}/`)),
      )
      if (!isReported && !reported.has(JSON.stringify(leaf.value))) {
        expect({ lost: leaf, input, diagnostics }).toBe('an event or a diagnostic')
      }
    }
  }
}

/** Why mappers drop an event. */
const REASONS: readonly unknown[] = [
  'after-end',
  'audience',
  'conflict',
  'extension',
  'invalid-content',
  'no-equivalent',
  'no-open-question',
  'no-open-task',
  'not-forwarded',
  'not-started',
  'other-task',
  'out-of-order',
  'repeated',
  'too-many',
  'unknown-kind',
  'unknown-type',
  'waiting',
]

/** Checks that every diagnostic stands alone, and that there is a known reason if something is dropped. */
export function expectSentences(results: readonly Result<unknown>[]): void {
  const wrong = results.flatMap(({ diagnostics }) =>
    diagnostics.filter(
      (diagnostic) =>
        !standsAlone(diagnostic) ||
        (diagnostic.code.startsWith('dropped:') &&
          !REASONS.includes((diagnostic.detail as { reason?: unknown })?.reason)),
    ),
  )
  expect(wrong).toEqual([])
}

/** The errors of a strict verifier. */
export function errorsOf(events: readonly ContextAnyEvent[]): unknown[] {
  return resultsOf(verifier({ mode: 'strict' }), events)
    .flatMap(({ out }) => out)
    .filter(({ severity }) => severity === 'error')
}

/** Checks that a machine takes any JSON value as input, also in the middle of a stream, and stays usable. */
export function expectTotal<In>(
  machine: () => Machine<unknown, In, unknown, never>,
  streams: fc.Arbitrary<readonly In[]>,
): void {
  fc.assert(
    fc.property(streams, fc.array(jsonValue(), { maxLength: 4 }), fc.nat(), (inputs, values, at) => {
      const cut = at % (inputs.length + 1)
      const mixed = [...inputs.slice(0, cut), ...(values as In[]), ...inputs.slice(cut)]
      expectSentences(resultsOf(machine(), mixed))
    }),
    { numRuns: runs(200) },
  )
}

/**
 * Checks that a writer loses nothing silently: every leaf of every event is in an output, or a diagnostic of its step
 * names its path, a path above it, or drops the event. A request may also be dropped later, by its id.
 */
export function expectWriterLaw<Out>({
  machine,
  isStructure,
  streams = withUnknownFields(legalStreams()),
  runs: count = 200,
}: {
  readonly machine: () => Machine<unknown, ContextAnyEvent, Out, never>
  readonly isStructure: Reader<ContextAnyEvent>['isStructure']
  readonly streams?: fc.Arbitrary<readonly ContextAnyEvent[]>
  readonly runs?: number
}): void {
  fc.assert(
    fc.property(streams, (events) => {
      const results = resultsOf(machine(), events)
      const dropped = new Set(
        results.flatMap(({ diagnostics }) =>
          diagnostics.map(({ detail }) => (detail as { id?: unknown } | undefined)?.id),
        ),
      )
      const missed = missedIn(results, events)
      expectLeavesKept(results, events, (path, value, event) => {
        const { inputId, authId } = event as { inputId?: string; authId?: string }
        const id = inputId ?? authId
        return (id !== undefined && dropped.has(id)) || missed.has(event) || isStructure(path, value, event)
      })
    }),
    { numRuns: runs(count) },
  )
}

/** The events of which nothing is written as they matter at the moment only. */
export function missedIn(
  results: readonly Result<unknown>[],
  events: readonly ContextAnyEvent[],
): ReadonlySet<ContextAnyEvent> {
  const isMissed = (event: ContextAnyEvent, i: number): boolean => {
    const { transient, name } = event as { transient?: boolean; name?: string }
    return transient === true && !JSON.stringify(results[i]?.out).includes(JSON.stringify(name))
  }
  return new Set(events.filter(isMissed))
}

/** Whether a leaf is of a field that a writer loses without a report, as no page shows it. */
export function isUnseen(table: LossTable, path: string, { kind }: ContextAnyEvent): boolean {
  const fields = (table[kind] ?? []).filter((lost) => lost.startsWith('~'))
  return fields.some((lost) => `${path}/`.startsWith(`/${lost.slice(1).replace('.', '/')}/`))
}

/** What {@link expectCoverageLaw} needs to know about a writer. */
export interface Writer<Out> {
  readonly machine: () => Machine<unknown, ContextAnyEvent, Out, never>
  readonly coverage: Readonly<Record<EventKind, Coverage>>
  readonly losses: Readonly<Record<EventKind, readonly string[]>>
  /** The streams. Defaults to legal streams of one task with unknown fields. */
  readonly streams?: fc.Arbitrary<readonly ContextAnyEvent[]>
  readonly runs?: number
}

/**
 * Checks that a writer reports what it loses as it declares: nothing for `full`, one `dropped:<kind>` for `omitted`,
 * and for the rest only `lossy:<field>` of declared or unknown fields, or `dropped:<kind>` if `*` is declared.
 */
export function expectCoverageLaw<Out>({ machine, coverage, losses, ...rest }: Writer<Out>): void {
  const { streams = withUnknownFields(legalStreams({ subtasks: false })), runs: count = 200 } = rest
  fc.assert(
    fc.property(streams, (events) => {
      const results = resultsOf(machine(), events)
      expectSentences(results)
      for (const [i, event] of events.entries()) {
        const { kind } = event
        const { diagnostics } = results[i] as Result<Out>
        const dropped = diagnostics.filter(({ code }) => code === `dropped:${kind}`)
        const lossy = diagnostics.filter(({ code }) => code.startsWith('lossy:'))
        const context = { event, diagnostics }
        // The end of a task shows which texts were left without a character: a format without empty ones loses their ids.
        const ofTexts = losses['content-delta'].filter((name) => isTaskEnd(event) && name === 'contentId')
        const lost = [...losses[kind], ...ofTexts]
        if (coverage[kind] === 'omitted') {
          const isMissed = (event as { transient?: boolean }).transient === true && dropped.length === 0
          if (!isMissed) expect({ ...context, dropped: dropped.length }).toEqual({ ...context, dropped: 1 })
          continue
        }
        if (!losses[kind].includes('*')) expect({ ...context, dropped }).toEqual({ ...context, dropped: [] })
        for (const { path = '' } of lossy) {
          const field = path.slice(1).replaceAll('/', '.')
          const isDeclared = lost.some((name) =>
            `${field}.`.startsWith(name.replace(/\*?$/, name.endsWith('.*') ? '' : '.')),
          )
          const isUnknown = field.split('.').some((key) => key.startsWith(UNKNOWN)) || field === 'metadata'
          if (!isDeclared && !isUnknown) expect({ ...context, field }).toBe('a declared loss')
        }
      }
    }),
    { numRuns: runs(count) },
  )
}

/** The prefix of the unknown fields of {@link withUnknownFields}. */
export const UNKNOWN = 'x-'

/** Streams with unknown fields in some events and in their metadata, which no schema forbids. */
export function withUnknownFields(
  streams: fc.Arbitrary<readonly ContextAnyEvent[]>,
): fc.Arbitrary<readonly ContextAnyEvent[]> {
  const choice = fc.constantFrom('none', 'none', 'field', 'metadata', 'both')
  return fc
    .tuple(streams, fc.infiniteStream(choice), jsonValue({ maxDepth: 1 }))
    .map(([events, choices, value]) =>
      events.map((event) => {
        const { value: where } = choices.next()
        const field = where === 'field' || where === 'both' ? { [`${UNKNOWN}field`]: value } : {}
        const { metadata } = event as { metadata?: object }
        const inMetadata = where === 'metadata' || where === 'both'
        return {
          ...event,
          ...field,
          ...(inMetadata && { metadata: { ...metadata, [`${UNKNOWN}key`]: value } }),
        } as ContextAnyEvent
      }),
    )
}
