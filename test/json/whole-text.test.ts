// Proves that texts come out as Unicode, and that a pair cut between two deltas comes out whole.

import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type Diagnostic } from 'turnstream'
import { compact, emptyView, foldEvents, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/core/machine.ts'
import { toWellFormed } from '../../src/encoding/surrogates.ts'
import { isUnicode } from '../../src/encoding/unicode.ts'
import { type Halves, isWhole, noHalves, wholeText } from '../../src/json/whole-text.ts'
import { cutDeltas, withHalves } from '../support/halves.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { runs } from '../support/runs.ts'

/** All events made Unicode, through JSON between any two. */
function whole(events: readonly ContextAnyEvent[]): {
  events: ContextAnyEvent[]
  diagnostics: Diagnostic[]
  halves: Halves
} {
  const diagnostics: Diagnostic[] = []
  let halves = noHalves
  const out = events.map((event) => {
    const step = wholeText(event, halves)
    halves =
      Object.keys(step.halves).length === 0 ? noHalves : (JSON.parse(JSON.stringify(step.halves)) as Halves)
    diagnostics.push(...step.diagnostics)
    return step.event
  })
  return { events: out, diagnostics, halves }
}

const piece = fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00', 'é'), maxLength: 6 })

describe('the texts of events', () => {
  it('stay as they are if they are Unicode', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        for (const event of events) {
          expect(isWhole(event, noHalves)).toBe(true)
          expect(wholeText(event, noHalves)).toEqual({ event, halves: noHalves, diagnostics: [] })
        }
      }),
      { numRuns: runs(100) },
    )
  })

  it('are joined where a pair is cut, without a diagnostic, and fold to the same view', () => {
    fc.assert(
      fc.property(legalStreams().chain(cutDeltas), ({ events, cut }) => {
        const out = whole(cut)
        expect(out.diagnostics).toEqual([])
        expect(out.halves).toBe(noHalves)
        expect(isUnicode(out.events)).toBe(true)
        expect(compact(out.events)).toEqual(compact(events))
        expect(compact(cut)).toEqual(compact(events))
        expect(foldEvents(emptyView, out.events)).toEqual(foldEvents(emptyView, events))
      }),
      { numRuns: runs(300) },
    )
  })

  it('are Unicode whatever they were, and every change is reported', () => {
    fc.assert(
      fc.property(legalStreams().chain(withHalves), (events) => {
        const out = whole(events)
        expect(isUnicode(out.events)).toBe(true)
        const isChanged = JSON.stringify(out.events) !== JSON.stringify(events)
        if (isChanged) expect(out.diagnostics.length + Object.keys(out.halves).length).toBeGreaterThan(0)
        for (const { code } of out.diagnostics) expect(code).toMatch(/^lossy:/)
      }),
      { numRuns: runs(300) },
    )
  })

  it('are joined where a pair is cut between what replaces a text and what follows it', () => {
    const { index: _, delta: __, ...place } = delta('x', 0, '') as ContextAnyEvent & { kind: 'content-delta' }
    const replaced = (content: string) => ({ ...place, kind: 'content-replace', content }) as const
    const out = whole([delta('x', 0, 'old\ud83c'), replaced('new\ud83d'), delta('x', 1, '\ude00')])
    expect(out.events.map((event) => ('delta' in event ? event.delta : (event as never)))).toEqual([
      'old',
      replaced('new'),
      '😀',
    ])
    // What was replaced has lost the half that waited.
    expect(out.diagnostics).toMatchObject([{ code: 'lossy:delta' }])
    expect(out.halves).toBe(noHalves)
  })

  it('wait for a bounded number of halves', () => {
    const events = Array.from({ length: 600 }, (_, i) => delta(`c${i}`, 0, 'x\ud83d'))
    const { halves, events: out } = whole(events)
    expect(Object.keys(halves)).toHaveLength(256)
    expect(out.filter((event) => 'delta' in event && event.delta === 'x\ufffd')).toHaveLength(600 - 256)
  })
})

describe('an emitter', () => {
  const now = (): number => 0

  it('joins what was cut, and a text equals what was sent but for halves', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), piece, (pieces, message) => {
        const diagnostics: Diagnostic[] = []
        const emitter = createEmitter({
          contextId: 'c',
          taskId: 't',
          now,
          onDiagnostic: (d) => diagnostics.push(d),
        })
        const events = [
          emitter.emit({ kind: 'task-created', initiator: 'user' }),
          emitter.emit({ kind: 'task-status', status: 'working', message }),
          ...pieces.map((text) => emitter.emit({ kind: 'content-delta', delta: text })),
          emitter.emit({ kind: 'content-complete', content: pieces.join('') }),
          emitter.emit({ kind: 'task-status', status: 'completed' }),
        ] as ContextAnyEvent[]
        expect(isUnicode(events)).toBe(true)
        const text = pieces.join('')
        const [complete] = events.filter((event) => event.kind === 'content-complete')
        const deltas = events.map((event) => (event.kind === 'content-delta' ? event.delta : '')).join('')
        // The half at the end of a text is dropped with those before it that waited in vain.
        expect([toWellFormed(text), toWellFormed(text).replace(/\ufffd$/, '')]).toContain(deltas)
        if (pieces.length > 0) expect(complete?.content).toBe(deltas)
        if (diagnostics.length === 0) expect(deltas).toBe(text)
        const { push, end } = run(verifier({ mode: 'strict' }))
        expect([...events.flatMap((event) => [...push(event)]), ...end()]).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })

  it('reports a half that nothing follows, also of a subtask', () => {
    const codes: unknown[] = []
    const emitter = createEmitter({
      contextId: 'c',
      taskId: 't',
      now,
      onDiagnostic: ({ code, path }) => codes.push([code, path]),
    }).child({ taskId: 's' })
    expect(emitter.emit({ kind: 'task-status', status: 'working', message: 'a\ud83d' }).message).toBe(
      'a\ufffd',
    )
    expect(emitter.emit({ kind: 'content-delta', delta: 'b\ud83d' }).delta).toBe('b')
    expect(emitter.emit({ kind: 'content-complete', content: 'b\ud83d' }).content).toBe('b')
    const { arguments: args } = emitter.emit({
      kind: 'tool-start',
      toolCallId: 'x',
      toolName: 'y',
      arguments: { '\ude00': ['\ud83d'] },
    })
    expect(args).toEqual({ '\ufffd': ['\ufffd'] })
    expect(codes).toEqual([
      ['lossy:message', '/message'],
      ['lossy:delta', ''],
      ['lossy:arguments', '/arguments/\ude00'],
      ['lossy:arguments', '/arguments/\ude00/0'],
    ])
  })
})

function delta(contentId: string, index: number, text: string): ContextAnyEvent {
  const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  return { kind: 'content-delta', ...place, contentId, delta: text, index }
}
