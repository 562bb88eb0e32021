/** Streams for the tests of verifying, folding, compacting and closing. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { describeValue } from '../../../src/core/require.ts'
import { digestOf } from '../../../src/encoding/sha256.ts'
import { type ContextAnyEvent, run, type UnknownEvent } from '../../../src/index.ts'
import { emptyView, foldEvent, type View, type Violation, verifier } from '../../../src/streams/index.ts'
import type { VerifierOptions } from '../../../src/streams/verify/verifier.ts'
import { eventsOfTask, type LegalStreamOptions, legalStreams, taskIds } from '../../support/legal-streams.ts'

type Events = readonly (ContextAnyEvent | UnknownEvent)[]

/** The violations of a whole stream. */
export function verify(events: Events, options: VerifierOptions = {}): Violation[] {
  const { push, end } = run(verifier(options))
  return [...events.flatMap((event) => [...push(event)]), ...end()]
}

export function errorsIn(events: Events, options: VerifierOptions = { mode: 'strict' }): Violation[] {
  return verify(events, options).filter(({ severity }) => severity === 'error')
}

/** The violations of a legal stream: a task that ends with its result alone, which is the only one that breaks a rule. */
export function loneResults(events: readonly ContextAnyEvent[]): Partial<Violation>[] {
  const lone = taskIds(events)
    .map((id) => eventsOfTask(events, id))
    .filter(
      (own) =>
        own.some(({ kind }) => kind === 'task-created') &&
        own.some(({ kind }) => kind === 'task-complete') &&
        !own.some((event) => event.kind === 'task-status' && event.status === 'completed'),
    )
  return lone.map(() => ({ rule: 'completed-status', severity: 'warn' }))
}

export function fold(events: Events, view: View = emptyView): View {
  return events.reduce(foldEvent, view)
}

export function rulesOf(violations: readonly Violation[]): string[] {
  return violations.map(({ rule }) => rule)
}

/** A violation or a diagnostic of a view. */
interface Fault {
  readonly message: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/** Every message is a sentence that holds the expected and the actual value, if these are primitives. */
export function expectPlainMessages(faults: readonly Fault[]): void {
  for (const { message, expected, actual } of faults) {
    expect(message).toMatch(/^[^\s:].*\.$/s)
    for (const value of [expected, actual]) {
      if (value === undefined || (typeof value === 'object' && value !== null)) continue
      const isNamed = message.includes(String(value)) || message.includes(describeValue(value))
      expect({ message, value, isNamed }).toEqual({ message, value, isNamed: true })
    }
  }
}

/** Legal streams in which streamed arguments and digests are right, too. */
export function soundStreams(options: LegalStreamOptions = {}): fc.Arbitrary<ContextAnyEvent[]> {
  return legalStreams({ revisions: true, ...options }).map((events) => withDigests(withArguments(events)))
}

/** Legal streams in which calls are asked about before they start. */
export const approvalStreams: fc.Arbitrary<ContextAnyEvent[]> = soundStreams({
  ...{ revisions: false, focus: 'approvals', maxChoices: 60 },
})

/** Replaces the deltas of each call's arguments by the JSON of its arguments. */
function withArguments(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const texts = new Map<string, string>()
  for (const event of events) {
    if (event.kind === 'tool-start') texts.set(event.toolCallId, JSON.stringify(event.arguments))
  }
  return events.map((event, i) => {
    if (event.kind !== 'tool-arguments-delta') return event
    const text = texts.get(event.toolCallId)
    if (text === undefined) return event
    const later = events.slice(i + 1)
    const isLast = !later.some((other) => other.kind === event.kind && other.toolCallId === event.toolCallId)
    // A stream that is cut between the halves of a character has no legal end.
    const delta = isLast ? text : text.slice(0, String.fromCodePoint(text.codePointAt(0) ?? 0).length)
    texts.set(event.toolCallId, text.slice(delta.length))
    return { ...event, delta }
  })
}

/** Computes each digest. */
function withDigests(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const chunks = new Map<string, Buffer[]>()
  const encodings = new Map<string, BufferEncoding>()
  return events.map((event) => {
    if (event.kind !== 'file-write') return event
    const { artifactId, index, data, encoding = 'utf-8' } = event
    if (index === 0) {
      chunks.set(artifactId, [])
      encodings.set(artifactId, encoding)
    }
    const list = chunks.get(artifactId)
    list?.push(Buffer.from(data, encodings.get(artifactId)))
    return event.digest === undefined ? event : { ...event, digest: digestOf(Buffer.concat(list ?? [])) }
  })
}

/** Legal streams with events removed and repeated at random. */
export const strayStreams: fc.Arbitrary<ContextAnyEvent[]> = fc
  .array(fc.record({ at: fc.nat(400), event: fc.nat(400), repeat: fc.nat(3) }), { maxLength: 30 })
  .chain((moves) =>
    fc.oneof(soundStreams({ maxChoices: 60 }), approvalStreams).map((events) => {
      const mixed = [...events]
      for (const { at, event, repeat } of moves) {
        const one = events[event % events.length]
        if (one === undefined) continue
        if (repeat === 0) mixed.splice(at % mixed.length, 1)
        else mixed.splice(at % (mixed.length + 1), 0, structuredClone(one))
        if (mixed.length === 0) break
      }
      return mixed
    }),
  )

/** Runs of deltas, most of them with the expected index. */
export const deltaStreams: fc.Arbitrary<ContextAnyEvent[]> = fc
  .array(
    fc.record({
      pick: fc.nat(1),
      task: fc.constantFrom('a', 'a', 'a', 'b'),
      jump: fc.constantFrom(0, 0, 0, 0, -1, -2, -3, 1),
      span: fc.constantFrom(0, 0, 0, 1, 2),
      end: fc.constantFrom(false, false, false, false, false, true),
      text: fc.string({ unit: 'grapheme', maxLength: 4 }),
      bytes: fc.uint8Array({ maxLength: 5 }),
      quirk: fc.nat(15),
      iteration: fc.constantFrom(undefined, 0, 0, 0, 0, 1),
      second: fc.nat(3),
    }),
    { maxLength: 40 },
  )
  .chain((steps) =>
    // Few series at a time, so that deltas of one series are adjacent.
    fc
      .subarray(['text', 'second text', 'thought', 'arguments', 'file', 'bytes', 'rows'], {
        minLength: 1,
        maxLength: 2,
      })
      .map((few) => ({ steps, few })),
  )
  .map(({ steps, few }) => {
    const next = new Map<string, number>()
    return steps.map(({ pick, task, jump, span, end, text, bytes, quirk, second, iteration: stated }) => {
      const series = few[pick % few.length] ?? 'text'
      const isArtifact = series === 'file' || series === 'rows' || series === 'bytes'
      const key = isArtifact ? series : `${task} ${series}`
      const index = Math.max(0, (next.get(key) ?? 0) + jump)
      next.set(key, index + span + 1)
      const context = { contextId: 'ctx', taskId: task, timestamp: `2026-01-01T00:00:0${second}Z` }
      const range = { index, ...(span > 0 && { indexEnd: index + span }) }
      const iteration = stated === undefined ? {} : { iteration: stated }
      const extra = quirk === 0 ? { note: 'an unknown field' } : {}
      const first = index === 0 && quirk % 2 === 0 && { name: text, metadata: { n: quirk } }
      const base = { ...context, ...range, ...extra }
      const named = series === 'second text' && { contentId: 'second' }
      const isText = series === 'text' || series === 'second text'
      if (isText && quirk >= 14) {
        next.set(key, 1)
        return { ...context, ...iteration, kind: 'content-replace', ...named, content: text }
      }
      if (quirk === 13) {
        for (const one of [...next.keys()].filter((one) => one.startsWith(task))) next.delete(one)
        return { ...context, kind: 'iteration-reset', iteration: stated ?? 0 }
      }
      if (end && (series === 'text' || series === 'second text')) {
        next.delete(key)
        return { ...context, ...iteration, kind: 'content-complete', ...named, content: text }
      }
      if (end && series === 'thought') {
        const about = { thoughtType: 'planning', verbosity: 'brief', content: text, index: 0 }
        return { ...context, ...iteration, kind: 'thought-stream', thoughtId: task, ...about }
      }
      if (end && series === 'arguments' && pick === 1) {
        return {
          ...context,
          ...iteration,
          kind: 'tool-complete',
          toolCallId: task,
          toolName: 'search',
          success: second === 0,
        }
      }
      if (end && series === 'arguments') {
        return {
          ...context,
          ...iteration,
          kind: 'tool-start',
          toolCallId: task,
          toolName: 'search',
          arguments: {},
        }
      }
      if (quirk === 1) return { ...context, kind: 'task-status', status: pick ? 'failed' : 'working' }
      if (isArtifact && quirk === 5) return { ...context, kind: 'data-write', artifactId: series, data: {} }
      const version = isArtifact && quirk >= 6 && quirk <= 8 && { version: quirk }
      if (end) next.set(key, 0)
      switch (series) {
        case 'text':
        case 'second text':
          return { ...base, ...iteration, kind: 'content-delta', ...named, delta: text }
        case 'thought':
          return { ...base, ...iteration, kind: 'thought-delta', thoughtId: task, delta: text }
        case 'arguments':
          return {
            ...base,
            ...iteration,
            kind: 'tool-arguments-delta',
            toolCallId: task,
            toolName: 'search',
            delta: text,
          }
        case 'rows':
          return {
            ...base,
            kind: 'dataset-write',
            artifactId: series,
            rows: [{ text }],
            complete: end,
            ...first,
            ...version,
          }
        default: {
          const isBytes = series === 'bytes'
          const padded = Buffer.from(bytes).toString('base64')
          const data = !isBytes
            ? text
            : quirk === 2
              ? '!!'
              : quirk === 3
                ? padded.replaceAll('=', '')
                : padded
          const digest = quirk === 4 && { digest: digestOf(Buffer.from(data)) }
          const encoding = isBytes && index === 0 && { encoding: 'base64' }
          return {
            ...base,
            kind: 'file-write',
            artifactId: series,
            data,
            complete: end,
            ...first,
            ...encoding,
            ...version,
            ...digest,
          }
        }
      }
    }) as unknown as ContextAnyEvent[]
  })
