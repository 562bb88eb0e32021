// What every machine that reads the stream of a model must do, whatever the stream is.

import fc from 'fast-check'
import { type EventDraft, run } from 'turnstream'
import { jsonDecoder } from 'turnstream/sse'
import { thoughtEvents } from 'turnstream/thoughts'
import { describe, expect, it } from 'vitest'
import { readRecording, recordingOf } from '../../../examples/recording.ts'
import type { ModelOptions } from '../../../src/providers/shared/options.ts'
import { cutBytes, cuts } from '../../sse/streams.ts'
import { jsonValue } from '../json.ts'
import { expectMachineLaw } from '../law.ts'
import { runs } from '../runs.ts'
import {
  type Provider,
  type ReadStream,
  readPrefixes,
  readStream,
  taskOf,
  violationsOf,
} from './agent-loop.ts'
import { mutationsOf } from './mutations.ts'
import { bodyOf, readBody } from './read-body.ts'

const end = fc.option(fc.record({ reason: fc.constant('abort') }), { nil: undefined })

/** Options that change what is emitted. */
const variants: readonly ModelOptions[] = [
  {},
  { calls: 'start' },
  { thoughts: thoughtEvents({ live: true }), calls: 'start', iteration: 3 },
]

/** Declares the tests of a provider over arbitrary chunks. */
export function providerLaws(
  create: (options: ModelOptions) => Provider,
  chunk: fc.Arbitrary<unknown>,
): void {
  it.each(variants)('keep their state as JSON, with %o', (options) => {
    expectMachineLaw(create(options), chunk, { reason: end })
    expectMachineLaw(create(options), jsonValue(), { reason: end, runs: 50 })
  })

  it.each(variants)('emit drafts of which an agent makes a legal task, with %o', (options) => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 24 }), end, (chunks, reason) => {
        expect(violationsOf(taskOf(readStream(create(options), chunks, reason)))).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('give the same for the bytes of a body, wherever they are cut', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), cuts, (chunks, at) => {
        const { drafts, turn } = readStream(create({}), chunks)
        expect(readBody(create({}), cutBytes(bodyOf(chunks), at))).toEqual({ drafts, turn })
      }),
      { numRuns: runs(100) },
    )
  })

  it('state the whole of each text in content-complete, and all texts in the turn', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 24 }), (chunks) => {
        const { drafts } = readStream(create({}), chunks)
        const deltas = drafts.flatMap((draft) => (draft.kind === 'content-delta' ? [draft.delta] : []))
        const wholes = drafts.flatMap((draft) => (draft.kind === 'content-complete' ? [draft.content] : []))
        expect(wholes.join('').length).toBe(deltas.join('').length)
      }),
      { numRuns: runs(200) },
    )
  })

  it('start no call whose arguments are not whole', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 24 }), (chunks) => {
        const { drafts, turn } = readStream(create({ calls: 'start' }), chunks)
        const started = drafts.flatMap((draft) => (draft.kind === 'tool-start' ? [draft.toolCallId] : []))
        const failed = turn.calls
          .filter(({ status }) => status !== 'complete')
          .map(({ toolCallId }) => toolCallId)
        expect(started.filter((id) => failed.includes(id))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })
}

/** Declares the tests of a provider over a recorded stream, whole, cut off and with faults. */
export function recordingLaws(create: (options: ModelOptions) => Provider, name: string): void {
  const bytes = readRecording(recordingOf(name))
  const chunks = [...run(jsonDecoder()).push(bytes)].map(({ value }) => value)
  const codesOf = ({ codes }: ReadStream): string[] => codes.filter((code) => !code.startsWith('inferred:'))

  describe(`the recording of ${name}`, () => {
    it('reads without a loss', () => {
      const read = readStream(create({}), chunks)
      const isCut = read.turn.calls.some(({ status }) => status === 'incomplete')
      expect(codesOf(read)).toEqual(isCut ? ['arguments-incomplete'] : [])
      expect(violationsOf(taskOf(read))).toEqual([])
    })

    it('gives the same wherever its bytes are cut', () => {
      const { drafts, turn } = readStream(create({}), chunks)
      fc.assert(
        fc.property(cuts, (at) => {
          expect(readBody(create({}), cutBytes(bytes, at))).toEqual({ drafts, turn })
        }),
        { numRuns: runs(40) },
      )
    })

    it.each(variants)('closes what is open wherever it ends, and starts nothing then, with %o', (options) => {
      for (const read of readPrefixes(create(options), chunks.slice(0, -1))) {
        expect(violationsOf(taskOf(read))).toEqual([])
        const open = read.turn.calls.filter(({ status }) => status !== 'complete')
        const started = read.drafts.flatMap((draft) =>
          draft.kind === 'tool-start' ? [draft.toolCallId] : [],
        )
        const cut = read.codes.filter((code) => code === 'arguments-incomplete')
        // Calls of tools at the provider are no part of the turn.
        expect(cut.length).toBeGreaterThanOrEqual(open.length)
        const errors = read.drafts.filter(
          (draft) => draft.kind === 'task-error' && draft.error.scope === 'tool',
        )
        expect(errors).toHaveLength(cut.length)
        expect(open.filter(({ toolCallId }) => started.includes(toolCallId))).toEqual([])
        if (read.turn.finishReason === undefined) expect(read.codes).toContain('ended-early')
        const last = read.drafts.slice(0, read.streamed).findLast(({ kind }) => kind.startsWith('thought-'))
        const closing = read.drafts.slice(read.streamed)
        // Without arguments, a call waits for the end of the stream.
        const late = closing.flatMap((draft) => (draft.kind === 'tool-start' ? [draft.arguments] : []))
        expect(
          late.filter((args) => read.turn.finishReason === undefined || Object.keys(args).length > 0),
        ).toEqual([])
        if (last?.kind === 'thought-delta') {
          expect(closing).toContainEqual(
            expect.objectContaining({
              kind: 'thought-stream',
              metadata: expect.objectContaining({ complete: false }),
            }),
          )
        }
      }
    })

    it('reads on after chunks of unknown types and past unknown fields, and reports them once', () => {
      const { drafts, turn, codes } = readStream(create({}), chunks)
      fc.assert(
        fc.property(fc.nat(chunks.length - 1), (at) => {
          const news = {
            type: 'unheard_of',
            event_type: 'unheard_of',
            unheardOf: { a: 1 },
            object: 'unheard_of',
          }
          const strange = [...chunks.slice(0, at), news, ...chunks.slice(at)]
          const read = readStream(create({}), strange)
          expect({ drafts: read.drafts, turn: read.turn }).toEqual({ drafts, turn })
          const isNew = (code: string): boolean => code === 'unknown-type' || code === 'dropped:chunk'
          expect(read.codes.filter(isNew).length).toBeGreaterThan(0)

          const wider = chunks.map((chunk) => ({ ...(chunk as object), unheard_of: { a: 1 } }))
          const past = readStream(create({}), wider)
          expect({ drafts: past.drafts, turn: past.turn }).toEqual({ drafts, turn })
          expect(past.codes.length).toBe(codes.length + 1)
        }),
        { numRuns: runs(20) },
      )
    })

    it('reads past chunks that are no objects, and reports each with its place', () => {
      const { drafts, turn, codes } = readStream(create({}), chunks)
      const other = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.constant([]))
      fc.assert(
        fc.property(fc.nat(chunks.length - 1), fc.boolean(), other, (at, isList, value) => {
          const given = isList ? [chunks[at], value, value] : value
          const strange = [...chunks.slice(0, at), given, ...chunks.slice(isList ? at + 1 : at)]
          const read = readStream(create({}), strange)
          expect({ drafts: read.drafts, turn: read.turn }).toEqual({ drafts, turn })
          expect(read.codes).toHaveLength(codes.length + 1)
          const [report] = read.diagnostics.filter(({ message }) =>
            message.includes('Expected an object, got'),
          )
          expect(report).toMatchObject({ code: 'invalid-event', path: isList ? '/1' : '' })
        }),
        { numRuns: runs(20) },
      )
    })

    it.each(variants)(
      'is a legal task, whatever is lost, repeated, out of order or of another type, with %o',
      (options) => {
        fc.assert(
          fc.property(mutationsOf(chunks), end, (faulty, reason) => {
            expect(violationsOf(taskOf(readStream(create(options), faulty, reason)))).toEqual([])
          }),
          { numRuns: runs(150) },
        )
      },
    )

    it('starts all calls but those that need an approval, which are left to whoever asks', () => {
      fc.assert(
        fc.property(mutationsOf(chunks), fc.nat(1), (faulty, odd) => {
          const needsApproval = ({ toolName }: { toolName: string }): boolean => toolName.length % 2 === odd
          const isHeldBack = (draft: EventDraft): boolean =>
            draft.kind === 'tool-start' && draft.metadata?.provider === undefined && needsApproval(draft)
          const all = readStream(create({ calls: 'start' }), faulty)
          const read = readStream(create({ calls: 'start', needsApproval }), faulty)
          expect(read.drafts).toEqual(all.drafts.filter((draft) => !isHeldBack(draft)))
          expect(read.turn).toEqual(all.turn)
        }),
        { numRuns: runs(100) },
      )
    })

    it('leaves its chunks and the state alone, whatever is wrong with them', () => {
      fc.assert(
        fc.property(mutationsOf(chunks), (faulty) => {
          const before = JSON.stringify(faulty)
          readStream(create({}), faulty)
          expect(JSON.stringify(faulty)).toBe(before)
        }),
        { numRuns: runs(40) },
      )
    })
  })
}
