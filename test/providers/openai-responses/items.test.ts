// Proves that items of Responses are told apart, and kept as far as they were streamed.

import { openaiResponses } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import { type ReadStream, readStream } from '../../support/providers/agent-loop.ts'

const read = (...chunks: object[]): ReadStream => readStream(openaiResponses({ calls: 'start' }), chunks)

const created = { type: 'response.created', response: { id: 'r', model: 'm-1' } }
const completed = (output?: object[]): object => ({
  type: 'response.completed',
  response: { id: 'r', status: 'completed', ...(output && { output }) },
})
const f = { type: 'function_call', id: 'f', call_id: 'c', name: 'pay', arguments: '' }
const g = { ...f, id: 'g', call_id: 'd' }
const added = (item: object, at?: object): object => ({ type: 'response.output_item.added', item, ...at })
const done = (item: object, at?: object): object => ({ type: 'response.output_item.done', item, ...at })
const text = (delta: string, at?: object): object => ({ type: 'response.output_text.delta', delta, ...at })
const piece = (delta: string, at?: object): object => ({
  type: 'response.function_call_arguments.delta',
  delta,
  ...at,
})
const callsOf = ({ turn }: ReadStream): unknown[] =>
  turn.calls.map(({ toolCallId, status, text }) => [toolCallId, status, text])

describe('an item whose end is lost', () => {
  const first = { output_index: 0 }
  const second = { output_index: 1 }
  const message = { type: 'message', id: 'm', role: 'assistant', status: 'in_progress', content: [] }
  const sent = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    status: 'incomplete',
    content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
  }

  it.each<[name: string, chunks: object[], content: object[]]>([
    ['a text', [added(message, first), text('H', first), text('i', first)], [sent]],
    ['a text that begins with a piece', [text('H', { ...first, item_id: 'm' }), text('i', first)], [sent]],
    [
      'a text whose whole is known',
      [
        added(message, first),
        text('H', first),
        { type: 'response.output_text.done', content_index: 0, text: 'Hi', ...first },
      ],
      [sent],
    ],
    [
      'a call in pieces, after a text',
      [
        added(message, first),
        text('Hi', first),
        added({ ...f, status: 'in_progress' }, second),
        piece('{"p":', second),
        piece('1}', second),
      ],
      [sent, { ...f, arguments: '{"p":1}' }],
    ],
    [
      'a call whose arguments are known',
      [added(f, first), { type: 'response.function_call_arguments.done', arguments: '{"p":1}', ...first }],
      [{ ...f, arguments: '{"p":1}' }],
    ],
    [
      'a call of a custom tool',
      [
        added({ ...f, type: 'custom_tool_call', arguments: undefined, input: '' }, first),
        { type: 'response.custom_tool_call_input.delta', delta: 'a "b"', ...first },
      ],
      [{ type: 'custom_tool_call', id: 'f', call_id: 'c', name: 'pay', input: 'a "b"' }],
    ],
    ['a text without a character', [added(message, first)], []],
    ['a thought', [added({ type: 'reasoning', id: 'rs', summary: [] }, first)], []],
  ])('is sent back as far as it was streamed: %s', (_, chunks, content) => {
    const ended = read(created, ...chunks, completed())
    expect(ended.turn.content).toEqual(content)
    expect(ended.turn.calls.every(({ status }) => status === 'complete')).toBe(true)
    expect(read(created, ...chunks, completed([])).turn.content).toEqual(content)
  })

  it('is the one in the whole response, if that has it', () => {
    const whole = { ...f, arguments: '{"p":1}' }
    const { turn } = read(created, added(f, first), piece('{"p', first), completed([whole]))
    expect(turn.content).toEqual([whole])
    expect(callsOf({ turn } as ReadStream)).toEqual([['c', 'complete', '{"p":1}']])
  })

  it('of a call keeps what the model wrote of its arguments', () => {
    const { turn } = read(created, added(f, first), piece('{"p":', first))
    expect(turn.content).toEqual([{ ...f, arguments: '{"p":' }])
    expect(callsOf({ turn } as ReadStream)).toEqual([['c', 'incomplete', '{"p":']])
  })
})

it('a call that ends with empty arguments has those of its deltas', () => {
  const at = { output_index: 0 }
  const result = read(created, added(f, at), piece('{"a":', at), piece('1}', at), done(f, at), completed())
  expect(callsOf(result)).toEqual([['c', 'complete', '{"a":1}']])
  expect(result.turn.content).toMatchObject([{ ...f, arguments: '{"a":1}' }])
  expect(result.codes).toEqual([])
  const cut = read(created, added(f, at), piece('{"a":', at), done(f, at), completed())
  expect(callsOf(cut)).toEqual([['c', 'incomplete', '{"a":']])
})

describe('calls side by side', () => {
  const both = [
    { ...f, arguments: '{"a":1}' },
    { ...g, arguments: '{"a":2}' },
  ] as const
  const expected = [
    ['c', 'complete', '{"a":1}'],
    ['d', 'complete', '{"a":2}'],
  ]
  const zero = { output_index: 0 }
  const pieces = (at: object): object[] => [
    piece('{"a"', { ...at, item_id: 'f' }),
    piece('{"a"', { ...at, item_id: 'g' }),
    piece(':1}', { ...at, item_id: 'f' }),
    piece(':2}', { ...at, item_id: 'g' }),
  ]

  it.each<[name: string, chunks: object[]]>([
    ['without an output_index', [added(f), added(g), ...pieces({}), done(both[0]), done(both[1])]],
    ['without an output_index and pieces', [done(both[0]), done(both[1])]],
    ['without an output_index, one after the other', [added(f), done(both[0]), added(g), done(both[1])]],
    [
      'with the same output_index',
      [added(f, zero), added(g, zero), ...pieces(zero), done(both[0], zero), done(both[1], zero)],
    ],
    ['with the same output_index, and no pieces', [done(both[0], zero), done(both[1], zero)]],
    [
      'with the same output_index, one after the other',
      [added(f, zero), done(both[0], zero), added(g, zero), done(both[1], zero)],
    ],
    ['without ends', [added(f), added(g), ...pieces({})]],
    ['without ends, with the same output_index', [added(f, zero), added(g, zero), ...pieces(zero)]],
  ])('are two: %s', (_, chunks) => {
    for (const end of [completed(), completed([...both])]) {
      const { turn, codes } = read(created, ...chunks, end)
      expect(callsOf({ turn } as ReadStream)).toEqual(expected)
      expect(turn.content).toEqual(both)
      expect(codes).toEqual([])
    }
  })

  it('are one if only its item id changes', () => {
    const chunks = [
      added({ ...f, id: 'f-1' }, zero),
      piece('{"a":', { ...zero, item_id: 'f-2' }),
      piece('1}', { ...zero, item_id: 'f-3' }),
      done({ ...both[0], id: 'f-4' }, zero),
      completed([{ ...both[0], id: 'f-5' }]),
    ]
    expect(callsOf(read(created, ...chunks))).toEqual([['c', 'complete', '{"a":1}']])
  })

  it('are of different types with the same output_index', () => {
    const message = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }
    const { turn } = read(created, done(message, zero), done(both[0], zero), completed())
    expect(turn.content).toEqual([message, both[0]])
    expect(turn.text).toBe('Hi')
  })
})

describe('a sequence_number that was read before', () => {
  const numbered = (...numbers: number[]): string => {
    const chunks = numbers.map((number) =>
      number === 0
        ? { ...created, sequence_number: 0 }
        : text('abcdefgh'.charAt(number - 1), { output_index: 0, sequence_number: number }),
    )
    return read(...chunks).turn.text
  }

  it.each<[numbers: number[], text: string]>([
    [[0, 1, 2, 2, 1, 3], 'abc'],
    [[0, 1, 3, 3], 'ac'],
    [[0, 1, 2, 4, 1, 2], 'abd'],
    [[0, 1, 3, 5, 7, 1, 3, 5, 7, 8], 'acegh'],
    [[0, 2, 1, 2, 3], 'bac'],
    [[5, 6, 5, 6, 7], 'efg'],
    // Some servers number all chunks the same.
    [[1, 1, 1], 'aaa'],
  ])('is dropped: of %j, %s is left', (numbers, text) => {
    expect(numbered(...numbers)).toBe(text)
  })

  it('is remembered in state that does not grow without bounds', () => {
    const chunks = Array.from({ length: 1000 }, (_, i) =>
      text('a', { output_index: 0, sequence_number: 2 * i }),
    )
    const { state } = readStream(openaiResponses(), chunks)
    expect(JSON.stringify(state).length).toBeLessThan(4000)
  })
})

it('a response that is cancelled ends', () => {
  const { turn, codes } = read(created, text('Hi', { output_index: 0 }), {
    type: 'response.cancelled',
    response: { id: 'r', status: 'cancelled' },
  })
  expect(turn).toMatchObject({ text: 'Hi', finishReason: 'cancelled' })
  expect(turn.error).toBeUndefined()
  expect(codes).toEqual([])
})
