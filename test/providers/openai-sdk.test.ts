// Proves that the assembled turn is the final message of the `openai` package, for any stream that it reads.

import fc from 'fast-check'
import OpenAI from 'openai'
import { iterate } from 'turnstream'
import { modelTurn, openaiChat, openaiResponses } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import { jsonValue } from '../support/json.ts'
import { readStream } from '../support/providers/agent-loop.ts'
import { bodyOf } from '../support/providers/read-body.ts'
import { runs } from '../support/runs.ts'

/** A client whose server answers with chunks. */
const clientOf = (chunks: readonly object[]): OpenAI =>
  new OpenAI({
    apiKey: 'none',
    fetch: async () => new Response(bodyOf(chunks), { headers: { 'content-type': 'text/event-stream' } }),
  })

const text = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), { maxLength: 5 })
const count = fc.nat(1000)
const call = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom('search', 'read', 'write'),
  value: fc.dictionary(fc.string({ maxLength: 4 }), jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  size: fc.integer({ min: 1, max: 9 }),
})

/** A text in pieces of a size. */
const piecesOf = (whole: string, size: number): string[] =>
  whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

describe('Chat Completions', () => {
  const answer = fc.record({ text, calls: fc.array(call, { maxLength: 3 }), input: count, output: count })

  it('give the same text, calls, finish reason and usage', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (one) => {
        const chunk = (delta: object, finish_reason: string | null = null): object => ({
          id: 'chat-1',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'm-1',
          choices: [{ index: 0, delta, finish_reason }],
        })
        const calls = one.calls.flatMap(({ id, name, value, size }, index) => [
          chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
          ...piecesOf(JSON.stringify(value), size).map((piece) =>
            chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          ),
        ])
        const reason = calls.length === 0 ? 'stop' : 'tool_calls'
        const usage = {
          prompt_tokens: one.input,
          completion_tokens: one.output,
          total_tokens: one.input + one.output,
        }
        const chunks = [
          chunk({ role: 'assistant', content: '' }),
          ...one.text.map((content) => chunk({ content })),
          ...calls,
          chunk({}, reason),
          { ...chunk({}), choices: [], usage },
        ]
        const stream = clientOf(chunks).chat.completions.stream({ model: 'm-1', messages: [] })
        const final = await stream.finalChatCompletion()
        const [choice] = final.choices
        const { turn } = readStream(openaiChat(), chunks)
        expect(turn.text).toBe(choice?.message.content ?? '')
        expect(turn.calls.map((own) => [own.toolCallId, own.toolName, own.text])).toEqual(
          (choice?.message.tool_calls ?? []).map((theirs) =>
            theirs.type === 'function' ? [theirs.id, theirs.function.name, theirs.function.arguments] : [],
          ),
        )
        expect(turn.calls.map((own) => own.arguments)).toEqual(
          one.calls.map(({ value }) => JSON.parse(JSON.stringify(value))),
        )
        expect(turn.finishReason).toBe(choice?.finish_reason)
        expect(turn.usage).toMatchObject({ inputTokens: one.input, outputTokens: one.output })
        expect(turn.usage?.totalTokens).toBe(final.usage?.total_tokens)
      }),
      { numRuns: runs(40) },
    )
  })

  it('are read from the iterator of the client', async () => {
    const choices = [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }]
    const client = clientOf([{ id: 'chat-1', model: 'm-1', choices }])
    const stream = await client.chat.completions.create({ model: 'm-1', messages: [], stream: true })
    const kinds: string[] = []
    for await (const draft of iterate(openaiChat(), stream)) kinds.push(draft.kind)
    expect(kinds).toEqual(['internal:llm-call', 'content-delta', 'content-complete'])
  })
})

describe('Responses', () => {
  const item = fc.oneof(
    fc.record({ type: fc.constant('message' as const), text }),
    fc.record({ type: fc.constant('reasoning' as const), text }),
    call.map((one) => ({ type: 'function_call' as const, ...one })),
  )

  type Item = typeof item extends fc.Arbitrary<infer T> ? T : never

  /** The chunks of an item, and the item as it ends. */
  function chunksOf(one: Item, output_index: number): [chunks: object[], whole: object] {
    const item_id = `item-${output_index}`
    const at = { output_index, item_id, content_index: 0, summary_index: 0 }
    const event = (type: string, more: object): object => ({ type: `response.${type}`, ...at, ...more })
    const framed = (start: object, pieces: object[], whole: object): [object[], object] => [
      [event('output_item.added', { item: start }), ...pieces, event('output_item.done', { item: whole })],
      whole,
    ]
    if (one.type === 'function_call') {
      const args = JSON.stringify(one.value)
      const start = { type: one.type, id: item_id, call_id: one.id, name: one.name, status: 'in_progress' }
      const pieces = piecesOf(args, one.size).map((delta) =>
        event('function_call_arguments.delta', { delta }),
      )
      pieces.push(event('function_call_arguments.done', { arguments: args, name: one.name }))
      return framed({ ...start, arguments: '' }, pieces, { ...start, status: 'completed', arguments: args })
    }
    const whole = one.text.join('')
    if (one.type === 'reasoning') {
      const part = { type: 'summary_text', text: whole }
      const pieces = [
        event('reasoning_summary_part.added', { part: { ...part, text: '' } }),
        ...one.text.map((delta) => event('reasoning_summary_text.delta', { delta })),
        event('reasoning_summary_text.done', { text: whole }),
        event('reasoning_summary_part.done', { part }),
      ]
      return framed({ type: one.type, id: item_id, summary: [] }, pieces, {
        type: one.type,
        id: item_id,
        summary: [part],
      })
    }
    const part = { type: 'output_text', text: whole, annotations: [], logprobs: [] }
    const start = { type: one.type, id: item_id, role: 'assistant', status: 'in_progress', content: [] }
    const pieces = [
      event('content_part.added', { part: { ...part, text: '' } }),
      ...one.text.map((delta) => event('output_text.delta', { delta, logprobs: [] })),
      event('output_text.done', { text: whole, logprobs: [] }),
      event('content_part.done', { part }),
    ]
    return framed(start, pieces, { ...start, status: 'completed', content: [part] })
  }

  it('give the same text, reasoning, calls and usage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 4 }), count, count, async (items, input, output) => {
        const read = items.map(chunksOf)
        const response = {
          id: 'resp-1',
          object: 'response',
          created_at: 1,
          model: 'm-1',
          output: [],
          tools: [],
        }
        const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output }
        const chunks = [
          { type: 'response.created', response: { ...response, status: 'in_progress' } },
          ...read.flatMap(([some]) => some),
          {
            type: 'response.completed',
            response: { ...response, status: 'completed', output: read.map(([, whole]) => whole), usage },
          },
        ].map((chunk, sequence_number) => ({ ...chunk, sequence_number }))
        const final = await clientOf(chunks).responses.stream({ model: 'm-1', input: [] }).finalResponse()
        const { turn, codes } = readStream(openaiResponses(), chunks)
        expect(codes).toEqual([])
        expect(turn.text).toBe(final.output_text)
        const theirs = final.output.flatMap((one) =>
          one.type === 'function_call' ? [[one.call_id, one.name, one.arguments]] : [],
        )
        expect(turn.calls.map((own) => [own.toolCallId, own.toolName, own.text])).toEqual(theirs)
        expect(turn.content).toEqual(read.map(([, whole]) => whole))
        const reasoning = final.output.flatMap((one) =>
          one.type === 'reasoning' ? [one.summary.map((part) => part.text).join('')] : [],
        )
        expect(turn.thoughts.map((own) => own.text)).toEqual(reasoning.filter((one) => one !== ''))
        expect(turn.usage?.totalTokens).toBe(final.usage?.total_tokens)
      }),
      { numRuns: runs(40) },
    )
  })
})

it('the turn of a stream that has not begun is empty', () => {
  expect(modelTurn(openaiChat().initial)).toEqual({ content: [], text: '', thoughts: [], calls: [] })
})
