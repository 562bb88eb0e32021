/**
 * JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396).
 *
 * Pure: the document stays as it is, and what does not change is shared. Values of the patch become
 * part of the result as they are.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6902
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
import type { JsonPatchOperation } from '../events/artifact-change.ts'
import {
  DEEPEST,
  isEqualJson,
  isRecord,
  pointerNames,
  positionOf,
  sizeWithin,
  valueAt,
  withMember,
  withoutMember,
} from './pointer.ts'

/** What applying a patch leads to. */
export type Patched = { readonly ok: true; readonly value: unknown } | PatchFailure

/** Why a patch cannot be applied. */
export interface PatchFailure {
  readonly ok: false
  /**
   * - `bad-pointer`: `path` or `from` is no JSON pointer
   * - `no-such-place`: there is nothing at the place, or nothing it could be in
   * - `missing-field`: the operation needs `value` or `from`
   * - `unknown-op`: no such operation
   * - `into-itself`: a value cannot be moved into itself
   * - `test-failed`: the value is another
   * - `too-deep`: the place is nested deeper than 1000 levels
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
  /** Which operation, from 0. */
  readonly operation: number
}

/**
 * Applies a JSON Patch: all of it or nothing. Never throws on data.
 *
 * Equality, for `test`, is that of the RFC: members in any order, numbers by value.
 */
export function applyJsonPatch(document: unknown, patch: readonly JsonPatchOperation[]): Patched {
  let value = document
  // Thirty operations that copy the document into itself make it a thousand million times as large.
  let room = MOST_COPIED
  for (const [i, operation] of patch.entries()) {
    const result = isRecord(operation) ? applyOne(value, operation, room) : 'unknown-op'
    if (typeof result === 'string') return { ok: false, code: result, operation: i }
    value = result.value
    room -= result.copied ?? 0
  }
  return { ok: true, value }
}

/**
 * Applies a JSON Merge Patch: members replace or join those there are, `null` removes one, and
 * anything that is no object replaces whole. So does what the patch has deeper than 1000 levels. Never
 * throws on data.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  return merged(document, patch, 0)
}

function merged(document: unknown, patch: unknown, depth: number): unknown {
  if (!isRecord(patch) || depth > DEEPEST) return patch
  const names = Object.keys(patch)
  if (names.length === 0 && isRecord(document)) return document
  // All members at once: a copy for each would make the cost of a large patch grow with its square.
  const members = new Map(isRecord(document) ? Object.entries(document) : [])
  for (const name of names) {
    const value = patch[name]
    if (value === null) members.delete(name)
    else members.set(name, merged(members.get(name), value, depth + 1))
  }
  // Makes a member of `__proto__` too, where an assignment would not.
  return Object.fromEntries(members)
}

/** The most a patch may copy, in characters of JSON, roughly: 8 Mi. */
const MOST_COPIED = 2 ** 23

/** `copied`: how much was, as {@link sizeWithin} counts. */
type Outcome = { readonly value: unknown; readonly copied?: number } | PatchFailure['code']

/** @param room - How much may still be copied. */
function applyOne(document: unknown, operation: JsonPatchOperation, room: number): Outcome {
  const { op, path, from } = operation
  const names = typeof path === 'string' ? pointerNames(path) : undefined
  if (names === undefined) return 'bad-pointer'
  if (names.length > DEEPEST) return 'too-deep'
  switch (op) {
    case 'add':
      return operation.value === undefined ? 'missing-field' : add(document, names, operation.value)
    case 'replace': {
      if (operation.value === undefined) return 'missing-field'
      if (valueAt(document, names) === undefined) return 'no-such-place'
      return names.length === 0
        ? { value: operation.value }
        : change(document, names, { type: 'replace', value: operation.value })
    }
    case 'remove':
      return remove(document, names)
    case 'test': {
      if (operation.value === undefined) return 'missing-field'
      const found = valueAt(document, names)
      if (found === undefined) return 'no-such-place'
      return isEqualJson(found.value, operation.value) ? { value: document } : 'test-failed'
    }
    case 'move':
    case 'copy': {
      if (from === undefined) return 'missing-field'
      const source = typeof from === 'string' ? pointerNames(from) : undefined
      if (source === undefined) return 'bad-pointer'
      if (source.length > DEEPEST) return 'too-deep'
      const found = valueAt(document, source)
      if (found === undefined) return 'no-such-place'
      if (op === 'copy') {
        const copied = sizeWithin(found.value, room)
        if (copied === undefined) return 'too-large'
        const added = add(document, names, found.value)
        return typeof added === 'string' ? added : { ...added, copied }
      }
      if (path === from) return { value: document }
      if (path.startsWith(`${from}/`)) return 'into-itself'
      const without = remove(document, source)
      return typeof without === 'string' ? without : add(without.value, names, found.value)
    }
    default:
      return 'unknown-op'
  }
}

type Change = { readonly type: 'add' | 'replace'; readonly value: unknown } | { readonly type: 'remove' }

function add(document: unknown, names: readonly string[], value: unknown): Outcome {
  return names.length === 0 ? { value } : change(document, names, { type: 'add', value })
}

function remove(document: unknown, names: readonly string[]): Outcome {
  // Without its root there is no document: RFC 6902 has no word for that, and null is the nearest.
  return names.length === 0 ? { value: null } : change(document, names, { type: 'remove' })
}

/** Changes what the last name stands for, and copies what is on the way to it. */
function change(node: unknown, names: readonly string[], how: Change): Outcome {
  const [name, ...rest] = names
  if (name === undefined) return 'no-such-place'
  if (rest.length === 0) return changeHere(node, name, how)
  const child = valueAt(node, [name])
  if (child === undefined) return 'no-such-place'
  const changed = change(child.value, rest, how)
  if (typeof changed === 'string') return changed
  return changeHere(node, name, { type: 'replace', value: changed.value })
}

function changeHere(node: unknown, name: string, how: Change): Outcome {
  if (Array.isArray(node)) {
    if (how.type === 'add') {
      const position = name === '-' ? node.length : positionOf(name, node.length + 1)
      return position === undefined ? 'no-such-place' : { value: node.toSpliced(position, 0, how.value) }
    }
    const position = positionOf(name, node.length)
    if (position === undefined) return 'no-such-place'
    return { value: how.type === 'remove' ? node.toSpliced(position, 1) : node.with(position, how.value) }
  }
  if (!isRecord(node) || (how.type !== 'add' && !Object.hasOwn(node, name))) return 'no-such-place'
  return { value: how.type === 'remove' ? withoutMember(node, name) : withMember(node, name, how.value) }
}
