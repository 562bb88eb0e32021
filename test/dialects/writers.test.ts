// Proves that writers of other protocols lose nothing silently, of legal streams and of those with missing, repeated
// and late events.

import fc from 'fast-check'
import { toA2a } from 'turnstream/a2a'
import { toAcp } from 'turnstream/acp'
import { toAgentEvents } from 'turnstream/agent-event'
import { toFrames } from 'turnstream/frames'
import { toChatCompletions } from 'turnstream/openai'
import { toSessionEvents } from 'turnstream/session'
import { test } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import { losses } from '../../src/dialects/a2a/to/coverage.ts'
import type { ContextAnyEvent } from '../../src/index.ts'
import { damaged } from '../support/damaged-streams.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { expectWriterLaw, isUnseen, withUnknownFields } from '../support/mapper-laws.ts'

const viewer = { audience: 'operator' } as const
type IsForm = (path: string, value: unknown, event: ContextAnyEvent) => boolean

let ids = 0
const newId = (): string => `new-${ids++}`

/** Whether a field reaches a format in another form: kinds as types, places as orders, texts as their deltas. */
const fields =
  (...names: readonly string[]): IsForm =>
  (path, _, { kind }) => {
    const [, field = ''] = path.split('/')
    const isJoined = kind === 'content-complete' || kind === 'task-complete' || kind === 'thought-stream'
    return ['kind', 'timestamp', 'index', ...names].includes(field) || (field === 'content' && isJoined)
  }

const a2a: IsForm = (path, value, event) =>
  isUnseen(losses, path, event) ||
  (path === '/initiator' && value === 'user') ||
  // Empty metadata adds nothing.
  path === '/metadata' ||
  fields('status', 'complete', 'encoding', 'data', 'change')(path, value, event)

/** AgentEvents have no ids, times and positions. */
const agentEvent = fields(
  ...['contextId', 'taskId', 'parentTaskId', 'path', 'timestampEnd', 'indexEnd', 'thoughtId'],
  ...['status', 'success', 'arguments', 'thoughtType', 'verbosity'],
)

/** A completion has one id, one time and one finish reason, and the sum of the tokens. */
const openai: IsForm = (path, value, event) =>
  fields(
    ...['contextId', 'taskId', 'parentTaskId', 'path', 'timestampEnd', 'indexEnd', 'thoughtId'],
    ...['initiator', 'status', 'arguments', 'finishReason'],
  )(path, value, event) || /^\/metadata\/(usage|finishReason)/.test(path)

/** Calls and messages have ids of their session. Content of a call is its result, and its arguments are sent as a whole. */
const acp: IsForm = (path, value, event) =>
  fields(
    ...['contextId', 'taskId', 'parentTaskId', 'path', 'timestampEnd', 'indexEnd', 'thoughtId', 'toolCallId'],
    ...['initiator', 'status', 'success', 'toolName', 'finishReason', 'complete', 'encoding', 'result'],
  )(path, value, event) ||
  (path === '/delta' && event.kind === 'tool-arguments-delta') ||
  /^\/metadata\/(usage|finishReason)/.test(path)

const writers: readonly (readonly [string, () => unknown, IsForm])[] = [
  ['A2A 0.3', () => toA2a({ version: '0.3', viewer }), a2a],
  ['A2A 1.0', () => toA2a({ version: '1.0', viewer }), a2a],
  ['A2A with the extension', () => toA2a({ version: '1.0', viewer, extension: true }), () => false],
  [
    'frames v1',
    () => toFrames({ version: 'v1', sessionId: 's', newId }),
    fields('initiator', 'success', 'status'),
  ],
  [
    'frames v2',
    () => toFrames({ version: 'v2', sessionId: 's', newId }),
    fields('initiator', 'success', 'status'),
  ],
  ['agent-event', () => toAgentEvents({ viewer, toolCallIds: true }), agentEvent],
  ['ACP', () => toAcp({ viewer, input: true }), acp],
  ['openai', () => toChatCompletions({ viewer, includeUsage: true }), openai],
  ['session', () => toSessionEvents({ viewer }), fields('success')],
]

test.each(writers)('%s', (_, machine, isStructure) =>
  expectWriterLaw({
    machine: machine as () => Machine<unknown, ContextAnyEvent, unknown, never>,
    streams: fc.oneof(withUnknownFields(legalStreams()), damaged(withUnknownFields(legalStreams()))),
    isStructure,
  }),
)
