/** What distinguishes the dialects: how much one value speaks for each. */

import { eventKinds } from '../../events/kinds.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import type { Dialect } from '../dialects.ts'

/** How much a value speaks for a dialect: 0 not at all, 1 a little, 4 as good as certain. */
type Sign = (value: Fields, event: string) => number

const kinds: ReadonlySet<string> = /* @__PURE__ */ new Set<string>(eventKinds)
const isText = (value: unknown): value is string => typeof value === 'string'
const typeOf = ({ type }: Fields): string => (isText(type) ? type : '')
const hasOne = (value: Fields, names: ReadonlySet<string>): boolean => {
  const [name = '', ...more] = Object.keys(value)
  return more.length === 0 && names.has(name)
}

const agentTypes: Readonly<Record<string, string>> = {
  thought: 'content',
  stream: 'content',
  text_chunk: 'content',
  tool_call: 'toolName',
  tool_progress: 'toolName',
  tool_result: 'toolName',
  tool_error: 'toolName',
  final: 'text',
  error: 'error',
}

const aiSdkTypes =
  /^(?:start|start-step|finish-step|reset-step|finish|abort|message-metadata|steering-message|source-url|source-document|file|reasoning-file|(?:text|reasoning)-(?:start|delta|end)|tool-input-\w+|tool-output-\w+|tool-approval-\w+)$/
const cohereTypes =
  /^(?:message-(?:start|end)|content-(?:start|delta|end)|tool-plan-delta|tool-call-(?:start|delta|end)|citation-(?:start|end)|debug)$/
const anthropicTypes = /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/
const agUiTypes =
  /^(?:RUN|STEP|SUBAGENT|TEXT_MESSAGE|REASONING|THINKING|TOOL_CALL|STATE|ACTIVITY|MESSAGES)_[A-Z_]+$|^(?:RAW|CUSTOM)$/
const sessionNames = /^(?:user|plan|solver|agent|system|error|aggregate|pipeline)\.\w+$/
const bedrockMembers: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
  'internalServerException',
  'modelStreamErrorException',
  'throttlingException',
  'validationException',
  'serviceUnavailableException',
])
const a2aKinds: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  'task',
  'message',
  'status-update',
  'artifact-update',
])
const a2aMembers: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'task',
  'message',
  'statusUpdate',
  'status_update',
  'artifactUpdate',
  'artifact_update',
  'msg',
])

function a2aSign(value: Fields): number {
  if (value.jsonrpc === '2.0') {
    if (isFields(value.result)) return a2aSign(value.result)
    return value.error === undefined ? 0 : 1
  }
  if (a2aKinds.has(value.kind)) return value.timestamp === undefined ? 4 : 2
  if (hasOne(value, a2aMembers) && isFields(Object.values(value)[0])) return 4
  return isFields(value.status) && isText(value.status.state) && isText(value.id) ? 2 : 0
}

/** The signs of each dialect. */
export const signs: Readonly<Record<Dialect, Sign>> = {
  core: (value, event) => {
    if (isText(value.kind) && kinds.has(value.kind)) return isText(value.timestamp) ? 4 : 3
    if (value.kind !== undefined || value.type !== undefined) return event.startsWith('stream-') ? 3 : 0
    return kinds.has(event) || (isText(value.event) && kinds.has(value.event)) ? 3 : 0
  },
  a2a: a2aSign,
  'ag-ui': (value) =>
    agUiTypes.test(typeOf(value)) ? 4 : /^[A-Z][A-Z_]*_[A-Z]+$/.test(typeOf(value)) ? 1 : 0,
  'ai-sdk': (value) => {
    const type = typeOf(value)
    if (type === 'start' || type === 'finish') return 3
    if (aiSdkTypes.test(type) || type.startsWith('data-')) return 4
    if (type === 'custom') return isText(value.kind) ? 3 : 0
    return type === 'error' && isText(value.errorText) ? 4 : 0
  },
  'openai-chat': (value) => {
    if (isText(value.object) && value.object.startsWith('chat.completion')) return 4
    if (Array.isArray(value.choices)) return 'x_groq' in value || value.choices.length > 0 ? 4 : 3
    return isFields(value.error) && value.type === undefined ? 1 : 0
  },
  'openai-responses': (value) => {
    const type = typeOf(value)
    if (type.startsWith('response.')) return 4
    if (/^image_(?:generation|edit)\./.test(type)) return 3
    if (value.object === 'response' && Array.isArray(value.output)) return 4
    return type === 'error' && ('sequence_number' in value || 'param' in value) ? 3 : 0
  },
  anthropic: (value) => {
    const type = typeOf(value)
    if (anthropicTypes.test(type)) return 4
    if (type === 'ping') return 2
    if (type === 'message') return Array.isArray(value.content) ? 4 : 0
    return type === 'error' && isFields(value.error) ? 2 : 0
  },
  gemini: (value) => {
    if (isText(value.event_type))
      return /^(?:interaction|step|content|error)(?:\.|$)/.test(value.event_type) ? 4 : 0
    if (Array.isArray(value.candidates)) return 4
    return 'usageMetadata' in value || 'promptFeedback' in value ? 3 : 0
  },
  bedrock: (value) => (hasOne(value, bedrockMembers) && isFields(Object.values(value)[0]) ? 4 : 0),
  cohere: (value) => (cohereTypes.test(typeOf(value)) ? 4 : 0),
  frames: (value) => {
    if (!isText(value.type) || !Number.isFinite(value.seq)) return 0
    return isText(value.session_id) || isText(value.stream_kind) ? ('timestamp_ms' in value ? 4 : 3) : 0
  },
  'agent-event': (value) => {
    const type = typeOf(value)
    const member = Object.hasOwn(agentTypes, type) ? agentTypes[type] : undefined
    if (member === undefined) return 0
    // Providers and AI SDK have an `error` too.
    if (type === 'error') return isText(value.error) || isText(value.message) ? 2 : 0
    return member in value ? 4 : 2
  },
  session: (value) => {
    if (!isText(value.event) || !sessionNames.test(value.event)) return 0
    return 'timestamp' in value || 'content' in value || 'session_id' in value ? 4 : 3
  },
}
