/** Strict validation of one stream item. */

import type { Issue } from '../../../core/decode-result.ts'
import { describeValue } from '../../../core/require.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import { toWellFormed } from '../../../encoding/surrogates.ts'
import { explain } from '../../../validation/issues.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { isTerminal } from '../wire/model.ts'
import { parseItem } from '../wire/parse.ts'
import { v03Schemas } from '../wire/schemas-v0-3.ts'
import { v1Schemas } from '../wire/schemas-v1.ts'
import { type A2aVersion, requireVersion } from '../wire/version.ts'

/** More issues help nobody, and a hostile value may have millions. */
const MAX_ISSUES = 32

/** Values nested deeper are rejected. */
const MAX_DEPTH = 128

/**
 * Validates an item of an A2A stream. Returns about 32 issues at most; an empty list if the item is valid.
 *
 * Stricter than the SDKs, which accept almost anything. Issues include unknown fields, names of the other
 * version, empty lists of parts, invalid Base64, unpaired surrogates, numbers that are not JSON, 1.0
 * timestamps that are not in UTC, a `final` that contradicts the state, and a request for authentication
 * without a message.
 *
 * @param value - The item itself, without a JSON-RPC response around it.
 *
 * @throws TypeError if the version is not supported.
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
    const issues = jsonIssues(value, [], [])
    if (issues.length > 0) return issues
    return version === '0.3' ? v03Issues(value) : v1Issues(value)
  } catch {
    return [{ code: 'unreadable', path: '', message: 'Reading the value threw an error.' }]
  }
}

function v03Issues(value: unknown): Issue[] {
  const kind = isFields(value) && typeof value.kind === 'string' ? value.kind : ''
  const schema = Object.hasOwn(v03Schemas, kind) ? v03Schemas[kind] : undefined
  if (schema === undefined) {
    const message = `Expected one of ${Object.keys(v03Schemas).join(', ')}, got ${describeValue(isFields(value) ? value.kind : value)}.`
    return [{ code: 'invalid-value', path: isFields(value) ? '/kind' : '', message }]
  }
  const issues = explain(schema, value)
  return issues.length > 0 ? issues : crossFieldIssues(value as Fields, '', '0.3')
}

function v1Issues(value: unknown): Issue[] {
  const members = isFields(value) ? Object.keys(value) : []
  const [member] = members
  const schema =
    member !== undefined && members.length === 1 && Object.hasOwn(v1Schemas, member)
      ? v1Schemas[member]
      : undefined
  if (schema === undefined || member === undefined) {
    const got = isFields(value) ? memberList(members) : describeValue(value)
    const message = `Expected exactly one member, one of ${Object.keys(v1Schemas).join(', ')}, got ${got}.`
    return [{ code: 'invalid-value', path: '', message }]
  }
  const inner = (value as Fields)[member]
  const issues = [...explain(schema, inner), ...partIssues(inner, [])]
  return issues.length > 0
    ? issues.map((issue) => ({ ...issue, path: `/${member}${issue.path}` }))
    : crossFieldIssues(inner as Fields, `/${member}`, '1.0')
}

/** The first names, for a message. */
function memberList(members: readonly string[]): string {
  return members.length === 0 ? 'none' : members.slice(0, 4).map(describeValue).join(', ')
}

/** Issues between fields, each of which is valid by itself. */
function crossFieldIssues(value: Fields, path: string, version: A2aVersion): Issue[] {
  const { status } = value
  if (!isFields(status)) return []
  const issues: Issue[] = []
  const add = (at: string, message: string): void => {
    issues.push({ code: 'invalid-value', path: `${path}${at}`, message })
  }
  const parsed = parseItem(version === '0.3' ? value : { statusUpdate: { ...value, taskId: 'task' } })
  const update = parsed.type === 'update' && 'status' in parsed.update ? parsed.update : undefined
  const state = update?.status.state ?? 'unknown'
  if (value.kind === 'status-update') {
    if (isTerminal(state) && value.final === false)
      add('/final', `Expected true in state ${state}, got false.`)
    if (value.final === true && (state === 'working' || state === 'submitted')) {
      add('/final', `Expected false in state ${state}, got true.`)
    }
  }
  if (update?.status.message?.role === 'user')
    add('/status/message/role', 'Expected the role of the agent, got that of the user.')
  if (version === '1.0' && state === 'auth-required' && update?.status.message === undefined) {
    issues.push({
      code: 'missing',
      path: `${path}/status/message`,
      message: 'Expected a message in state auth-required, got none.',
    })
  }
  return issues
}

const contentMembers = ['text', 'raw', 'url', 'data']

/** Issues of 1.0 parts, which must have exactly one content member each. */
function partIssues(value: unknown, path: readonly PropertyKey[]): Issue[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => {
      const at = [...path, i]
      if (path.at(-1) !== 'parts' || !isFields(item)) return partIssues(item, at)
      const found = contentMembers.filter((member) => Object.hasOwn(item, member))
      const message = `Expected exactly one of ${contentMembers.join(', ')}, got ${found.length}.`
      return found.length === 1 ? [] : [{ code: 'invalid-value', path: toPointer(at), message }]
    })
  }
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'metadata' ? [] : partIssues(inner, [...path, key]),
  )
}

/** Issues of values that are not JSON, or that other languages cannot read. */
function jsonIssues(value: unknown, path: readonly PropertyKey[], issues: Issue[]): Issue[] {
  if (issues.length >= MAX_ISSUES) return issues
  const add = (code: Issue['code'], message: string): void => {
    issues.push({ code, path: toPointer(path), message })
  }
  if (path.length > MAX_DEPTH) {
    add('too-deep', `Nested deeper than ${MAX_DEPTH} levels.`)
    return issues
  }
  switch (typeof value) {
    case 'boolean':
      break
    case 'string':
      if (toWellFormed(value) !== value) add('invalid-value', 'Contains an unpaired surrogate.')
      break
    case 'number':
      if (!Number.isFinite(value)) add('invalid-type', `Expected a finite number, got ${value}.`)
      break
    case 'object':
      if (value === null) break
      for (const [key, inner] of Object.entries(value)) {
        jsonIssues(inner, [...path, Array.isArray(value) ? Number(key) : key], issues)
      }
      break
    default:
      add('invalid-type', `Expected JSON, got ${typeof value}.`)
  }
  return issues
}
