/**
 * JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396).
 *
 * Pure: the document is not modified, and unchanged parts are shared. Values of the patch are not copied.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6902
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
import { parsePointer } from '../encoding/pointer.ts'
import type { JsonPatchOperation } from '../events/artifact-change.ts'
import { isFields } from '../validation/predicates.ts'
import {
  arrayIndex,
  isEqualJson,
  MAX_DEPTH,
  sizeWithin,
  valueAt,
  withMember,
  withoutMember,
} from './value.ts'

/** The result of applying a patch. */
export type Patched = { readonly ok: true; readonly value: unknown } | PatchFailure

/** The reason a patch cannot be applied. */
export interface PatchFailure {
  readonly ok: false
  /**
   * - `bad-pointer`: `path` or `from` is not a JSON pointer
   * - `no-such-place`: the location, or the parent of a location to add, does not exist
   * - `missing-field`: the operation lacks `value` or `from`
   * - `unknown-op`: `op` is not an operation of RFC 6902
   * - `into-itself`: the operation moves a value into itself
   * - `test-failed`: the value at the location differs
   * - `too-deep`: the location is nested more than 1000 levels deep
   * - `too-large`: the patch copies more than 8 Mi characters of JSON
   */
  readonly code:
    | 'bad-pointer'
    | 'no-such-place'
    | 'missing-field'
    | 'unknown-op'
    | 'into-itself'
    | 'test-failed'
    | 'too-deep'
    | 'too-large'
  /** Index of the failed operation, from 0. */
  readonly operation: number
}

/**
 * Applies a JSON Patch atomically: all operations or none. Never throws on data.
 *
 * `test` compares as RFC 6902 defines: members in any order, numbers by value.
 */
export function applyJsonPatch(document: unknown, patch: readonly JsonPatchOperation[]): Patched {
  let value = document
  // Without a limit, 30 operations that copy the document into itself make it 2^30 times as large.
  let room = MAX_COPIED
  for (const [i, operation] of patch.entries()) {
    const result = isFields(operation) ? applyOne(value, operation, room) : 'unknown-op'
    if (typeof result === 'string') return { ok: false, code: result, operation: i }
    value = result.value
    room -= result.copied ?? 0
  }
  return { ok: true, value }
}

/**
 * Applies a JSON Merge Patch: members are set, `null` removes a member, objects are merged and any other
 * value replaces. Below 1000 levels objects replace too. Never throws on data.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  return mergeAt(document, patch, 0)
}

function mergeAt(document: unknown, patch: unknown, depth: number): unknown {
  if (!isFields(patch) || depth > MAX_DEPTH) return patch
  const names = Object.keys(patch)
  if (names.length === 0 && isFields(document)) return document
  // One copy for all members: a copy for each would make the cost quadratic.
  const members = new Map(isFields(document) ? Object.entries(document) : [])
  for (const name of names) {
    const value = patch[name]
    if (value === null) members.delete(name)
    else members.set(name, mergeAt(members.get(name), value, depth + 1))
  }
  // Creates an own member even for `__proto__`; an assignment would not.
  return Object.fromEntries(members)
}

/** The maximum a patch may copy, in characters of JSON, approximately: 8 Mi. */
const MAX_COPIED = 2 ** 23

/** `copied` is the size of the copied value, as {@link sizeWithin} measures it. */
type Outcome = { readonly value: unknown; readonly copied?: number } | PatchFailure['code']

/** @param room - How many characters may still be copied. */
function applyOne(document: unknown, operation: JsonPatchOperation, room: number): Outcome {
  const { op, path, from } = operation
  const tokens = typeof path === 'string' ? parsePointer(path) : undefined
  if (tokens === undefined) return 'bad-pointer'
  if (tokens.length > MAX_DEPTH) return 'too-deep'
  switch (op) {
    case 'add':
      return operation.value === undefined ? 'missing-field' : add(document, tokens, operation.value)
    case 'replace': {
      if (operation.value === undefined) return 'missing-field'
      if (valueAt(document, tokens) === undefined) return 'no-such-place'
      return tokens.length === 0
        ? { value: operation.value }
        : change(document, tokens, { type: 'replace', value: operation.value })
    }
    case 'remove':
      return remove(document, tokens)
    case 'test': {
      if (operation.value === undefined) return 'missing-field'
      const found = valueAt(document, tokens)
      if (found === undefined) return 'no-such-place'
      return isEqualJson(found.value, operation.value) ? { value: document } : 'test-failed'
    }
    case 'move':
    case 'copy': {
      if (from === undefined) return 'missing-field'
      const source = typeof from === 'string' ? parsePointer(from) : undefined
      if (source === undefined) return 'bad-pointer'
      if (source.length > MAX_DEPTH) return 'too-deep'
      const found = valueAt(document, source)
      if (found === undefined) return 'no-such-place'
      if (op === 'copy') {
        const copied = sizeWithin(found.value, room)
        if (copied === undefined) return 'too-large'
        const added = add(document, tokens, found.value)
        return typeof added === 'string' ? added : { ...added, copied }
      }
      if (path === from) return { value: document }
      if (path.startsWith(`${from}/`)) return 'into-itself'
      const without = remove(document, source)
      return typeof without === 'string' ? without : add(without.value, tokens, found.value)
    }
    default:
      return 'unknown-op'
  }
}

type Change = { readonly type: 'add' | 'replace'; readonly value: unknown } | { readonly type: 'remove' }

function add(document: unknown, tokens: readonly string[], value: unknown): Outcome {
  return tokens.length === 0 ? { value } : change(document, tokens, { type: 'add', value })
}

function remove(document: unknown, tokens: readonly string[]): Outcome {
  // RFC 6902 does not define the removal of the whole document; null is the closest value.
  return tokens.length === 0 ? { value: null } : change(document, tokens, { type: 'remove' })
}

/** Changes the value at a location, and copies every object and array on the way to it. */
function change(node: unknown, tokens: readonly string[], edit: Change): Outcome {
  const [token, ...rest] = tokens
  if (token === undefined) return 'no-such-place'
  if (rest.length === 0) return changeChild(node, token, edit)
  const child = valueAt(node, [token])
  if (child === undefined) return 'no-such-place'
  const changed = change(child.value, rest, edit)
  if (typeof changed === 'string') return changed
  return changeChild(node, token, { type: 'replace', value: changed.value })
}

/** Changes one item of an array or one member of an object. */
function changeChild(node: unknown, token: string, edit: Change): Outcome {
  if (Array.isArray(node)) {
    if (edit.type === 'add') {
      const index = token === '-' ? node.length : arrayIndex(token, node.length + 1)
      return index === undefined ? 'no-such-place' : { value: node.toSpliced(index, 0, edit.value) }
    }
    const index = arrayIndex(token, node.length)
    if (index === undefined) return 'no-such-place'
    return { value: edit.type === 'remove' ? node.toSpliced(index, 1) : node.with(index, edit.value) }
  }
  if (!isFields(node) || (edit.type !== 'add' && !Object.hasOwn(node, token))) return 'no-such-place'
  return { value: edit.type === 'remove' ? withoutMember(node, token) : withMember(node, token, edit.value) }
}
