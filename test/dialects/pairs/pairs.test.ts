// One model stream through two servers gives one message, whichever protocol it travels in.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { a2aVerifier, fromA2a, toA2a } from '../../../src/dialects/a2a/index.ts'
import { decodeAgUiEvent, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import { fromUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import { type ContextAnyEvent, run } from '../../../src/index.ts'
import { runs } from '../../support/runs.ts'
import { a2aStreams } from '../a2a/a2a-streams.ts'
import { chunkStreams } from '../ai-sdk/chunk-streams.ts'
import { agUiAsMessage, aiSdkAsMessage, aiSdkThroughAgUi, errorsOf, through } from './pair.ts'
import { agUiServer, aiSdkServer, type ModelResponse, outputs } from './servers.ts'

const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 3,
})
const args = fc
  .dictionary(
    fc.string({ maxLength: 4 }),
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.nat(), fc.boolean()),
    {
      maxKeys: 2,
      noNullPrototype: true,
    },
  )
  .map((value) => JSON.stringify(value))

/** One response after another; all but the last call tools. */
const conversations: fc.Arbitrary<ModelResponse[]> = fc
  .array(
    fc.record({
      reasoning: fc.oneof(fc.constant([]), pieces),
      text: fc.oneof(fc.constant([]), pieces),
      names: fc.array(fc.constantFrom(...Object.keys(outputs)), { minLength: 1, maxLength: 2 }),
      args,
      cut: fc.nat(5),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((turns) =>
    turns.map(({ reasoning, text, names, args: json, cut }, turn) => {
      const calls = names.map((name, i) => ({
        id: `call-${turn}-${i}`,
        name,
        pieces: [json.slice(0, cut), json.slice(cut)].filter((piece) => piece !== ''),
      }))
      return turn < turns.length - 1 ? { reasoning, text, calls } : { reasoning, text: ['The end.'] }
    }),
  )

describe('a model stream through streamText of the AI SDK and an AG-UI server', () => {
  it('gives the same message', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async (responses) => {
        const chunks = await aiSdkServer(responses)
        const message = await aiSdkAsMessage(chunks)
        expect(message.length).toBeGreaterThan(0)
        expect(await agUiAsMessage(agUiServer(responses))).toEqual(message)
        expect(await aiSdkThroughAgUi(chunks)).toEqual(message)
      }),
      { numRuns: runs(40) },
    )
  })
})

describe('AI SDK → A2A', () => {
  it.each(['0.3', '1.0'] as const)('gives a legal stream of version %s', (version) => {
    fc.assert(
      fc.property(chunkStreams, (chunks) => {
        const events = through<unknown, ContextAnyEvent>(
          fromUiMessageStream({ now: () => 0, contextId: 'c' }),
          chunks,
        )
        const items = through<ContextAnyEvent, never>(toA2a({ version }), events)
        const { push, end } = run(a2aVerifier({ version }))
        const violations = [...items.flatMap((item) => [...push(item)]), ...end()]
        expect(violations.filter(({ severity }) => severity === 'error')).toEqual([])
      }),
      { numRuns: runs(60) },
    )
  })
})

describe('A2A → AG-UI', () => {
  it.each(['0.3', '1.0'] as const)('gives known events for a stream of version %s', (version) => {
    fc.assert(
      fc.property(a2aStreams(version), ({ items }) => {
        const events = through<unknown, ContextAnyEvent>(fromA2a({ now: () => 0, contextId: 'c' }), items)
        expect(errorsOf(events)).toEqual([])
        for (const event of through<ContextAnyEvent, unknown>(toAgUi(), events)) {
          expect(decodeAgUiEvent(event).status).toBe('known')
        }
      }),
      { numRuns: runs(60) },
    )
  })
})
