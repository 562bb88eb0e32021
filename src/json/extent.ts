/** How large JSON values are, remembered so that a small change of a large value is measured quickly. */

import { isFields } from '../validation/predicates.ts'

/** The extent of a JSON value. */
export interface Extent {
  /** Its length as JSON text, approximately: numbers and escapes are not counted exactly. Equal values have equal sizes. */
  readonly size: number
  /** How deeply arrays and objects are nested: 0 for a scalar. */
  readonly depth: number
  /** The number of its items or members. Omitted if there are none. */
  readonly members?: number
  /** How many of its arrays and objects have each depth. Omitted if there are none. */
  readonly children?: ReadonlyMap<number, number>
}

/** The maximum nesting of a patched value: half of what decoders accept, so that it can be sent in an event. */
export const MAX_RESULT_DEPTH = 500
/** The maximum size of a patched value: half of what decoders accept in a message. */
export const MAX_RESULT_SIZE: number = 2 ** 23

/** The maximum number of members of an object that a patch changes: copying it, or its names, takes as long as it has members. */
const MAX_MEMBERS = 10_000

/** Of a number, `true`, `false` and `null`. */
const SCALAR: Extent = { size: 8, depth: 0 }
/** Of an array or object without children. */
const EMPTY: Extent = { size: 2, depth: 1 }

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
  const change = new ExtentChange(EMPTY)
  if (Array.isArray(value)) {
    for (const item of value) {
      const extent = measure(item, levels - 1)
      if (extent === undefined) return undefined
      change.add(extent, 1)
    }
  } else {
    const fields = value as Record<string, unknown>
    for (const name of Object.keys(fields)) {
      const extent = measure(fields[name], levels - 1)
      if (extent === undefined) return undefined
      change.add(extent, nameSize(name))
    }
  }
  const extent = change.after
  if (extent.size >= LARGE) extents.set(value, extent)
  return extent
}

/** Follows the extent of an array or object while its children change. */
export class ExtentChange {
  #size: number
  #members: number
  readonly #before: Extent
  /** Copied before it changes: most children are scalars. */
  #children: Map<number, number> | undefined

  constructor(before: Extent) {
    this.#before = before
    this.#size = before.size
    this.#members = before.members ?? 0
  }

  /** @param extra - The size of what belongs to the child: its name or its comma. */
  add(child: Extent, extra: number): void {
    this.#size += child.size + extra
    this.#members++
    if (child.depth > 0) this.#count(child.depth, 1)
  }

  remove(child: Extent, extra: number): void {
    this.#size -= child.size + extra
    this.#members--
    if (child.depth > 0) this.#count(child.depth, -1)
  }

  replace(before: Extent, after: Extent): void {
    this.#size += after.size - before.size
    // Most children keep their depth: copying the counts takes longer than the rest.
    if (before.depth === after.depth) return
    if (before.depth > 0) this.#count(before.depth, -1)
    if (after.depth > 0) this.#count(after.depth, 1)
  }

  #count(depth: number, more: 1 | -1): void {
    this.#children ??= new Map(this.#before.children)
    const count = (this.#children.get(depth) ?? 0) + more
    if (count > 0) this.#children.set(depth, count)
    else this.#children.delete(depth)
  }

  /** The extent after the changes, which is remembered for `container`. */
  finish(container: object): Extent {
    const extent = this.after
    remember(container, extent)
    return extent
  }

  /** The extent after the changes. */
  get after(): Extent {
    const [size, members] = [this.#size, this.#members]
    const children = this.#children ?? this.#before.children
    if (children === undefined || children.size === 0) return { size, depth: 1, members }
    const depth = this.#children === undefined ? this.#before.depth : 1 + Math.max(...children.keys())
    return { size, depth, members, children }
  }
}

/** Whether a value is an object with more members than a patch may change, or leave. */
export function isTooWide(value: unknown, members: number = extentOf(value)?.members ?? 0): boolean {
  return members > MAX_MEMBERS && isFields(value)
}

/** Why a result is not acceptable; `undefined` if it is. */
export function excess(extent: Extent | undefined): 'too-deep' | 'too-large' | undefined {
  if (extent === undefined || extent.depth > MAX_RESULT_DEPTH) return 'too-deep'
  return extent.size > MAX_RESULT_SIZE ? 'too-large' : undefined
}
