/** How large JSON values are, remembered so that a small change of a large value is measured quickly. */

import { isFields } from '../validation/predicates.ts'

/** The extent of a JSON value. */
export interface Extent {
  /** Its length as JSON text, approximately: numbers and escapes are not counted exactly. Equal values have equal sizes. */
  readonly size: number
  /** How deeply arrays and objects are nested: 0 for a scalar. */
  readonly depth: number
}

/** The maximum nesting of a patched value: half of what decoders accept, so that it can be sent in an event. */
export const MAX_RESULT_DEPTH = 500
/** The maximum size of a patched value: half of what decoders accept in a message. */
export const MAX_RESULT_SIZE: number = 2 ** 23

/** Of a number, `true`, `false` and `null`. */
const SCALAR: Extent = { size: 8, depth: 0 }

/** What a member adds to the size of its value: quotes, a colon and a comma. */
export function nameSize(name: string): number {
  return name.length + 4
}

/** The extents of large values. They are immutable once they are here, except for the copies of a running patch. */
const extents = new WeakMap<object, Extent>()
/** Measuring smaller values again is as fast as remembering them. */
const LARGE = 256

/** Remembers the extent of an array or object after it has changed. */
export function remember(container: object, extent: Extent): void {
  if (extent.size >= LARGE) extents.set(container, extent)
  else extents.delete(container)
}

const TOO_DEEP: Extent = { size: Infinity, depth: Infinity }

/** The extent of a value; `undefined` if it is nested too deeply for a result. */
export function extentOf(value: unknown): Extent | undefined {
  const extent = measure(value, MAX_RESULT_DEPTH)
  if (extent === undefined) extents.set(value as object, TOO_DEEP)
  return extent
}

function measure(value: unknown, levels: number): Extent | undefined {
  if (typeof value === 'string') return { size: value.length + 2, depth: 0 }
  if (typeof value !== 'object' || value === null) return SCALAR
  const known = extents.get(value)
  if (known !== undefined) return known.depth > levels ? undefined : known
  if (levels === 0) return undefined
  let size = 2
  let depth = 0
  const add = (child: unknown, extra: number): boolean => {
    const extent = measure(child, levels - 1)
    if (extent === undefined) return false
    size += extent.size + extra
    if (extent.depth > depth) depth = extent.depth
    return true
  }
  if (Array.isArray(value)) {
    for (const item of value) if (!add(item, 1)) return undefined
  } else {
    const fields = value as Record<string, unknown>
    for (const name of Object.keys(fields)) if (!add(fields[name], nameSize(name))) return undefined
  }
  const extent = { size, depth: depth + 1 }
  remember(value, extent)
  return extent
}

/** Follows the extent of an array or object while its children change. */
export class ExtentChange {
  #size: number
  /** The depth that the added children require. */
  #added = 1
  /** Whether a child was removed that was nested as deeply as any. */
  #lostDeepest = false
  readonly #before: Extent

  constructor(before: Extent) {
    this.#before = before
    this.#size = before.size
  }

  /** @param extra - The size of what belongs to the child: its name or its comma. */
  add(child: Extent, extra: number): void {
    this.#size += child.size + extra
    if (child.depth >= this.#added) this.#added = child.depth + 1
  }

  remove(child: Extent, extra: number): void {
    this.#size -= child.size + extra
    if (child.depth > 0 && child.depth + 1 === this.#before.depth) this.#lostDeepest = true
  }

  /** The extent after the changes, which is remembered for `container`. */
  finish(container: object): Extent {
    const extent = { size: this.#size, depth: this.depthOf(container) }
    remember(container, extent)
    return extent
  }

  private depthOf(container: object): number {
    const added = this.#added
    const before = this.#before
    if (added >= before.depth) return added
    if (!this.#lostDeepest) return before.depth
    let depth = added
    const children = isFields(container) ? Object.values(container) : (container as unknown[])
    for (const child of children) {
      const below = extentOf(child)?.depth ?? 0
      if (below >= depth) depth = below + 1
      if (depth === before.depth) break
    }
    return depth
  }
}

/** Why a result is not acceptable; `undefined` if it is. */
export function excess(extent: Extent | undefined): 'too-deep' | 'too-large' | undefined {
  if (extent === undefined || extent.depth > MAX_RESULT_DEPTH) return 'too-deep'
  return extent.size > MAX_RESULT_SIZE ? 'too-large' : undefined
}
