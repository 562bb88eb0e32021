/** Documents and patches for tests. */

import fc from 'fast-check'
import type { applyJsonPatch } from 'turnstream/json'
import { jsonValue } from '../support/json.ts'

export type Patch = Parameters<typeof applyJsonPatch>[1]
export type Operation = Patch[number]

/** Objects and arrays that share few names, so that patches hit them; long texts, so that sizes are remembered. */
const names = fc.constantFrom('a', 'b', '0', '1', '__proto__', '-')
export const document: fc.Arbitrary<fc.JsonValue> = fc.letrec<{ value: fc.JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 5 },
    fc.oneof(jsonValue({ maxDepth: 0 }), fc.constantFrom('x'.repeat(300), null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(names, tie('value')), { maxLength: 4, selector: ([name]) => name })
      .map((members) => Object.fromEntries(members)),
  ),
})).value

const pointer = fc.array(names, { maxLength: 4 }).map((tokens) => tokens.map((token) => `/${token}`).join(''))
export const operation: fc.Arbitrary<Operation> = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
  path: pointer,
  from: pointer,
  value: document,
})
