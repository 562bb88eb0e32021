// Texts that are open when the task ends.
import { describe, expect, it } from 'vitest'
import { a2aSnapshot } from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { runToA2a, versions } from './support.ts'

const ids = { contextId: 'c', taskId: 't', timestamp: '2026-03-04T05:06:07Z' }
const stream = (...deltas: readonly string[]): ContextAnyEvent[] =>
  [
    { ...ids, kind: 'task-created', initiator: 'user' },
    { ...ids, kind: 'task-status', status: 'working' },
    ...deltas.map((delta, index) => ({ ...ids, kind: 'content-delta', contentId: 'a', delta, index })),
    { ...ids, kind: 'task-status', status: 'completed' },
    { ...ids, kind: 'task-complete' },
  ] as ContextAnyEvent[]

describe.each(versions)('a text that is open when its task ends, A2A %s', (version) => {
  it('is no artifact if it has no character, which is reported', () => {
    const { out, state, diagnostics } = runToA2a(stream(''), { version })
    expect(JSON.stringify(out)).not.toContain('artifactId')
    expect(a2aSnapshot(state as never)).not.toHaveProperty('artifacts')
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'lossy:contentId', detail: 'a' }))
  })

  it('is not sent again as a whole if it was too long to store', () => {
    const half = 'x'.repeat(17 * 1024 * 1024)
    const { out, diagnostics } = runToA2a(stream(half, half), { version, closeText: 'snapshot' })
    expect(diagnostics.map(({ code }) => code)).toContain('state-evicted')
    const texts = out.flatMap((item) => partsOf(item).map(({ text }) => text.length))
    expect(texts).toEqual([half.length, half.length, 0])
  })
})

/** The parts of an update of an artifact; none for other items. */
function partsOf(item: object): { text: string }[] {
  const update = 'artifactUpdate' in item ? item.artifactUpdate : item
  return (update as { artifact?: { parts: { text: string }[] } }).artifact?.parts ?? []
}
