/** A document while a JSON Patch is applied to it. */

import { isFields } from '../validation/predicates.ts'
import { type Container, changeChild, type Edit, type EditFailure, setChild, undoOf } from './child.ts'
import { type Extent, ExtentChange, excess, extentOf, isTooWide, remember } from './extent.ts'
import { isEqualJson, valueAt } from './value.ts'

/**
 * Copies the arrays and objects on the way to a change, each once for all operations of a patch. What nobody else has
 * is changed in place: the copies, and the owned ones, whose changes can be reverted.
 */
export class Document {
  value: unknown
  readonly #copies = new Set<object>()
  /** A value below a copy or an owned one may be either; all others are below neither. */
  readonly #owned: WeakSet<object> | undefined
  readonly #hasMore: boolean
  readonly #undo: (() => void)[] = []
  /** The owned objects whose order of members will be restored. Omitted before the first removal. */
  #ordered: Set<object> | undefined

  /**
   * @param owned - Arrays and objects that nobody else has. `undefined`: none.
   * @param hasMore - Whether a removal may be followed by what fails.
   */
  constructor(value: unknown, owned: WeakSet<object> | undefined, hasMore: boolean) {
    this.value = value
    this.#owned = owned
    this.#hasMore = hasMore
  }

  /** Keeps the changes: the copies are owned. */
  commit(): void {
    if (this.#owned !== undefined) for (const copy of this.#copies) this.#owned.add(copy)
  }

  /** Reverts the changes of what is owned. The document is useless then. */
  revert(): void {
    for (const undo of this.#undo.reverse()) undo()
  }

  /** The value at a location, wrapped in an object; `undefined` if the location does not exist. */
  at(tokens: readonly string[]): { readonly value: unknown } | undefined {
    return valueAt(this.value, tokens)
  }

  /** Whether a value of the document equals another, which takes time in proportion to the other. */
  isEqual(value: unknown, other: unknown): boolean {
    const [extent, expected] = [extentOf(value), extentOf(other)]
    const mayBeEqual = extent === undefined || expected === undefined || extent.size === expected.size
    return mayBeEqual && isEqualJson(value, other)
  }

  /** Changes the value at a location, or returns why that is impossible. The document is useless then. */
  change(tokens: readonly string[], edit: Edit): EditFailure | undefined {
    const last = tokens.at(-1)
    if (last === undefined) return this.#changeRoot(edit)
    const path = this.#copyPath(tokens)
    if (typeof path === 'string') return path
    const innermost = path.at(-1) as Place
    const change = new ExtentChange(innermost.before)
    const undo = this.#undoOf(innermost.container, last, edit)
    const failure = changeChild(innermost.container, last, edit, change)
    if (failure !== undefined) return failure
    if (undo !== undefined) this.#undo.push(undo)
    for (const { container, before } of path) {
      if (this.#isOwned(container)) this.#undo.push(() => remember(container, before))
    }
    let { before } = innermost
    let after = change.finish(innermost.container)
    if (isTooWide(innermost.container, after.members)) return 'too-large'
    for (let level = path.length - 2; level >= 0; level--) {
      const place = path[level] as Place
      const outer = new ExtentChange(place.before)
      outer.replace(before, after)
      before = place.before
      after = outer.finish(place.container)
    }
    return excess(after)
  }

  /** Marks a value as having two places: changing one of them must not change the other. */
  share(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    const [isCopy, isOwned] = [this.#copies.delete(value), this.#owned?.delete(value) === true]
    if (!isCopy && !isOwned) return
    for (const child of Object.values(value)) this.share(child)
  }

  #isOwned(container: Container): boolean {
    return this.#owned?.has(container) === true
  }

  #changeRoot(edit: Edit): EditFailure | undefined {
    // RFC 6902 does not define the removal of the whole document; null is the closest value.
    this.value = edit.type === 'remove' ? null : edit.value
    return excess(extentOf(this.value))
  }

  /** Copies the arrays and objects around a location, from the outside. */
  #copyPath(tokens: readonly string[]): Place[] | EditFailure {
    const path: Place[] = []
    let node = this.value
    for (const [level, token] of tokens.entries()) {
      const place = this.#copy(node)
      if (typeof place === 'string') return place
      const outer = path.at(-1)
      if (outer === undefined) this.value = place.container
      else if (place.container !== node) {
        const parent = tokens[level - 1] as string
        const undo = this.#undoOf(outer.container, parent, { type: 'replace', value: place.container })
        if (undo !== undefined) this.#undo.push(undo)
        setChild(outer.container, parent, place.container)
      }
      path.push(place)
      if (level === tokens.length - 1) break
      const child = valueAt(place.container, [token])
      if (child === undefined) return 'no-such-place'
      node = child.value
    }
    return path
  }

  /** What reverts a change of a child of what is owned; `undefined` for other containers: copies are discarded. */
  #undoOf(container: Container, token: string, edit: Edit): (() => void) | undefined {
    if (!this.#isOwned(container)) return undefined
    const isOrdered = !this.#hasMore || this.#ordered?.has(container) === true
    if (edit.type === 'remove') {
      this.#ordered ??= new Set()
      this.#ordered.add(container)
    }
    return undoOf(container, token, edit, isOrdered)
  }

  #copy(node: unknown): Place | EditFailure {
    const isArray = Array.isArray(node)
    if (!isArray && !isFields(node)) return 'no-such-place'
    const before = extentOf(node)
    if (before === undefined) return 'too-deep'
    if (isTooWide(node, before.members)) return 'too-large'
    if (this.#copies.has(node) || this.#isOwned(node)) return { container: node, before }
    const container = isArray ? copyWithRoom(node) : { ...node }
    remember(container, before)
    this.#copies.add(container)
    return { container, before }
  }
}

/** Copies an array with room for one more item: adding it to a copy without room copies all of them again. */
function copyWithRoom(items: readonly unknown[]): unknown[] {
  // An item of the array keeps its representation in the engine.
  const copy = items.concat([items[0]])
  copy.pop()
  return copy
}

interface Place {
  readonly container: Container
  readonly before: Extent
}
