/** Strict validation of one stream item. */

import type { Issue } from '../../../core/decode-result.ts'
import { describeValue } from '../../../core/require.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import { toWellFormed } from '../../../encoding/surrogates.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { issuesOf } from '../../../validation/read.ts'
import { MAX_ISSUES } from '../../../validation/report.ts'
import type { ShapeFields } from '../../../validation/shape.ts'
import { noOthers } from '../../../validation/union.ts'
import { isTerminal } from '../wire/model.ts'
import { v1Shapes, v03Shapes } from '../wire/shapes.generated.ts'
import { type A2aVersion, requireVersion } from '../wire/version.ts'
import { stateIn } from './item.ts'

/** Values nested deeper are rejected. */
const MAX_DEPTH = 128

/**
 * Validates an item of an A2A stream. Returns at most 32 issues; an empty list if the item is valid.
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
    const json = new JsonWalker()
    json.visit(value)
    if (json.issues.length > 0) return json.issues
    return version === '0.3' ? v03Issues(value) : v1Issues(value)
  } catch {
    return [{ code: 'unreadable', path: '', message: 'Reading the value threw an error.' }]
  }
}

function v03Issues(value: unknown): Issue[] {
  const kind = isFields(value) && typeof value.kind === 'string' ? value.kind : ''
  const fields = Object.hasOwn(v03Shapes, kind) ? v03Shapes[kind] : undefined
  if (fields === undefined) {
    const message = `Expected one of ${Object.keys(v03Shapes).join(', ')}, got ${describeValue(isFields(value) ? value.kind : value)}.`
    return [{ code: 'invalid-value', path: isFields(value) ? '/kind' : '', message }]
  }
  const issues = faultsOf(fields, value)
  return issues.length > 0 ? issues : crossFieldIssues(value as Fields, '', '0.3')
}

function v1Issues(value: unknown): Issue[] {
  const members = isFields(value) ? Object.keys(value) : []
  const [member] = members
  const fields =
    member !== undefined && members.length === 1 && Object.hasOwn(v1Shapes, member)
      ? v1Shapes[member]
      : undefined
  if (fields === undefined || member === undefined) {
    const got = isFields(value) ? memberList(members) : describeValue(value)
    const message = `Expected exactly one member, one of ${Object.keys(v1Shapes).join(', ')}, got ${got}.`
    return [{ code: 'invalid-value', path: '', message }]
  }
  const inner = (value as Fields)[member]
  const issues = faultsOf(fields, inner)
  return issues.length > 0
    ? issues.map((issue) => ({ ...withContent(inner, issue), path: `/${member}${issue.path}` }))
    : crossFieldIssues(inner as Fields, `/${member}`, '1.0')
}

/** The issues of an object that may have no other fields. No optional field may be `null`. */
function faultsOf(fields: ShapeFields, value: unknown): Issue[] {
  return issuesOf(['only', fields, noOthers], value, { refusesNulls: true })
}

/** The first names, for a message. */
function memberList(members: readonly string[]): string {
  return members.length === 0 ? 'none' : members.slice(0, 4).map(describeValue).join(', ')
}

/** Issues between fields, each of which is valid by itself. */
function crossFieldIssues(value: Fields, path: string, version: A2aVersion): Issue[] {
  const { status, final } = value
  if (!isFields(status)) return []
  const issues: Issue[] = []
  const add = (at: string, message: string, code: Issue['code'] = 'invalid-value'): void => {
    issues.push({ code, path: `${path}${at}`, message })
  }
  const state = stateIn(status)
  if (final === false && isTerminal(state)) add('/final', `Expected true in state ${state}, got false.`)
  if (final === true && (state === 'working' || state === 'submitted')) {
    add('/final', `Expected false in state ${state}, got true.`)
  }
  const { message, timestamp } = status
  if (isFields(message) && (message.role === 'user' || message.role === 'ROLE_USER')) {
    add('/status/message/role', 'Expected the role of the agent, got that of the user.')
  }
  if (version === '0.3') return issues
  if (state === 'auth-required' && message === undefined) {
    add('/status/message', 'Expected a message in state auth-required, got none.', 'missing')
  }
  if (typeof timestamp === 'string' && UNREADABLE_INSTANT.test(timestamp)) {
    const expected = 'Expected a year from 1 to 9999 and at most 9 digits after the second'
    add('/status/timestamp', `${expected}, got ${describeValue(timestamp)}.`, 'invalid-format')
  }
  return issues
}

/** Protocol buffers have no year 0, and count nanoseconds. */
const UNREADABLE_INSTANT = /^0000|\.\d{10}/

const contentMembers = ['text', 'raw', 'url', 'data']

/** The issue of a 1.0 part, with a message that explains which content a part must have. */
function withContent(value: unknown, issue: Issue): Issue {
  if (!/\/parts\/\d+$/.test(issue.path)) return issue
  const part = issue.path
    .slice(1)
    .split('/')
    .reduce<unknown>((at, key) => (at as Fields)[key], value)
  if (!isFields(part)) return issue
  const found = contentMembers.filter((member) => Object.hasOwn(part, member))
  if (found.length === 1) return issue
  const got = found.length === 0 ? 'none' : found.join(' and ')
  return { ...issue, message: `Expected exactly one of ${contentMembers.join(', ')}, got ${got}.` }
}

/** Collects what is not JSON, or what other languages cannot read. */
class JsonWalker {
  readonly issues: Issue[] = []
  readonly #path: (string | number)[] = []

  visit(value: unknown): void {
    if (this.issues.length >= MAX_ISSUES) return
    if (this.#path.length > MAX_DEPTH) {
      this.#add('too-deep', `Nested deeper than ${MAX_DEPTH} levels.`)
      return
    }
    switch (typeof value) {
      case 'boolean':
        return
      case 'string':
        if (toWellFormed(value) !== value) this.#add('invalid-value', 'Contains an unpaired surrogate.')
        return
      case 'number':
        if (!Number.isFinite(value)) this.#add('invalid-type', `Expected a finite number, got ${value}.`)
        return
      case 'object':
        if (Array.isArray(value)) for (let i = 0; i < value.length; i++) this.#visitAt(i, value[i])
        else if (value !== null) this.#visitFields(value as Fields)
        return
      default:
        this.#add('invalid-type', `Expected JSON, got ${typeof value}.`)
    }
  }

  #visitFields(value: Fields): void {
    for (const key in value) if (Object.hasOwn(value, key)) this.#visitAt(key, value[key])
  }

  #visitAt(key: string | number, value: unknown): void {
    this.#path.push(key)
    this.visit(value)
    this.#path.pop()
  }

  #add(code: Issue['code'], message: string): void {
    this.issues.push({ code, path: toPointer(this.#path), message })
  }
}
