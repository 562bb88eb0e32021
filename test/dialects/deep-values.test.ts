// Proves that no value of an input is nested too deep for a mapper or verifier: wherever it is, nothing throws.

import fc from 'fast-check'
import { a2aVerifier, demuxTasks, fromA2a, toA2a } from 'turnstream/a2a'
import { agUiMessages } from 'turnstream/ag-ui'
import {
  agentEventVerifier,
  fromAgentEvents,
  subAgentToolEvents,
  toAgentEvents,
  toolEventVerifier,
} from 'turnstream/agent-event'
import { fromUiMessageStream, toUiMessageStream, uiMessages } from 'turnstream/ai-sdk'
import { frameReceiver, frameSequencer, frameVerifier, fromFrames, toFrames } from 'turnstream/frames'
import { fromLooopy } from 'turnstream/looopy'
import {
  fromSessionEvents,
  sessionOutbox,
  sessionReceiver,
  sessionVerifier,
  toSessionEvents,
} from 'turnstream/session'
import { test } from 'vitest'
import { expectTakesDeepValues, ofView } from '../support/deep-values.ts'
import { eventOf } from '../support/event-of.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { resultsOf, withUnknownFields } from '../support/mapper-laws.ts'
import { a2aStreams } from './a2a/a2a-streams.ts'
import { shapedEvents } from './ag-ui/shaped-events.ts'
import { agUiStreams } from './ag-ui/streams.ts'
import { reader, writer } from './ag-ui/support.ts'
import { legalStream } from './agent-event/support.ts'
import { laterStream, snapshotsOf } from './agent-event/versions.ts'
import { chunkStreams } from './ai-sdk/chunk-streams.ts'
import { shapedChunks } from './ai-sdk/shaped-chunks.ts'
import { legalLog, legalLogV2 } from './frames/logs.ts'
import { rawSessions, realSessions, sessions } from './session/session-streams.ts'

type Streams = fc.Arbitrary<readonly unknown[]>

const operator = { audience: 'operator' } as const
const newId = (): string => 'id'

const events: Streams = withUnknownFields(legalStreams())
/** Rare in the others. */
const selection: Streams = fc.constant([
  eventOf({
    kind: 'input-required',
    inputId: 'i',
    inputType: 'selection',
    prompt: 'Which?',
    options: ['a', { id: 'b', label: 'B' }],
  }),
])
/** A call to approve, whose arguments are text that is JSON. */
const deepArguments: Streams = fc.constant([
  eventOf({
    kind: 'input-required',
    inputId: 'i',
    inputType: 'tool-execution',
    prompt: 'Pay?',
    metadata: {
      toolCall: {
        id: 'k',
        function: { name: 'pay', arguments: `${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}` },
      },
    },
  }),
])
const eventsOfTask: Streams = fc.oneof(
  withUnknownFields(legalStreams({ subtasks: false })),
  selection,
  deepArguments,
)
const a2aItems: Streams = eventsOfTask.map((stream) => {
  const machine = toA2a({ version: '1.0', extension: true, viewer: operator })
  return resultsOf(machine as never, stream as never[]).flatMap(({ out }) => out)
})
const logs: Streams = fc.oneof(legalLog, legalLogV2)
const allSessions: Streams = fc.oneof(sessions, realSessions, rawSessions)
const runs: Streams = fc.oneof(
  legalStream(false),
  legalStream(true),
  laterStream(2),
  laterStream(3),
  laterStream(3).map(snapshotsOf),
)
/** What frames and tools state besides their envelopes. */
const bodies: Streams = logs.map((frames) =>
  (frames as readonly Record<string, unknown>[]).map(
    ({ id, seq, session_id, timestamp_ms, ...body }) => body,
  ),
)

test.each<[name: string, machine: () => unknown, streams: Streams, reportsValues?: boolean]>([
  ['fromA2a 0.3', () => fromA2a({ now: () => 0 }), a2aStreams('0.3').map(({ items }) => items), true],
  ['fromA2a 1.0', () => fromA2a({ now: () => 0 }), a2aStreams('1.0').map(({ items }) => items), true],
  ['fromA2a, tasks', () => fromA2a({ now: () => 0 }), a2aStreams('1.0').map(({ tasks }) => tasks), true],
  ['fromA2a, with the extension', () => fromA2a({ now: () => 0, extension: true }), a2aItems, true],
  ['a2aVerifier', () => a2aVerifier({ version: '1.0' }), a2aStreams('1.0').map(({ items }) => items)],
  ['toA2a 0.3', () => toA2a({ version: '0.3' }), eventsOfTask],
  ['toA2a 1.0', () => toA2a({ version: '1.0', viewer: operator }), eventsOfTask],
  ['toA2a with the extension', () => toA2a({ version: '1.0', extension: true }), eventsOfTask],
  ['demuxTasks', () => demuxTasks(toA2a({ version: '1.0' })), events],
  ['fromLooopy', () => fromLooopy(), events],
  ['toAgUi', () => writer({}), events, true],
  ['toAgUi with the extension', () => writer({ extension: true }), events, true],
  ['fromAgUi', () => reader(), fc.oneof(agUiStreams, shapedEvents), true],
  ['agUiMessages', () => ofView((view) => agUiMessages(view, { viewer: operator })), events, true],
  ['toUiMessageStream', () => toUiMessageStream({ viewer: operator }), events, true],
  [
    'toUiMessageStream with the extension',
    () => toUiMessageStream({ extension: true, viewer: operator }),
    events,
    true,
  ],
  [
    'fromUiMessageStream',
    () => fromUiMessageStream({ now: () => 0 }),
    fc.oneof(chunkStreams, shapedChunks),
    true,
  ],
  ['uiMessages', () => ofView((view) => uiMessages(view, { viewer: operator })), events, true],
  ['fromFrames', () => fromFrames(), logs],
  ['frameReceiver', () => frameReceiver({ gaps: 'skip' }), logs],
  ['frameVerifier v1', () => frameVerifier({ version: 'v1' }), legalLog],
  ['frameVerifier v2', () => frameVerifier({ version: 'v2' }), legalLogV2],
  [
    'frameSequencer',
    () => frameSequencer({ version: 'v2', stream: { kind: 'session', id: 's' }, newId, now: () => 0 }),
    bodies,
  ],
  ['toFrames v1', () => toFrames({ version: 'v1', sessionId: 's', newId }), events],
  ['toFrames v2', () => toFrames({ version: 'v2', sessionId: 's', newId }), events],
  ['fromSessionEvents', () => fromSessionEvents(), allSessions],
  ['sessionReceiver', () => sessionReceiver(), allSessions],
  ['sessionOutbox', () => sessionOutbox(), allSessions],
  ['sessionVerifier', () => sessionVerifier(), allSessions],
  ['sessionVerifier, lenient', () => sessionVerifier({ mode: 'lenient' }), allSessions],
  ['toSessionEvents', () => toSessionEvents({ viewer: operator, connectionId: 'c' }), eventsOfTask],
  ['toSessionEvents for a user', () => toSessionEvents(), eventsOfTask],
  ['fromAgentEvents', () => fromAgentEvents(), runs],
  ['subAgentToolEvents', () => subAgentToolEvents({ toolName: 't', forward: ['tool_call'] }), runs],
  ['agentEventVerifier', () => agentEventVerifier(), runs],
  ['toolEventVerifier', () => toolEventVerifier(), runs],
  ['toAgentEvents', () => toAgentEvents({ viewer: operator }), eventsOfTask],
  ['toAgentEvents with ids', () => toAgentEvents({ viewer: operator, toolCallIds: true }), eventsOfTask],
])('%s', (_, machine, streams, reportsValues) =>
  expectTakesDeepValues(machine as never, streams, reportsValues),
)
