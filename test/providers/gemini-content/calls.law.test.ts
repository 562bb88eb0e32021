// Proves that calls whose arguments arrive as values at JSON paths are assembled, side by side and beside text.

import fc from 'fast-check'
import { geminiContent } from 'turnstream/providers'
import { expect, it } from 'vitest'
import { readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'
import { runs } from '../../support/runs.ts'

const call = fc.record({
  name: fc.constantFrom('search', 'read'),
  args: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(fc.string(), fc.integer()), { maxKeys: 3 }),
  /** Whether a part states the end. */
  isEnded: fc.boolean(),
})

/** The parts of a call: its start, a value or a piece of a text in each, and its end. */
function partsOf(
  id: string,
  { name, args, isEnded }: { name: string; args: object; isEnded: boolean },
): object[] {
  const values = Object.entries(args).flatMap(([key, value]): object[] => {
    const jsonPath = `$.${key}`
    if (typeof value === 'number') return [{ jsonPath, numberValue: value }]
    return [
      { jsonPath, stringValue: value.slice(0, 2), willContinue: true },
      { jsonPath, stringValue: value.slice(2) },
    ]
  })
  const identity = id === '' ? {} : { id }
  return [
    { functionCall: { ...identity, name, willContinue: true } },
    ...values.map((value) => ({ functionCall: { ...identity, partialArgs: [value], willContinue: true } })),
    ...(isEnded ? [{ functionCall: identity }] : []),
  ]
}

it('calls in pieces', () => {
  const calls = fc.array(call, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(
      calls,
      fc.boolean(),
      fc.array(fc.nat(11)),
      fc.array(fc.nat(30)),
      (all, hasIds, order, texts) => {
        const rest = all.map((one, at) => partsOf(hasIds ? `id-${at}` : '', one))
        const parts: object[] = []
        // Without ids, only the order tells the calls apart.
        for (const turn of hasIds ? order : []) {
          const open = rest.filter((list) => list.length > 0)
          parts.push(...(open[turn % Math.max(open.length, 1)]?.splice(0, 1) ?? []))
        }
        parts.push(...rest.flat())
        for (const at of texts) parts.splice(at, 0, { text: 'x', thought: at % 2 === 0 })
        const chunks = parts.map((part) => ({ candidates: [{ content: { parts: [part] } }] }))
        const read = readStream(geminiContent({ calls: 'start' }), [
          ...chunks,
          { candidates: [{ finishReason: 'STOP' }] },
        ])
        const sorted = (list: unknown[]): string[] => list.map((one) => JSON.stringify(one)).sort()
        expect(sorted(read.turn.calls.map(({ toolName, arguments: args }) => [toolName, args]))).toEqual(
          sorted(all.map(({ name, args }) => [name, args])),
        )
        expect(violationsOf(taskOf(read))).toEqual([])

        const cut = readStream(geminiContent({ calls: 'start' }), [
          ...chunks.slice(0, -1),
          { candidates: [{ finishReason: 'MAX_TOKENS' }] },
        ])
        const started = cut.drafts.flatMap((draft) => (draft.kind === 'tool-start' ? [draft.arguments] : []))
        for (const args of started) expect(sorted(all.map((one) => one.args))).toContain(JSON.stringify(args))
      },
    ),
    { numRuns: runs(300) },
  )
})
