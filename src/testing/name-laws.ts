/** Names and ids of any characters. */
import type { ContextAnyEvent } from '../events/event.ts'
import { expectEqual } from './expect-equal.ts'
import type { Laws } from './law.ts'
import { cursorOf, eventOf, readAll } from './sample-log.ts'

export const nameLaws: Laws = {
  async 'names and ids may have any characters'({ stream, open }) {
    const names = ['\0', '\0\0', '%00', '"', '{a}', '}', '%7d', '%7D', '\\', '\ufffd', '\ud800', '\udc00']
    for (const [n, name] of names.entries()) {
      const log = await open(`${stream}/${name}`).catch((error: unknown) => {
        // Half surrogates are not Unicode.
        if (error instanceof TypeError && /\p{Surrogate}/u.test(name)) return undefined
        throw error
      })
      const position = await log?.append(eventOf(n))
      if (position === undefined || log === undefined) continue
      const what = `the stream with the name ${JSON.stringify(name)}`
      expectEqual([position.stream, position.seq], [`${stream}/${name}`, 0], what)
      expectEqual((await log.read()).events, [eventOf(n)], what)
    }
    const log = await open()
    const ids = ['\0', '\u0001', '\ud800', '\udc00', '\ufffd', '"', '\\', '\n', ']', '__proto__']
    const events = ids.flatMap((id, index): ContextAnyEvent[] => [
      { ...eventOf(index), taskId: id, metadata: { [id]: id } } as ContextAnyEvent,
      { ...eventOf(index), contextId: id, delta: id } as ContextAnyEvent,
    ])
    for (const event of events) await log.append(event)
    expectEqual((await readAll(log, undefined)).events, events, 'the events')
    const base = eventOf(0)
    for (const id of ids.slice(0, -1)) {
      const child = { ...base, contextId: 'links', taskId: id, parentTaskId: `parent of ${id}` }
      await log.append(child as ContextAnyEvent)
    }
    const { seqs } = await readAll(log, undefined)
    for (const id of ids) await log.append({ ...base, contextId: 'links', taskId: id })
    const { events: last } = await readAll(log, cursorOf(await log.append(base), seqs.length - 1))
    expectEqual(
      last.slice(0, -1).map((event) => ('parentTaskId' in event ? event.parentTaskId : null)),
      [...ids.slice(0, -1).map((id) => `parent of ${id}`), null],
      'the parents of subtasks',
    )
  },
}
