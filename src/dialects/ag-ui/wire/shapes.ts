/** The fields of events and requests, as data for the validator. */

import type { Shape, ShapeFields } from '../../../validation/shape.ts'
import { union } from '../../../validation/union.ts'
import type { AgUiEventType } from './types/index.ts'

const MAX = Number.MAX_SAFE_INTEGER
const maybeText: Shape = ['maybe', 'text']
const maybeAny: Shape = ['maybe', 'any']
const object: Shape = ['fields', {}]
const maybeObject: Shape = ['maybe', object]
const texts: Shape = ['list', 'text']
const count: Shape = ['maybe', ['int', 0, MAX]]

const base: ShapeFields = {
  timestamp: ['maybe', ['int', -MAX, MAX]],
  rawEvent: maybeAny,
  metadata: maybeObject,
}
const owned: ShapeFields = { ...base, subagentRunId: maybeText }
const message: ShapeFields = { ...owned, messageId: 'text' }
const call: ShapeFields = { ...owned, toolCallId: 'text' }
const subagent: ShapeFields = { ...base, subagentRunId: 'text' }
const role: Shape = ['maybe', ['of', 'developer', 'system', 'assistant', 'user']]

const source: Shape = [
  'by',
  'type',
  {
    data: ['fields', { value: 'text', mimeType: 'text' }],
    url: ['fields', { value: 'text', mimeType: maybeText }],
    file: ['fields', { value: 'text', provider: maybeText, mimeType: maybeText }],
  },
]
const media: Shape = ['fields', { id: maybeText, source, metadata: maybeAny }]
const part: Shape = [
  'by',
  'type',
  {
    text: ['fields', { id: maybeText, text: 'text', metadata: maybeAny }],
    image: media,
    audio: media,
    video: media,
    document: media,
  },
]
const content: Shape = ['or', ['text', ['list', part]], union]

/** Of each operation only what all have: the others are checked as they apply. */
export const patch: Shape = [
  'list',
  ['fields', { op: ['of', 'add', 'remove', 'replace', 'move', 'copy', 'test'], path: 'text' }],
]

const usage: Shape = [
  'maybe',
  [
    'list',
    [
      'fields',
      {
        provider: maybeText,
        model: maybeText,
        inputTokens: count,
        outputTokens: count,
        totalTokens: count,
        reasoningTokens: count,
        cachedInputTokens: count,
        cacheWriteInputTokens: count,
      },
    ],
  ],
]

const messageBase: ShapeFields = { subagentRunId: maybeText, id: 'text', metadata: maybeObject }
const named: ShapeFields = { ...messageBase, name: maybeText, encryptedValue: maybeText }
const toolCall: ShapeFields = {
  id: 'text',
  type: ['of', 'function'],
  function: ['fields', { name: 'text', arguments: 'text' }],
  encryptedValue: maybeText,
  metadata: maybeObject,
}
const instructions: Shape = ['fields', { ...named, content: 'text' }]

/** The shape of a message. */
const messages: Shape = [
  'list',
  [
    'by',
    'role',
    {
      developer: instructions,
      system: instructions,
      assistant: [
        'fields',
        { ...named, content: maybeText, toolCalls: ['maybe', ['list', ['fields', toolCall]]] },
      ],
      user: ['fields', { ...named, content }],
      tool: [
        'fields',
        { ...messageBase, content, toolCallId: 'text', error: maybeText, encryptedValue: maybeText },
      ],
      activity: ['fields', { ...messageBase, activityType: 'text', content: object }],
      reasoning: ['fields', { ...messageBase, content: 'text', encryptedValue: maybeText }],
    },
  ],
]

/** The shape of the request of a client. */
export const runInputShape: Shape = [
  'fields',
  {
    threadId: 'text',
    runId: 'text',
    protocolVersion: maybeText,
    parentRunId: maybeText,
    state: maybeAny,
    messages,
    tools: [
      'list',
      ['fields', { name: 'text', description: 'text', parameters: maybeAny, metadata: maybeObject }],
    ],
    context: ['list', ['fields', { description: 'text', value: 'text' }]],
    forwardedProps: maybeAny,
    resume: [
      'maybe',
      [
        'list',
        [
          'fields',
          {
            interruptId: 'text',
            status: ['of', 'resolved', 'cancelled'],
            payload: maybeAny,
            metadata: maybeObject,
          },
        ],
      ],
    ],
  },
]

const interrupts: Shape = [
  'list',
  [
    'fields',
    {
      subagentRunId: maybeText,
      id: 'text',
      reason: 'text',
      message: maybeText,
      toolCallId: maybeText,
      responseSchema: maybeObject,
      expiresAt: maybeText,
      metadata: maybeObject,
    },
  ],
]
const runOutcome: Shape = [
  'by',
  'type',
  {
    success: ['fields', { pendingToolCallIds: ['maybe', texts] }],
    interrupt: ['fields', { interrupts }],
    cancelled: object,
  },
]
const subagentOutcome: Shape = [
  'by',
  'type',
  { success: object, suspended: ['fields', { interruptIds: ['maybe', texts] }] },
]

/** The fields of each type of event besides `type`. */
export const eventShapes: Readonly<Record<AgUiEventType, ShapeFields>> = {
  RUN_STARTED: {
    ...base,
    threadId: 'text',
    runId: 'text',
    protocolVersion: maybeText,
    parentRunId: maybeText,
    input: ['maybe', runInputShape],
  },
  RUN_FINISHED: {
    ...base,
    threadId: 'text',
    runId: 'text',
    result: maybeAny,
    outcome: ['maybe', runOutcome],
    usage,
  },
  RUN_ERROR: { ...base, message: 'text', code: maybeText, usage },
  STEP_STARTED: { ...owned, stepName: 'text' },
  STEP_FINISHED: { ...owned, stepName: 'text' },
  SUBAGENT_STARTED: {
    ...subagent,
    name: 'text',
    description: maybeText,
    parentSubagentRunId: maybeText,
    parentToolCallId: maybeText,
    parentMessageId: maybeText,
  },
  SUBAGENT_FINISHED: { ...subagent, result: maybeAny, outcome: ['maybe', subagentOutcome] },
  SUBAGENT_ERROR: { ...subagent, message: 'text', code: maybeText },
  TEXT_MESSAGE_START: { ...message, role, name: maybeText },
  TEXT_MESSAGE_CONTENT: { ...message, delta: 'text' },
  TEXT_MESSAGE_END: message,
  TEXT_MESSAGE_CHUNK: { ...owned, messageId: maybeText, role, delta: maybeText, name: maybeText },
  REASONING_START: message,
  REASONING_MESSAGE_START: { ...message, role: ['of', 'reasoning'] },
  REASONING_MESSAGE_CONTENT: { ...message, delta: 'text' },
  REASONING_MESSAGE_END: message,
  REASONING_MESSAGE_CHUNK: { ...owned, messageId: maybeText, delta: maybeText },
  REASONING_END: message,
  REASONING_ENCRYPTED_VALUE: {
    ...owned,
    subtype: ['of', 'tool-call', 'message'],
    entityId: 'text',
    encryptedValue: 'text',
  },
  TOOL_CALL_START: { ...call, toolCallName: 'text', parentMessageId: maybeText },
  TOOL_CALL_ARGS: { ...call, delta: 'text' },
  TOOL_CALL_END: call,
  TOOL_CALL_CHUNK: {
    ...owned,
    toolCallId: maybeText,
    toolCallName: maybeText,
    parentMessageId: maybeText,
    delta: maybeText,
  },
  TOOL_CALL_RESULT: { ...message, toolCallId: 'text', content, role: ['maybe', ['of', 'tool']] },
  STATE_SNAPSHOT: { ...owned, snapshot: 'any' },
  STATE_DELTA: { ...owned, delta: patch },
  ACTIVITY_SNAPSHOT: { ...message, activityType: 'text', content: object, replace: ['maybe', 'boolean'] },
  ACTIVITY_DELTA: { ...message, activityType: 'text', patch },
  MESSAGES_SNAPSHOT: { ...base, messages },
  RAW: { ...owned, event: 'any', source: maybeText },
  CUSTOM: { ...owned, name: 'text', value: 'any' },
}
