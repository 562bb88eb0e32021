/** The payload rules of the source specification, as data and as functions. */

import type { Issue } from '../../../core/decode-result.ts'
import { describeValue } from '../../../core/require.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { unnamedIssue } from './coerce.ts'
import type { SessionEventName } from './names.ts'

/** The payload rule of one event. */
export interface SessionPayloadRule {
  /** The required fields of the event. */
  readonly required?: readonly ('session_id' | 'step_id' | 'content' | 'metadata')[]
  /** The type of content. Omitted: a string, an object or `null`. */
  readonly content?: 'string' | 'object'
  /** A required field of content. */
  readonly contentField?: string
  /** A required field of metadata. */
  readonly metadataField?: string
}

/**
 * The rules by event. For other events, the base structure is the only requirement.
 *
 * Where the source specification contradicts itself, its payload structures take precedence over its
 * validation functions: `plan.completed` has no string content, optional metadata may be missing, and
 * `error_code` is required only of events whose structure has it.
 *
 * @see docs/spec/event-payloads.md
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

/** Validates the content of an event against {@link sessionPayloadRules}. Returns the issues, if any. */
export function validateSessionContent(event: string, content: unknown): Issue[] {
  const rule = ruleOf(event)
  const type = rule.content ?? 'string or object'
  if (content === undefined || content === null) {
    const isRequired = rule.required?.includes('content') === true || rule.content !== undefined
    return isRequired ? [missing('/content')] : []
  }
  const actual = typeof content === 'string' ? 'string' : isFields(content) ? 'object' : 'other'
  if (!type.includes(actual)) {
    const message = `Expected content of type ${type}, got ${describeValue(content)}.`
    return [{ code: 'invalid-type', path: '/content', message }]
  }
  return missingField(content, rule.contentField, '/content')
}

/** Validates the metadata of an event against {@link sessionPayloadRules}. Returns the issues, if any. */
export function validateSessionMetadata(event: string, metadata: unknown): Issue[] {
  const rule = ruleOf(event)
  if (metadata === undefined || metadata === null) {
    return rule.required?.includes('metadata') === true ? [missing('/metadata')] : []
  }
  if (!isFields(metadata)) {
    const message = `Expected an object as metadata, got ${describeValue(metadata)}.`
    return [{ code: 'invalid-type', path: '/metadata', message }]
  }
  return missingField(metadata, rule.metadataField, '/metadata')
}

/**
 * Validates an event against {@link sessionPayloadRules}. Returns the issues, if any; for a value that is no event with a
 * name, one that states so.
 */
export function validateSessionPayload(event: Fields & { event: string }): Issue[] {
  const issue = unnamedIssue(event)
  if (issue !== undefined) return [issue]
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
  return { code: 'missing', path, message: `Expected a value at ${path}, got none.` }
}
