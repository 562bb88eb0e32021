// What a peer adds to its messages to choose who sees or answers what they say.
import fc from 'fast-check'

const label = fc.constantFrom<unknown>(['operator'], ['user'], [], ['nobody'], 'user', { role: 'user' })

/** Members that may state who sees or answers something. */
export const labels: fc.Arbitrary<object> = label.map((audience) => {
  const metadata = { audience, owner: 'eve', requireUser: false, viewer: audience }
  const ours = { turnstream: { ...metadata, metadata } }
  return {
    ...{ metadata, audience, owner: 'eve', _meta: { ...metadata, ...ours }, messageMetadata: metadata },
    ...{ providerMetadata: ours, callProviderMetadata: ours, resultProviderMetadata: ours },
  }
})

/** Adds members to the objects of a message that are at chosen depths: one bit each. */
export function withFields(value: unknown, more: object, depths: number, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((each) => withFields(each, more, depths, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.entries(value).map(([name, each]) => [name, withFields(each, more, depths, depth + 1)])
  const own = Object.fromEntries(inner) as object
  return (depths >> depth) % 2 === 1 ? { ...more, ...own } : own
}
