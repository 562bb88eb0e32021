// Proves that a whole that follows its parts adds only what they lack, however the server numbers it.

import fc from 'fast-check'
import { openaiChat, openaiResponses } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import { type Provider, type ReadStream, readStream } from '../support/providers/agent-loop.ts'
import { runs } from '../support/runs.ts'

/** What a response consists of: the pieces of each of its parts. */
interface Streamed {
  /** Of each text. */
  readonly texts: readonly (readonly string[])[]
  /** Of each part of the reasoning. */
  readonly thoughts: readonly (readonly string[])[]
  /** Of the arguments of each call. */
  readonly calls: readonly (readonly string[])[]
}

/** How a server repeats it. */
interface Repeat {
  /** Added to the number of each part in the pieces. */
  readonly shift: number
  /** Added to the number of each item in the last chunk. */
  readonly itemShift: number
  /** How many of the last pieces are lost. */
  readonly lost: number
  /** Whether parts, items and the response are repeated. */
  readonly repeats: readonly [part: boolean, item: boolean, response: boolean]
}

const joined = (parts: readonly (readonly string[])[]): string[] => parts.map((pieces) => pieces.join(''))
/** The pieces without the last ones. */
const cutBy = (count: number, pieces: readonly string[]): readonly string[] =>
  pieces.slice(0, Math.max(1, pieces.length - count))

function chatChunks({ texts, thoughts, calls }: Streamed, { lost }: Repeat): object[] {
  const chunk = (choice: object): object => ({
    id: 'chat-1',
    model: 'm-1',
    choices: [{ index: 0, finish_reason: null, ...choice }],
  })
  const pieces = [
    ...thoughts.flat().map((reasoning_content) => ({ reasoning_content })),
    ...texts.flat().map((content) => ({ content })),
    ...calls.flatMap((all, index) =>
      all.map((text, at) => ({
        tool_calls: [
          at === 0
            ? { index, id: `call-${index}`, function: { name: 'f', arguments: text } }
            : { index, function: { arguments: text } },
        ],
      })),
    ),
  ]
  // What is lost are the last pieces of the last part.
  const last = calls.at(-1) ?? texts.at(-1) ?? []
  const kept = pieces.slice(0, pieces.length - Math.min(lost, last.length - 1))
  const message = {
    role: 'assistant',
    content: joined(texts).join(''),
    reasoning_content: joined(thoughts).join(''),
    ...(calls.length > 0 && {
      tool_calls: joined(calls).map((text, index) => ({
        id: `call-${index}`,
        type: 'function',
        function: { name: 'f', arguments: text },
      })),
    }),
  }
  return [
    ...kept.map((delta) => chunk({ delta })),
    chunk({ message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }),
  ]
}

function responsesChunks({ texts, thoughts, calls }: Streamed, repeat: Repeat): object[] {
  const { shift, itemShift, lost, repeats } = repeat
  const [repeatsParts, repeatsItems, repeatsAll] = repeats
  const parts = (type: string, all: readonly (readonly string[])[]): object[] =>
    joined(all).map((text) => ({ type, text }))
  const reasoning = { type: 'reasoning', id: 'rs-1', summary: parts('summary_text', thoughts) }
  const message = { type: 'message', id: 'msg-1', content: parts('output_text', texts) }
  const items: (readonly [item: object, chunks: object[]])[] = []
  const add = (item: object, chunks: (at: object) => object[]): void => {
    items.push([item, chunks({ output_index: items.length })])
  }
  const textChunks = (
    name: string,
    number: string,
    all: readonly (readonly string[])[],
    at: object,
  ): object[] =>
    all.flatMap((pieces, i) => {
      const kept = i === all.length - 1 ? cutBy(lost, pieces) : pieces
      const place = { ...at, [number]: i + shift }
      return [
        ...kept.map((delta) => ({ type: `${name}.delta`, ...place, delta })),
        ...(repeatsParts ? [{ type: `${name}.done`, ...place, text: pieces.join('') }] : []),
      ]
    })
  if (thoughts.length > 0) {
    add(reasoning, (at) => textChunks('response.reasoning_summary_text', 'summary_index', thoughts, at))
  }
  if (texts.length > 0) add(message, (at) => textChunks('response.output_text', 'content_index', texts, at))
  for (const [i, pieces] of calls.entries()) {
    const call = { type: 'function_call', id: `fc-${i}`, call_id: `call-${i}`, name: 'f' }
    add({ ...call, arguments: pieces.join('') }, (at) =>
      cutBy(lost, pieces).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    )
  }
  const output = items.map(([item]) => item)
  const started = ({ type, id, call_id, name }: Record<string, unknown>): object => ({
    type,
    id,
    call_id,
    name,
  })
  return [
    { type: 'response.created', response: { id: 'resp-1', model: 'm-1' } },
    ...items.flatMap(([item, chunks], output_index) => [
      { type: 'response.output_item.added', output_index, item: started(item as Record<string, unknown>) },
      ...chunks,
      ...(repeatsItems ? [{ type: 'response.output_item.done', output_index, item }] : []),
    ]),
    {
      type: 'response.completed',
      response: {
        id: 'resp-1',
        status: 'completed',
        output: repeatsAll
          ? [...Array.from({ length: itemShift }, () => ({ type: 'compaction' })), ...output]
          : [],
      },
    },
  ]
}

/** The readers of streams that repeat what they sent. In the others nothing is sent twice. */
const readers: readonly [string, () => Provider, (streamed: Streamed, repeat: Repeat) => object[]][] = [
  ['openaiChat', openaiChat, chatChunks],
  ['openaiResponses', openaiResponses, responsesChunks],
]

/** Texts whose pieces begin each other. */
const pieces = fc.array(fc.constantFrom('a', 'b', 'aa', 'ab ', '\n'), { minLength: 1, maxLength: 4 })
const args = fc.constantFrom(['{"q":', '1}'], ['{}'], ['{"q"', ':"x', '"}'])
const streamed = fc.record<Streamed>({
  texts: fc.array(pieces, { minLength: 1, maxLength: 3 }),
  thoughts: fc.array(pieces, { maxLength: 2 }),
  calls: fc.array(args, { maxLength: 2 }),
})
const repeat = fc
  .record<Repeat>({
    shift: fc.nat(2),
    itemShift: fc.nat(1),
    lost: fc.nat(2),
    repeats: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  })
  // Something states what was lost.
  .map((value) => (value.repeats[1] || value.repeats[2] ? value : { ...value, lost: 0 }))

const answerOf = ({ turn, drafts, codes }: ReadStream): object => ({
  text: turn.text,
  deltas: drafts.flatMap((draft) => (draft.kind === 'content-delta' ? [draft.delta] : [])).join(''),
  thoughts: turn.thoughts.map(({ text }) => text.replaceAll('\n\n', '')).join(''),
  calls: turn.calls.map(({ toolCallId, text, status }) => [toolCallId, text, status]),
  codes: codes.filter((code) => code !== 'dropped:compaction'),
})

describe.each(readers)('a whole after its parts, read by %s', (_, create, chunksOf) => {
  it('adds only what they lack', () => {
    fc.assert(
      fc.property(streamed, repeat, (what, how) => {
        const text = joined(what.texts).join('')
        expect(answerOf(readStream(create(), chunksOf(what, how)))).toEqual({
          text,
          deltas: text,
          thoughts: joined(what.thoughts).join('').replaceAll('\n\n', ''),
          calls: joined(what.calls).map((args, at) => [`call-${at}`, args, 'complete']),
          codes: [],
        })
      }),
      { numRuns: runs(300) },
    )
  })
})

it.each<[name: string, chunks: readonly object[]]>([
  [
    'the delta again',
    [
      { delta: { content: 'Hel' }, message: { content: 'Hel' } },
      { delta: { content: 'lo' }, message: { content: 'lo' }, finish_reason: 'stop' },
    ],
  ],
  [
    'the message so far',
    [
      { delta: { content: 'Hel' }, message: { content: 'Hel' } },
      { delta: { content: 'lo' }, message: { content: 'Hello' } },
      { delta: {}, message: { content: 'Hello' }, finish_reason: 'stop' },
    ],
  ],
])('a message beside the deltas of Chat Completions adds nothing: %s', (_, choices) => {
  const { turn, codes } = readStream(
    openaiChat(),
    choices.map((choice) => ({ model: 'm-1', choices: [{ index: 0, ...choice }] })),
  )
  expect([turn.text, codes]).toEqual(['Hello', []])
})

it.each<[name: string, read: ReadStream, kept: string, detail: object]>([
  [
    'the message of openaiChat',
    readStream(openaiChat(), [
      { model: 'm-1', choices: [{ index: 0, delta: { content: 'Hello' } }] },
      { choices: [{ index: 0, message: { content: 'Other' }, finish_reason: 'stop' }] },
    ]),
    'Hello',
    { done: 'Other' },
  ],
  ...[0, 1].map((content_index): [string, ReadStream, string, object] => [
    `an item of openaiResponses, of which part ${content_index} was read`,
    readStream(openaiResponses(), [
      {
        type: 'response.output_text.delta',
        output_index: 0,
        item_id: 'msg-1',
        content_index,
        delta: 'Hello',
      },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'message', id: 'msg-1', content: [{ type: 'output_text', text: 'Other' }] },
      },
      { type: 'response.completed', response: { status: 'completed' } },
    ]),
    'Hello',
    { outputIndex: 0, done: 'Other' },
  ]),
])('a whole that differs is reported, and the deltas are kept: %s', (_, read, kept, detail) => {
  expect(read.turn.text).toBe(kept)
  expect(read.diagnostics).toEqual([
    { code: 'done-differs', message: 'The text differs from the deltas, which are kept.', detail },
  ])
})
