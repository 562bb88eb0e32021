/** What every implementation needs: decoding, rules, event ids, resuming, the view. */
import { decodeEvent } from '../../../src/events/decode.ts'
import {
  emptyView,
  foldEvents,
  formatEventId,
  type PartView,
  parseEventId,
  resolveCursor,
  type Violation,
  verifier,
} from '../../../src/streams/index.ts'
import { type Handlers, pick, through } from './support.ts'

export const core: Handlers = {
  decode({ value }) {
    const decoded = decodeEvent(value)
    if (decoded.status !== 'invalid') return { status: decoded.status, event: decoded.event }
    return { status: 'invalid', issue: pick(decoded.issues[0] ?? {}, ['code', 'path']) }
  },

  verify({ events, startIndex = 0, external = false }) {
    const violations = (mode: 'strict' | 'standard' | 'lenient') =>
      through(verifier({ mode, startIndex, external }), events)
        .out.sort(byPlace)
        .map((violation) => pick(violation, ['rule', 'severity', 'eventIndex', 'path']))
    return {
      strict: violations('strict'),
      standard: violations('standard'),
      lenient: violations('lenient'),
    }
  },

  cursor({ id }) {
    const cursor = parseEventId(id)
    return cursor === undefined ? { cursor: null } : { cursor, id: formatEventId(cursor) }
  },

  resume({ log, lastEventId, filter }) {
    const after = resolveCursor(log, lastEventId, filter === undefined ? undefined : { id: filter })
    if (typeof after === 'object')
      return { status: 200, reset: pick(after, ['reason', 'through', 'earliest']) }
    const through = log.next - 1
    if (log.closed && after === through && lastEventId) return { status: 204 }
    return { status: 200, after, through, closed: log.closed }
  },

  fold({ events }) {
    const { diagnostics, tasks, ...view } = foldEvents(emptyView, events)
    return {
      ...view,
      tasks: tasks.map((task) => ({ ...task, parts: task.parts.map(withoutPartialArguments) })),
      diagnostics: diagnostics.map((diagnostic) => pick(diagnostic, ['code', 'kind', 'taskId', 'id'])),
    }
  },
}

/** By event, rule and path, in the order of code units. */
function byPlace(a: Violation, b: Violation): number {
  return a.eventIndex - b.eventIndex || compare(a.rule, b.rule) || compare(a.path ?? '', b.path ?? '')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function withoutPartialArguments(part: PartView): object {
  if (part.type !== 'tool' || part.argumentsComplete !== false) return part
  const { arguments: _, ...rest } = part
  return rest
}
