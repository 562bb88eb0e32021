/**
 * JSON Merge Patch.
 *
 * Pure: the document is not modified, and unchanged parts are shared. Values of the patch are not copied.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
import { setMember } from '../core/mutable.ts'
import { isFields } from '../validation/predicates.ts'
import {
  type Extent,
  ExtentChange,
  excess,
  extentOf,
  isTooWide,
  MAX_RESULT_SIZE,
  nameSize,
} from './extent.ts'
import type { Patched } from './patched.ts'

/**
 * Applies a JSON Merge Patch: members are set, `null` removes a member, objects are merged and any other
 * value replaces. Never throws on data.
 *
 * Fails with `too-deep` if the patch or the result is nested more than 500 levels deep, and with `too-large` if the
 * result has more than 8 Mi characters of JSON, approximately, or an object around a change has more than 10,000
 * members, before or after it. Sizes are remembered by object: a document must not be
 * modified after it was patched.
 */
export function applyMergePatch(document: unknown, patch: unknown): Patched {
  return mergeOwned(document, patch)
}

/**
 * Like {@link applyMergePatch}, but changes the objects of `owned`, if any, in place, to which it adds its copies. A patch that
 * fails changes nothing.
 */
export function mergeOwned(document: unknown, patch: unknown, owned?: WeakSet<object>): Patched {
  const [before, added] = [extentOf(document), extentOf(patch)]
  if (added === undefined) return { ok: false, code: 'too-deep' }
  if (widens(document, patch)) return { ok: false, code: 'too-large' }
  // Nothing is undone: what may fail works on copies.
  const isSafe = before !== undefined && before.size + added.size <= MAX_RESULT_SIZE
  const merge = new Merge(isSafe ? owned : undefined)
  const value = isFields(patch) ? merge.apply(document, patch) : patch
  if (value === undefined) return { ok: false, code: 'too-deep' }
  const code = excess(extentOf(value))
  if (code !== undefined) return { ok: false, code }
  if (owned !== undefined) for (const copy of merge.copies) owned.add(copy)
  return { ok: true, value }
}

/** Whether a patch changes an object with too many members, or leaves one. Takes time in proportion to the patch. */
function widens(document: unknown, patch: unknown): boolean {
  if (!isFields(patch)) return false
  const target = isFields(document) ? document : {}
  const names = Object.keys(patch)
  let members = extentOf(target)?.members ?? 0
  if (names.length > 0 && isTooWide(target, members)) return true
  for (const name of names) {
    const value = patch[name]
    const has = Object.hasOwn(target, name)
    if (value === null) members -= has ? 1 : 0
    else {
      members += has ? 0 : 1
      if (widens(has ? target[name] : undefined, value)) return true
    }
  }
  return isTooWide(target, members)
}

class Merge {
  readonly copies: object[] = []
  readonly #owned: WeakSet<object> | undefined

  constructor(owned: WeakSet<object> | undefined) {
    this.#owned = owned
  }

  /** The merged object; `undefined` if the document is nested too deeply. */
  apply(document: unknown, patch: Record<string, unknown>): Record<string, unknown> | undefined {
    const target = isFields(document) ? document : {}
    const before = extentOf(target)
    if (before === undefined) return undefined
    const change = new ExtentChange(before)
    let result: Record<string, unknown> | undefined
    for (const name of Object.keys(patch)) {
      const value = patch[name]
      const has = Object.hasOwn(target, name)
      const old = has ? target[name] : undefined
      // Measured before it may be changed in place.
      const oldExtent = has ? (extentOf(old) as Extent) : undefined
      // Within a new object, too, a null removes.
      const merged = isFields(value) ? this.apply(old, value) : value
      if (merged === undefined && isFields(value)) return undefined
      if (merged === null ? !has : has && merged === old && !this.#isOwned(old)) continue
      // One copy for all members: a copy for each would make the cost quadratic.
      result ??= this.#writable(target)
      if (merged === null) {
        if (oldExtent !== undefined) change.remove(oldExtent, nameSize(name))
        delete result[name]
      } else {
        const added = extentOf(merged)
        if (added === undefined) return undefined
        if (oldExtent === undefined) change.add(added, nameSize(name))
        else change.replace(oldExtent, added)
        setMember(result, name, merged)
      }
    }
    if (result === undefined) return target
    change.finish(result)
    return result
  }

  #isOwned(value: unknown): boolean {
    return isFields(value) && this.#owned?.has(value) === true
  }

  #writable(target: Record<string, unknown>): Record<string, unknown> {
    if (this.#owned?.has(target) === true) return target
    const copy = { ...target }
    this.copies.push(copy)
    return copy
  }
}
