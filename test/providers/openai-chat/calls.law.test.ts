// Proves that calls are assembled, however a server numbers, identifies, cuts and interleaves their pieces.

import fc from 'fast-check'
import { openaiChat } from 'turnstream/providers'
import { expect, it } from 'vitest'
import { jsonValue } from '../../support/json.ts'
import { readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'
import { runs } from '../../support/runs.ts'

interface Call {
  readonly name: string
  readonly args: Record<string, unknown>
  /** How many pieces the arguments come in. */
  readonly cuts: number
}

interface Dialect {
  readonly ids: 'every piece' | 'first piece' | 'none'
  readonly indexes: 'own' | 'zero' | 'none'
  readonly names: 'first piece' | 'every piece' | 'in pieces'
  /** Whether a piece is a chunk of its own. */
  readonly isAlone: boolean
}

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom('search', 'read', 'search_all'),
  args: fc.dictionary(fc.constantFrom('a', 'b', 'city'), jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
  cuts: fc.integer({ min: 1, max: 4 }),
})

const dialect: fc.Arbitrary<Dialect> = fc.record({
  ids: fc.constantFrom('every piece', 'first piece', 'none'),
  indexes: fc.constantFrom('own', 'zero', 'none'),
  names: fc.constantFrom('first piece', 'every piece', 'in pieces'),
  isAlone: fc.boolean(),
})

/** The pieces of a call, in order. */
function piecesOf({ name, args, cuts }: Call, at: number, { ids, indexes, names }: Dialect): object[] {
  const text = JSON.stringify(args)
  const length = Math.ceil(text.length / cuts)
  const texts = Array.from({ length: cuts }, (_, i) => text.slice(i * length, (i + 1) * length))
  const head = names === 'in pieces' ? [name.slice(0, 3), name.slice(3)] : [name]
  const pieces = [
    ...head.map((part, i) => ({ name: part, arguments: i === head.length - 1 ? (texts[0] ?? '') : '' })),
    ...texts.slice(1).map((part) => ({ ...(names === 'every piece' && { name }), arguments: part })),
  ]
  return pieces.map((piece, i) => ({
    ...(indexes !== 'none' && { index: indexes === 'own' ? at : 0 }),
    ...((ids === 'every piece' || (ids === 'first piece' && i === 0)) && { id: `id-${at}` }),
    function: piece,
  }))
}

/** Takes turns among the lists, as `order` says. */
function interleaved<T>(lists: readonly (readonly T[])[], order: readonly number[]): T[] {
  const rest = lists.map((list) => [...list])
  const taken: T[] = []
  for (const turn of order) {
    const open = rest.filter((list) => list.length > 0)
    if (open.length > 0) taken.push(open[turn % open.length]?.shift() as T)
  }
  return [...taken, ...rest.flat()]
}

it('parallel calls', () => {
  fc.assert(
    fc.property(
      fc.array(call, { minLength: 1, maxLength: 4 }),
      dialect,
      fc.array(fc.nat(11), { maxLength: 24 }),
      (calls, dialect, order) => {
        const isTold = dialect.indexes === 'own' || dialect.ids === 'every piece'
        const lists = calls.map((one, at) => piecesOf(one, at, dialect))
        const pieces = isTold ? interleaved(lists, order) : lists.flat()
        const add = (tool_calls: object[]): object => ({ choices: [{ index: 0, delta: { tool_calls } }] })
        const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
        // In one chunk, a name begins a call unless an id or an index tells otherwise.
        const isOne = !dialect.isAlone && isTold
        const chunks = isOne ? [add(pieces)] : pieces.map((piece) => add([piece]))
        const read = readStream(openaiChat({ calls: 'start' }), [...chunks, end])
        const assembled = read.turn.calls.map(({ toolName, arguments: args }) => [toolName, args])
        const expected = calls.map(({ name, args }) => [name, args])
        const sorted = (list: unknown[]): string[] => list.map((one) => JSON.stringify(one)).sort()
        expect(isTold ? sorted(assembled) : assembled).toEqual(isTold ? sorted(expected) : expected)
        expect(violationsOf(taskOf(read))).toEqual([])
      },
    ),
    { numRuns: runs(400) },
  )
})
