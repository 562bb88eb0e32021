// Tests labels: what counts as one, and what two of them allow together.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { audiences, isAllowedByLabel } from '../../../src/streams/access/audience.ts'
import {
  commonAudience,
  isSameAudience,
  labelOf,
  withoutLabel,
} from '../../../src/streams/view/audience-label.ts'

it.each<[metadata: unknown, label: readonly string[] | undefined]>([
  [undefined, undefined],
  [null, undefined],
  ['user', undefined],
  [{}, undefined],
  [{ audience: undefined }, undefined],
  [{ audience: null }, undefined],
  [{ audience: [] }, []],
  [{ audience: ['parent', 'user', 'user'] }, ['user', 'parent']],
  [{ audience: ['user', 'strangers'] }, []],
  [{ audience: ['user', 7] }, []],
  [{ audience: 'user' }, []],
])('the label in the metadata %j is %j', (metadata, label) => {
  expect(labelOf({ kind: 'content-delta', metadata })).toEqual(label)
})

it('a label allows whom projection shows the event', () => {
  const name = fc.constantFrom<unknown>(...audiences, 'strangers', 7, null)
  const audience = fc.oneof(fc.array(name, { maxLength: 4 }), name, fc.constant({}))
  fc.assert(
    fc.property(fc.record({ audience }, { requiredKeys: [] }), (metadata) => {
      const event = { kind: 'content-delta', metadata }
      const clients = audiences.filter((one) => one !== 'operator')
      const shown = clients.filter((one) => isAllowedByLabel(event, one))
      expect(clients.filter((one) => labelOf(event)?.includes(one) ?? true)).toEqual(shown)
    }),
  )
})

it('two labels allow together what both allow, in any order', () => {
  const label = fc.option(fc.subarray([...audiences]), { nil: undefined })
  fc.assert(
    fc.property(label, label, (a, b) => {
      const common = commonAudience(a, b)
      for (const one of audiences) {
        const isAllowed = (a?.includes(one) ?? true) && (b?.includes(one) ?? true)
        expect(common?.includes(one) ?? true).toBe(isAllowed)
      }
      expect(common === undefined).toBe(a === undefined && b === undefined)
      expect(isSameAudience(common, commonAudience(b, a))).toBe(true)
      expect(isSameAudience(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b))
    }),
  )
})

it('metadata without its label is all the rest', () => {
  expect(withoutLabel(undefined)).toBeUndefined()
  expect(withoutLabel({ audience: ['user'] })).toBeUndefined()
  expect(withoutLabel({ audience: ['user'], a: 1 } as never)).toEqual({ a: 1 })
  const plain = { a: 1 } as never
  expect(withoutLabel(plain)).toBe(plain)
})
