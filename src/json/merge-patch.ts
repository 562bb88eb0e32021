/**
 * JSON Merge Patch.
 *
 * Pure: the document is not modified, and unchanged parts are shared. Values of the patch are not copied.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
import { isFields } from '../validation/predicates.ts'
import { type Extent, ExtentChange, excess, extentOf, nameSize } from './extent.ts'
import type { Patched } from './patched.ts'
import { setMember } from './value.ts'

/**
 * Applies a JSON Merge Patch: members are set, `null` removes a member, objects are merged and any other
 * value replaces. Never throws on data.
 *
 * Fails with `too-deep` if the patch or the result is nested more than 500 levels deep, and with `too-large` if the
 * result has more than 8 Mi characters of JSON, approximately. Sizes are remembered by object: a document must not be
 * modified after it was patched.
 */
export function applyMergePatch(document: unknown, patch: unknown): Patched {
  if (extentOf(patch) === undefined) return { ok: false, code: 'too-deep' }
  const value = isFields(patch) ? merge(document, patch) : patch
  if (value === undefined) return { ok: false, code: 'too-deep' }
  const code = excess(extentOf(value))
  return code === undefined ? { ok: true, value } : { ok: false, code }
}

/** The merged object; `undefined` if the document is nested too deeply. */
function merge(document: unknown, patch: Record<string, unknown>): Record<string, unknown> | undefined {
  const target = isFields(document) ? document : {}
  const before = extentOf(target)
  if (before === undefined) return undefined
  const change = new ExtentChange(before)
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(patch)) {
    const value = patch[name]
    const has = Object.hasOwn(target, name)
    const old = has ? target[name] : undefined
    // Within a new object, too, a null removes.
    const merged = isFields(value) ? merge(old, value) : value
    if (merged === undefined && isFields(value)) return undefined
    if (merged === null ? !has : has && merged === old) continue
    // One copy for all members: a copy for each would make the cost quadratic.
    copy ??= { ...target }
    if (has) change.remove(extentOf(old) as Extent, nameSize(name))
    if (merged === null) delete copy[name]
    else {
      const added = extentOf(merged)
      if (added === undefined) return undefined
      change.add(added, nameSize(name))
      setMember(copy, name, merged)
    }
  }
  if (copy === undefined) return target
  change.finish(copy)
  return copy
}
