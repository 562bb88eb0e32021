/** The document's own validation rules, as data and as functions. */

import type { Issue } from '../../../core/decoded.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import type { SessionEventName } from './names.ts'

/** What must be there of one event. */
export interface SessionPayloadRule {
  /** Fields of the event that must be there. */
  readonly required?: readonly ('session_id' | 'step_id' | 'content' | 'metadata')[]
  /** What content must be. Absent: a text, an object or `null`. */
  readonly content?: 'string' | 'object'
  /** A field content must have. */
  readonly contentField?: string
  /** A field metadata must have. */
  readonly metadataField?: string
}

/**
 * The rules by event. An event that is not listed may be anything the base structure allows.
 *
 * Where the document contradicts itself, the payload structures of its events win over its
 * validation functions: `plan.completed` takes no bare text, metadata may be absent where it is
 * optional, and `error_code` is not asked of events whose structure has none.
 *
 * @see docs/spec/event-payloads.md#payload-validation
 */
export const sessionPayloadRules: { readonly [N in SessionEventName]?: SessionPayloadRule } = {
  'user.message': { required: ['session_id', 'content'], content: 'string' },
  'user.response': {
    required: ['session_id', 'step_id', 'content'],
    content: 'object',
    contentField: 'approved',
  },
  'plan.completed': { required: ['content', 'metadata'], content: 'object' },
  'plan.validation_error': { content: 'object' },
  'agent.tool_call': { required: ['content'], content: 'object', contentField: 'tool_name' },
  'agent.final_answer': { required: ['content'], content: 'object', contentField: 'answer' },
  'solver.progress': { required: ['metadata'], metadataField: 'progress_percent' },
  'error.validation': { required: ['metadata'], metadataField: 'error_code' },
  'error.timeout': {
    required: ['step_id', 'content', 'metadata'],
    content: 'string',
    metadataField: 'error_code',
  },
  'error.execution': { required: ['metadata'], metadataField: 'error_code' },
  'error.recovery_failed': { required: ['metadata'], metadataField: 'error_code' },
}

/** What is wrong with the content of an event by {@link sessionPayloadRules}; empty when nothing is. */
export function validateSessionContent(event: string, content: unknown): Issue[] {
  const rule = ruleOf(event)
  const type = rule.content ?? 'string or object'
  if (content === undefined || content === null) {
    const must = rule.required?.includes('content') === true || rule.content !== undefined
    return must ? [missing('/content')] : []
  }
  const actual = typeof content === 'string' ? 'string' : isFields(content) ? 'object' : 'other'
  if (!type.includes(actual)) {
    return [{ code: 'invalid-type', path: '/content', message: `Must be of type ${type}.` }]
  }
  return missingField(content, rule.contentField, '/content')
}

/** What is wrong with the metadata of an event by {@link sessionPayloadRules}; empty when nothing is. */
export function validateSessionMetadata(event: string, metadata: unknown): Issue[] {
  const rule = ruleOf(event)
  if (metadata === undefined || metadata === null) {
    return rule.required?.includes('metadata') === true ? [missing('/metadata')] : []
  }
  if (!isFields(metadata)) {
    return [{ code: 'invalid-type', path: '/metadata', message: 'Must be an object.' }]
  }
  return missingField(metadata, rule.metadataField, '/metadata')
}

/** What is wrong with an event by {@link sessionPayloadRules}; empty when nothing is. */
export function validateSessionPayload(event: Fields & { event: string }): Issue[] {
  const ids = (ruleOf(event.event).required ?? []).filter((field) => field.endsWith('_id'))
  return [
    ...ids.filter((field) => typeof event[field] !== 'string').map((field) => missing(`/${field}`)),
    ...validateSessionContent(event.event, event.content),
    ...validateSessionMetadata(event.event, event.metadata),
  ]
}

function ruleOf(event: string): SessionPayloadRule {
  return Object.hasOwn(sessionPayloadRules, event)
    ? (sessionPayloadRules[event as SessionEventName] ?? {})
    : {}
}

function missingField(value: unknown, field: string | undefined, path: string): Issue[] {
  const there = field === undefined || (isFields(value) && (value[field] ?? null) !== null)
  return there ? [] : [missing(`${path}/${field}`)]
}

function missing(path: string): Issue {
  return { code: 'missing', path, message: 'Required.' }
}
