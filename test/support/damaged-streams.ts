/** Streams as a transport without guarantees delivers them. */
import fc from 'fast-check'

/** Streams with missing, repeated and late events. */
export function damaged<Event>(streams: fc.Arbitrary<readonly Event[]>): fc.Arbitrary<readonly Event[]> {
  const change = fc.constantFrom('keep', 'keep', 'keep', 'keep', 'drop', 'repeat', 'late')
  return fc.tuple(streams, fc.infiniteStream(change)).map(([events, changes]) => {
    const late: Event[] = []
    const out = events.flatMap((event) => {
      const { value } = changes.next()
      if (value === 'late') late.push(event)
      return value === 'drop' || value === 'late' ? [] : value === 'repeat' ? [event, event] : [event]
    })
    return [...out, ...late]
  })
}
