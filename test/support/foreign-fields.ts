/** Streams of another protocol with fields that it does not know. */
import fc from 'fast-check'

/** The name of the fields that {@link withForeignFields} adds. */
export const FOREIGN = 'x-foreign'

/** Streams in which objects at any depth of some messages have one more field, each with a value of its own. */
export function withForeignFields<In>(streams: fc.Arbitrary<readonly In[]>): fc.Arbitrary<readonly In[]> {
  return fc.tuple(streams, fc.infiniteStream(fc.nat(30))).map(([messages, picks]) => {
    let count = 0
    return messages.map((message) => {
      const copy = structuredClone(message)
      const objects = objectsIn(copy)
      const object = objects[picks.next().value as number]
      if (object !== undefined) object[FOREIGN] = `foreign ${count++}`
      return copy
    })
  })
}

/** All objects of a message, outer ones first. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner]
}
