// Proves that the client of OpenAI reads what is written, of any stream: the message that it assembles is what the task has.
import fc from 'fast-check'
import OpenAI from 'openai'
import type { ContextAnyEvent, EventDraft } from 'turnstream'
import { openaiChat } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import { damaged } from '../../support/damaged-streams.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { readStream } from '../../support/providers/agent-loop.ts'
import { runs } from '../../support/runs.ts'
import { clientOf, completionOf, taskOf, written } from './support.ts'

const completed = { kind: 'task-status', status: 'completed' } as const
const usage = [{ inputTokens: 3, outputTokens: 2, totalTokens: 5 }]
const answer = taskOf([
  {
    kind: 'thought-stream',
    thoughtId: 'th',
    thoughtType: 'reasoning',
    verbosity: 'normal',
    content: 'So.',
    index: 0,
  },
  { kind: 'content-delta', delta: 'Hig', index: 0 },
  { kind: 'content-complete', content: 'High', metadata: { usage } },
  { kind: 'tool-start', toolCallId: 'k', toolName: 'tide', arguments: { port: 'Brest' } },
])

/** How a stream ends for the client: with a message, or an error. */
async function outcomeOf(events: readonly ContextAnyEvent[]) {
  const { out } = written(events, { viewer: { audience: 'operator' }, includeUsage: true })
  try {
    return { out, completion: await completionOf(out) }
  } catch (error) {
    return { out, error }
  }
}

describe('the client of OpenAI', () => {
  it('assembles the message', async () => {
    const { out } = written(answer, { model: 'harbour-agent', includeUsage: true })
    const { model, usage: tokens, choices } = await completionOf(out)
    expect({ model, tokens }).toEqual({
      model: 'harbour-agent',
      tokens: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    })
    expect(choices).toMatchObject([
      {
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'High',
          tool_calls: [
            { id: 'k', type: 'function', function: { name: 'tide', arguments: '{"port":"Brest"}' } },
          ],
        },
      },
    ])
  })

  it('iterates over the chunks', async () => {
    const { out } = written(answer)
    const stream = await clientOf(out).chat.completions.create({ model: 'm', messages: [], stream: true })
    const chunks: unknown[] = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks).toEqual(out)
  })

  it('throws the error of a task that fails', async () => {
    const error = { code: 'rate_limited', message: 'Slow down.', retry: 'retryable' } as const
    const outcome = await outcomeOf(taskOf([{ kind: 'task-status', status: 'failed', error }]))
    expect(outcome.error).toBeInstanceOf(OpenAI.APIError)
    expect(outcome.error).toMatchObject({ code: 'rate_limited', type: 'rate_limited' })
    expect(String(outcome.error)).toContain('Slow down.')
  })

  const streams = fc.oneof(
    legalStreams({ subtasks: false, revisions: true }),
    damaged(legalStreams({ subtasks: false, revisions: true })),
  )

  it('reads any stream, as openaiChat does', async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.nat(), async (events, at) => {
        const { out, completion, error } = await outcomeOf(events.slice(0, 1 + (at % events.length)))
        const failed = out.some((chunk) => 'error' in chunk)
        if (out.length === 0) {
          expect(error).toMatchObject({ message: 'request ended without sending any chunks' })
          return
        }
        if (error !== undefined || completion === undefined) {
          expect({ failed, error }).toEqual({ failed: true, error: expect.any(OpenAI.APIError) })
          return
        }
        expect(failed).toBe(false)
        const [choice] = completion.choices
        const { turn, codes } = readStream(openaiChat(), out)
        expect(codes.filter((code) => !code.startsWith('arguments-'))).toEqual([])
        expect(turn.text).toBe(choice?.message.content ?? '')
        expect(turn.calls.map((call) => [call.toolCallId, call.toolName, call.text])).toEqual(
          (choice?.message.tool_calls ?? []).map((call) =>
            call.type === 'function' ? [call.id, call.function.name, call.function.arguments] : [],
          ),
        )
        expect(turn.finishReason).toBe(choice?.finish_reason)
        expect(turn.usage?.totalTokens).toBe(completion.usage?.total_tokens)
      }),
      { numRuns: runs(150), examples: [[[], 0]] },
    )
  })

  const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 6,
  })
  const item = fc.record({ type: fc.constantFrom('text', 'thought', 'call'), pieces })
  /** What becomes of each delta: from how many before it is merged, and how often it comes. */
  const fate = fc.record({ merges: fc.constantFrom(0, 0, 1, 2, 9), copies: fc.constantFrom(1, 1, 1, 0, 2) })

  it('has the whole of every item, whichever deltas are lost, repeated or merged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 5 }), fc.infiniteStream(fate), async (items, fates) => {
        const drafts = items.flatMap(({ type, pieces: whole }, i): EventDraft[] => {
          const text = type === 'call' ? JSON.stringify({ a: whole.join('') }) : whole.join('')
          const parts = type === 'call' ? (text.match(/.{1,3}/gsu) ?? []) : whole
          const deltas = parts.flatMap((_, end) => {
            const { merges, copies } = fates.next().value
            const index = Math.max(0, end - merges)
            const delta = parts.slice(index, end + 1).join('')
            const at = { delta, index, ...(end > index && { indexEnd: end }) }
            return Array.from(
              { length: copies },
              () => draftsOf[type]?.delta(`${i}`, at as never) as EventDraft,
            )
          })
          return [...deltas, draftsOf[type]?.whole(`${i}`, text as never) as EventDraft]
        })
        const end = { kind: 'content-complete', content: '', contentId: 'end', metadata: { usage } } as const
        const textsOf = (type: string): string[] =>
          items.flatMap((one) => (one.type === type ? [one.pieces.join('')] : []))
        const calls = textsOf('call')
        const { out, completion } = await outcomeOf(
          taskOf([...drafts, end, ...(calls.length === 0 ? [completed] : [])]),
        )
        const { turn } = readStream(openaiChat(), out)
        expect(turn.text).toBe(textsOf('text').join(''))
        expect(turn.thoughts.map(({ text }) => text).join('')).toBe(textsOf('thought').join(''))
        expect(turn.calls.map((call) => call.arguments)).toEqual(calls.map((a) => ({ a })))
        expect(turn.usage).toMatchObject(usage[0] as object)
        expect(turn.finishReason).toBe(calls.length === 0 ? 'stop' : 'tool_calls')
        const message = completion?.choices[0]?.message
        expect(message?.content ?? '').toBe(turn.text)
        expect(message?.tool_calls ?? []).toMatchObject(
          calls.map((a) => ({ function: { name: 'f', arguments: JSON.stringify({ a }) } })),
        )
      }),
      { numRuns: runs(200) },
    )
  })
})

type At = { delta: string; index: number }

/** The drafts of an item of each type. */
const draftsOf: Readonly<
  Record<string, Record<'delta' | 'whole', (id: string, value: never) => EventDraft>>
> = {
  text: {
    delta: (contentId, at: At) => ({ kind: 'content-delta', contentId, ...at }),
    whole: (contentId, content: string) => ({ kind: 'content-complete', contentId, content }),
  },
  thought: {
    delta: (thoughtId, at: At) => ({ kind: 'thought-delta', thoughtId, ...at }),
    whole: (thoughtId, content: string) =>
      ({
        kind: 'thought-stream',
        thoughtId,
        content,
        index: 0,
        thoughtType: 'reasoning',
        verbosity: 'normal',
      }) as const,
  },
  call: {
    delta: (toolCallId, at: At) => ({ kind: 'tool-arguments-delta', toolCallId, toolName: 'f', ...at }),
    whole: (toolCallId, text: string) =>
      ({ kind: 'tool-start', toolCallId, toolName: 'f', arguments: JSON.parse(text) }) as const,
  },
}
