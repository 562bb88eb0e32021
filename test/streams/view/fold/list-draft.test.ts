// Tests lists while they are changed: what is copied, and what is found by a scan as by an index.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ListDraft } from '../../../../src/streams/view/fold/list-draft.ts'
import { runs } from '../../../support/runs.ts'

interface Item {
  readonly group: string
  readonly id: string | undefined
}

const draftOf = (items: readonly Item[]): ListDraft<Item> =>
  new ListDraft(items, { groupOf: ({ group }) => group, idOf: ({ id }) => id })

const item: fc.Arbitrary<Item> = fc.record({
  group: fc.constantFrom('a', 'b'),
  id: fc.option(fc.constantFrom('x', 'y', '__proto__'), { nil: undefined }),
})

describe('a list while it is changed', () => {
  it('is copied by the first change after it was created or sealed, and by no other', () => {
    const first: readonly Item[] = [{ group: 'a', id: 'x' }]
    const draft = draftOf(first)
    expect(draft.push({ group: 'a', id: 'y' })).toBe(1)
    const { items } = draft
    expect(items).not.toBe(first)
    draft.push({ group: 'a', id: 'z' })
    draft.set(0, { group: 'a', id: 'x' })
    expect(draft.items).toBe(items)
    draft.seal()
    expect(draft.items).toBe(items)
    draft.push({ group: 'a', id: 'w' })
    expect(draft.items).not.toBe(items)
    expect([first.length, items.length, draft.items.length]).toEqual([1, 3, 4])
  })

  it('finds the latest item of an id, however often it has searched', () => {
    const step = fc.record({ item, at: fc.nat(), isSet: fc.boolean(), searches: fc.constantFrom(0, 1, 40) })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), fc.array(step, { maxLength: 12 }), (first, steps) => {
        const draft = draftOf(first)
        const plain = [...first]
        for (const { item, at, isSet, searches } of steps) {
          const position = at % Math.max(1, plain.length)
          const before = plain[position]
          // An item is replaced by one with the same id, or by one that is no longer to be found.
          if (isSet && before !== undefined) {
            const next = { group: before.group, id: item.id === undefined ? undefined : before.id }
            // Only the latest item of an id is ever replaced by one that cannot be found.
            const isLatest = plain.findLastIndex((one) => one.group === before.group && one.id === before.id)
            if (next.id === undefined && isLatest !== position) continue
            const isUnique =
              plain.filter((one) => one.group === before.group && one.id === before.id).length === 1
            if (next.id === undefined && !isUnique) continue
            plain[position] = next
            draft.set(position, next)
          } else {
            plain.push(item)
            expect(draft.push(item)).toBe(plain.length - 1)
          }
          for (let n = 0; n < searches; n++) draft.find('a', 'missing')
          expect(draft.items).toEqual(plain)
          for (const group of ['a', 'b']) {
            for (const id of ['x', 'y', '__proto__', 'missing']) {
              const expected = plain.findLastIndex((one) => one.group === group && one.id === id)
              expect(draft.find(group, id)).toBe(expected)
            }
          }
        }
      }),
      { numRuns: runs(200) },
    )
  })
})
