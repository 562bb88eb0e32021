/** The mappers of other vocabularies. */

import { type Diagnostic, run } from '../../../src/core/machine.ts'
import { a2aVerifier, fromA2a, toA2a, validateA2aEvent } from '../../../src/dialects/a2a/index.ts'
import type { ToA2aEnd } from '../../../src/dialects/a2a/to/to-a2a.ts'
import {
  adaptToolEvent,
  agentEventVerifier,
  decodeAgentEvent,
  decodeToolEvent,
  fromAgentEvents,
  toolEventVerifier,
} from '../../../src/dialects/agent-event/index.ts'
import {
  decodeFrame,
  encodeFrame,
  frameVerifier,
  fromFrames,
  toFrames,
} from '../../../src/dialects/frames/index.ts'
import {
  decodeSessionEvent,
  fromSessionEvents,
  sessionVerifier,
  verifySignedState,
} from '../../../src/dialects/session/index.ts'
import { pythonJson } from '../../../src/dialects/session/signed/python-json.ts'
import { type Handlers, pick, through } from './support.ts'

/** The time of what states none. */
const now = (): string => '2026-03-04T05:06:07.080Z'

export const dialects: Handlers = {
  'frames-decode'({ version, value, text }) {
    const decoded = decodeFrame(text === undefined ? value : JSON.parse(text), { version })
    if (decoded.status === 'invalid') return invalid(decoded.issues)
    return { status: decoded.status, json: encodeFrame(decoded.event) }
  },
  'frames-verify': ({ frames, ...options }) =>
    violations(through(frameVerifier(options), frames).out, ['rule', 'severity', 'seq', 'path']),
  'frames-from'({ frames, options }) {
    const { out, diagnostics } = through(fromFrames(options), frames)
    return { events: out, diagnostics: [...new Set(diagnostics)] }
  },
  'frames-to'({ version, events }) {
    const machine = toFrames({ version, sessionId: 'S', newId: () => 'f', now: () => 77 })
    const { out, diagnostics } = through(machine, events as never[])
    return { frames: out.map(({ id: _, ...frame }) => frame), diagnostics }
  },

  'session-decode'({ value, ...options }) {
    const decoded = decodeSessionEvent(value, options)
    if (decoded.status === 'invalid') return invalid(decoded.issues)
    const { status, event } = decoded
    if (!('repairs' in decoded) || status === 'unknown') return { status, event }
    return { status, event, repairs: decoded.repairs.map((repair) => pick(repair, ['code', 'path'])) }
  },
  'session-verify': ({ events, ...options }) =>
    violations(through(sessionVerifier(options), events as never[]).out, placed),
  'session-from'({ events }) {
    const { out, diagnostics } = through(fromSessionEvents({ now, showErrors: true }), events as never[])
    return { events: out, diagnostics }
  },
  'session-canonical': ({ json }) => ({ canonical: pythonJson(json) }),
  async 'session-signed'({ text, keys, sessionId, now }) {
    const verdict = await verifySignedState(text, {
      ...{ keys, sessionId },
      now: () => now * 1000,
      versions: ['1.0', '2'],
    })
    return verdict.status === 'valid'
      ? pick(verdict, ['status', 'version', 'state', 'issuedAt'])
      : { status: 'invalid', code: verdict.code }
  },

  'agent-event-decode': ({ value }) => decodedAs(decodeAgentEvent(value)),
  'tool-event-decode'({ value }) {
    const decoded = decodedAs(decodeToolEvent(value))
    return decoded.status === 'known' ? { ...decoded, adapted: adaptToolEvent(value) } : decoded
  },
  'agent-event-verify': ({ events, ...options }) =>
    violations(through(agentEventVerifier(options), events as never[]).out, placed),
  'tool-event-verify': ({ events, ...options }) =>
    violations(through(toolEventVerifier(options), events as never[]).out, placed),
  'agent-event-from'({ events }) {
    const options = { contextId: 'ctx', taskId: 'task', now }
    const { out, diagnostics } = through(fromAgentEvents({ ...options, showErrors: true }), events as never[])
    return { events: out, diagnostics }
  },

  'a2a-to'({ version, events, options, end }) {
    const diagnostics: string[] = []
    const mapper = run(toA2a({ version, viewer: { audience: 'operator' }, ...options }), {
      onDiagnostic: (diagnostic) => diagnostics.push(withReason(diagnostic)),
    })
    const items = (events as never[]).flatMap((event) => [...mapper.push(event)])
    if (end !== undefined) items.push(...mapper.end(end as ToA2aEnd))
    return { items: JSON.parse(JSON.stringify(items)), diagnostics }
  },
  'a2a-from'({ items, ...options }) {
    const { out, diagnostics } = through(
      fromA2a({ now: () => 0, showErrors: true, ...options }),
      items as unknown[],
    )
    return { events: out, diagnostics }
  },
  'a2a-validate': ({ version, value }) => ({
    valid: validateA2aEvent(version as '1.0', value).length === 0,
  }),
  'a2a-verify': ({ items, ...options }) =>
    violations(through(a2aVerifier(options), items as unknown[]).out, placed),
}

const placed = ['rule', 'severity', 'eventIndex', 'path']

function violations(found: readonly object[], members: readonly string[]): object {
  return { violations: found.map((violation) => pick(violation, members)) }
}

function invalid(issues: readonly object[]): { status: 'invalid'; issue: object } {
  return { status: 'invalid', issue: pick(issues[0] ?? {}, ['code', 'path']) }
}

function decodedAs(decoded: ReturnType<typeof decodeAgentEvent> | ReturnType<typeof decodeToolEvent>): {
  status: string
  event?: unknown
  issue?: object
} {
  return decoded.status === 'invalid'
    ? invalid(decoded.issues)
    : { status: decoded.status, event: decoded.event }
}

/** A code, with the reason of what is dropped. */
function withReason({ code, detail }: Diagnostic): string {
  return code.startsWith('dropped:') ? `${code} ${(detail as { reason: string }).reason}` : code
}
