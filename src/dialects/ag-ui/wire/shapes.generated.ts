// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in the folder schemas beside it. Do not edit.
import type { Shape, ShapeFields } from '../../../validation/shape.ts'
import { union } from '../../../validation/union.ts'

const s0: Shape = ['maybe', ['int']]
const s1: Shape = ['maybe', 'any']
const s2: Shape = ['fields', {}]
const s3: Shape = ['maybe', s2]
const s4: Shape = ['maybe', 'text']
const s5: Shape = ['fields', { role: ["of", "developer", "system"], subagentRunId: s4, id: 'text', metadata: s3, name: s4, encryptedValue: s4, content: 'text' }]
const s6: Shape = ['fields', { type: ["of", "image", "audio", "video", "document"], id: s4, source: ['by', 'type', { data: ['fields', { type: ["of", "data"], value: 'text', mimeType: 'text' }], url: ['fields', { type: ["of", "url"], value: 'text', mimeType: s4 }], file: ['fields', { type: ["of", "file"], value: 'text', provider: s4, mimeType: s4 }] }], metadata: s1 }]
const s7: Shape = ['or', ['text', ['list', ['by', 'type', { text: ['fields', { type: ["of", "text"], id: s4, text: 'text', metadata: s1 }], image: s6, audio: s6, video: s6, document: s6 }]]], union]
const s8: Shape = ['list', ['by', 'role', { developer: s5, system: s5, assistant: ['fields', { role: ["of", "assistant"], subagentRunId: s4, id: 'text', metadata: s3, name: s4, encryptedValue: s4, content: s4, toolCalls: ['maybe', ['list', ['fields', { id: 'text', type: ["of", "function"], function: ['fields', { name: 'text', arguments: 'text' }], encryptedValue: s4, metadata: s3 }]]] }], user: ['fields', { role: ["of", "user"], subagentRunId: s4, id: 'text', metadata: s3, name: s4, encryptedValue: s4, content: s7 }], tool: ['fields', { role: ["of", "tool"], subagentRunId: s4, id: 'text', metadata: s3, content: s7, toolCallId: 'text', error: s4, encryptedValue: s4 }], activity: ['fields', { role: ["of", "activity"], subagentRunId: s4, id: 'text', metadata: s3, activityType: 'text', content: s2 }], reasoning: ['fields', { role: ["of", "reasoning"], subagentRunId: s4, id: 'text', metadata: s3, content: 'text', encryptedValue: s4 }] }]]
const s9: Shape = ['list', ['fields', { name: 'text', description: 'text', parameters: s1, metadata: s3 }]]
const s10: Shape = ['list', ['fields', { description: 'text', value: 'text' }]]
const s11: Shape = ['maybe', ['list', ['fields', { interruptId: 'text', status: ["of", "resolved", "cancelled"], payload: s1, metadata: s3 }]]]
const s12: Shape = ['maybe', ['int', 0]]
const s13: Shape = ['maybe', ['list', ['fields', { provider: s4, model: s4, inputTokens: s12, outputTokens: s12, totalTokens: s12, reasoningTokens: s12, cachedInputTokens: s12, cacheWriteInputTokens: s12 }]]]
const s14: Shape = ['maybe', ["of", "developer", "system", "assistant", "user"]]
const s15: Shape = ['list', ['fields', { op: ["of", "add", "remove", "replace", "move", "copy", "test"], path: 'text' }]]

/** The fields of each type of event besides `type`. */
export const eventShapes: Readonly<Record<string, ShapeFields>> = {
  RUN_STARTED: { timestamp: s0, rawEvent: s1, metadata: s3, threadId: 'text', runId: 'text', protocolVersion: s4, parentRunId: s4, input: ['maybe', ['fields', { threadId: 'text', runId: 'text', protocolVersion: s4, parentRunId: s4, state: s1, messages: s8, tools: s9, context: s10, forwardedProps: s1, resume: s11 }]] },
  RUN_FINISHED: { timestamp: s0, rawEvent: s1, metadata: s3, threadId: 'text', runId: 'text', result: s1, outcome: ['maybe', ['by', 'type', { success: ['fields', { type: ["of", "success"], pendingToolCallIds: ['maybe', ['list', 'text']] }], interrupt: ['fields', { type: ["of", "interrupt"], interrupts: ['list', ['fields', { subagentRunId: s4, id: 'text', reason: 'text', message: s4, toolCallId: s4, responseSchema: s3, expiresAt: s4, metadata: s3 }]] }], cancelled: ['fields', { type: ["of", "cancelled"] }] }]], usage: s13 },
  RUN_ERROR: { timestamp: s0, rawEvent: s1, metadata: s3, message: 'text', code: s4, usage: s13 },
  STEP_STARTED: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, stepName: 'text' },
  STEP_FINISHED: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, stepName: 'text' },
  SUBAGENT_STARTED: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: 'text', name: 'text', description: s4, parentSubagentRunId: s4, parentToolCallId: s4, parentMessageId: s4 },
  SUBAGENT_FINISHED: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: 'text', result: s1, outcome: ['maybe', ['by', 'type', { success: ['fields', { type: ["of", "success"] }], suspended: ['fields', { type: ["of", "suspended"], interruptIds: ['maybe', ['list', 'text']] }] }]] },
  SUBAGENT_ERROR: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: 'text', message: 'text', code: s4 },
  TEXT_MESSAGE_START: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text', role: s14, name: s4 },
  TEXT_MESSAGE_CONTENT: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text', delta: 'text' },
  TEXT_MESSAGE_END: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text' },
  TEXT_MESSAGE_CHUNK: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: s4, role: s14, delta: s4, name: s4 },
  REASONING_START: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text' },
  REASONING_MESSAGE_START: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text', role: ["of", "reasoning"] },
  REASONING_MESSAGE_CONTENT: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text', delta: 'text' },
  REASONING_MESSAGE_END: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text' },
  REASONING_MESSAGE_CHUNK: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: s4, delta: s4 },
  REASONING_END: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text' },
  REASONING_ENCRYPTED_VALUE: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, subtype: ["of", "tool-call", "message"], entityId: 'text', encryptedValue: 'text' },
  TOOL_CALL_START: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, toolCallId: 'text', toolCallName: 'text', parentMessageId: s4 },
  TOOL_CALL_ARGS: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, toolCallId: 'text', delta: 'text' },
  TOOL_CALL_END: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, toolCallId: 'text' },
  TOOL_CALL_CHUNK: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, toolCallId: s4, toolCallName: s4, parentMessageId: s4, delta: s4 },
  TOOL_CALL_RESULT: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text', toolCallId: 'text', content: s7, role: ['maybe', ["of", "tool"]] },
  STATE_SNAPSHOT: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, snapshot: 'any' },
  STATE_DELTA: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, delta: s15 },
  ACTIVITY_SNAPSHOT: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text', activityType: 'text', content: s2, replace: ['maybe', 'boolean'] },
  ACTIVITY_DELTA: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, messageId: 'text', activityType: 'text', patch: s15 },
  MESSAGES_SNAPSHOT: { timestamp: s0, rawEvent: s1, metadata: s3, messages: s8 },
  RAW: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, event: 'any', source: s4 },
  CUSTOM: { timestamp: s0, rawEvent: s1, metadata: s3, subagentRunId: s4, name: 'text', value: 'any' },
}

/** The fields of the request of a client. */
export const runInputShape: ShapeFields = { threadId: 'text', runId: 'text', protocolVersion: s4, parentRunId: s4, state: s1, messages: s8, tools: s9, context: s10, forwardedProps: s1, resume: s11 }
