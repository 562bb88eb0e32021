/** Whether one item of a stream is A2A, to the letter. */

import type { Issue } from '../../../core/decoded.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import { toWellFormed } from '../../../encoding/surrogates.ts'
import { explain } from '../../../validation/issues.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { isTerminal } from '../wire/model.ts'
import { readUpdate } from '../wire/parse.ts'
import { v03Schemas } from '../wire/schemas-v0-3.ts'
import { v1Schemas } from '../wire/schemas-v1.ts'
import { type A2aVersion, requireVersion } from '../wire/version.ts'

/** More would not help a person, and a hostile value could have millions. */
const MAX_ISSUES = 32

/** Deeper values are refused unread. */
const MAX_DEPTH = 128

/**
 * What is wrong with an item of an A2A stream, at most some 32 issues; empty when nothing is.
 *
 * Stricter than the SDKs, which read nearly anything: fields the version does not know, words of
 * the other version, empty lists of parts, Base64 that is not canonical, halves of characters,
 * numbers JSON cannot say, 1.0 timestamps that are not in UTC, a `final` that contradicts the
 * state, and a request for authentication without a message are issues.
 *
 * @param value - The item itself, without the JSON-RPC response around it.
 *
 * @example
 * ```ts
 * validateA2aEvent('0.3', { kind: 'status-update', taskId, contextId, status: { state: 'done' } })
 * // [{ code: 'invalid-value', path: '/status/state', … }, { code: 'missing', path: '/final', … }]
 * ```
 */
export function validateA2aEvent(version: A2aVersion, value: unknown): Issue[] {
  requireVersion(version)
  try {
    const unsaid = jsonIssues(value, [], [])
    if (unsaid.length > 0) return unsaid
    return version === '0.3' ? v03Issues(value) : v1Issues(value)
  } catch {
    return [{ code: 'unreadable', path: '', message: 'The value throws when it is read.' }]
  }
}

function v03Issues(value: unknown): Issue[] {
  const kind = isFields(value) && typeof value.kind === 'string' ? value.kind : ''
  const schema = Object.hasOwn(v03Schemas, kind) ? v03Schemas[kind] : undefined
  if (schema === undefined) {
    const message = `Must be one of ${Object.keys(v03Schemas).join(', ')}.`
    return [{ code: 'invalid-value', path: isFields(value) ? '/kind' : '', message }]
  }
  const issues = explain(schema, value)
  return issues.length > 0 ? issues : meaningIssues(value as Fields, '', '0.3')
}

function v1Issues(value: unknown): Issue[] {
  const members = isFields(value) ? Object.keys(value) : []
  const [member] = members
  const schema =
    member !== undefined && members.length === 1 && Object.hasOwn(v1Schemas, member)
      ? v1Schemas[member]
      : undefined
  if (schema === undefined || member === undefined) {
    const message = `Must have exactly one member, one of ${Object.keys(v1Schemas).join(', ')}.`
    return [{ code: 'invalid-value', path: '', message }]
  }
  const inner = (value as Fields)[member]
  const issues = [...explain(schema, inner), ...partIssues(inner, [])]
  return issues.length > 0
    ? issues.map((issue) => ({ ...issue, path: `/${member}${issue.path}` }))
    : meaningIssues(inner as Fields, `/${member}`, '1.0')
}

/** Issues of what the fields mean together, once each is right by itself. */
function meaningIssues(value: Fields, path: string, version: A2aVersion): Issue[] {
  const { status } = value
  if (!isFields(status)) return []
  const issues: Issue[] = []
  const add = (at: string, message: string): void => {
    issues.push({ code: 'invalid-value', path: `${path}${at}`, message })
  }
  const reading = readUpdate(version === '0.3' ? value : { statusUpdate: { ...value, taskId: 'task' } })
  const update = reading.type === 'update' && 'status' in reading.update ? reading.update : undefined
  const state = update?.status.state ?? 'unknown'
  if (value.kind === 'status-update') {
    if (isTerminal(state) && value.final === false) add('/final', `Must be true in the state ${state}.`)
    if (value.final === true && (state === 'working' || state === 'submitted')) {
      add('/final', `Must be false in the state ${state}.`)
    }
  }
  if (update?.status.message?.role === 'user') add('/status/message/role', 'Must be the agent.')
  if (version === '1.0' && state === 'auth-required' && update?.status.message === undefined) {
    issues.push({ code: 'missing', path: `${path}/status/message`, message: 'Must say what is asked for.' })
  }
  return issues
}

const contents = ['text', 'raw', 'url', 'data']

/** Issues of the parts of 1.0, of which each must have exactly one content. */
function partIssues(value: unknown, path: readonly PropertyKey[]): Issue[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => {
      const at = [...path, i]
      if (path.at(-1) !== 'parts' || !isFields(item)) return partIssues(item, at)
      const found = contents.filter((content) => Object.hasOwn(item, content))
      const message = `Must have exactly one of ${contents.join(', ')}.`
      return found.length === 1 ? [] : [{ code: 'invalid-value', path: toPointer(at), message }]
    })
  }
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'metadata' ? [] : partIssues(inner, [...path, key]),
  )
}

/** Issues of what JSON cannot say, or other languages cannot read. */
function jsonIssues(value: unknown, path: readonly PropertyKey[], issues: Issue[]): Issue[] {
  if (issues.length >= MAX_ISSUES) return issues
  const add = (code: Issue['code'], message: string): void => {
    issues.push({ code, path: toPointer(path), message })
  }
  if (path.length > MAX_DEPTH) {
    add('too-deep', `Must not be nested deeper than ${MAX_DEPTH}.`)
    return issues
  }
  switch (typeof value) {
    case 'boolean':
      break
    case 'string':
      if (toWellFormed(value) !== value) add('invalid-value', 'Must not contain half a character.')
      break
    case 'number':
      if (!Number.isFinite(value)) add('invalid-type', 'Must be a finite number.')
      break
    case 'object':
      if (value === null) break
      for (const [key, inner] of Object.entries(value)) {
        jsonIssues(inner, [...path, Array.isArray(value) ? Number(key) : key], issues)
      }
      break
    default:
      add('invalid-type', `Must be JSON, which has no ${typeof value}.`)
  }
  return issues
}
