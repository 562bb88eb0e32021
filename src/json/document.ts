/** A document while a JSON Patch is applied to it. */

import { isFields } from '../validation/predicates.ts'
import { type Extent, ExtentChange, excess, extentOf, nameSize, remember } from './extent.ts'
import { arrayIndex, isEqualJson, setMember, valueAt } from './value.ts'

type Container = unknown[] | Record<string, unknown>

/** A change of one child. */
export type Edit = { readonly type: 'add' | 'replace'; readonly value: unknown } | { readonly type: 'remove' }

export type EditFailure = 'no-such-place' | 'too-deep' | 'too-large'

/** Copies the arrays and objects on the way to a change, each once for all operations of a patch. */
export class Document {
  value: unknown
  /** The copies: no one else has them, so they are changed in place. */
  readonly #copies = new Set<object>()

  constructor(value: unknown) {
    this.value = value
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
    if (last === undefined) return this.changeRoot(edit)
    const path = this.copyPath(tokens)
    if (typeof path === 'string') return path
    const innermost = path.at(-1) as Place
    const change = new ExtentChange(innermost.before)
    const failure = changeChild(innermost.container, last, edit, change)
    if (failure !== undefined) return failure
    let { before } = innermost
    let after = change.finish(innermost.container)
    for (let level = path.length - 2; level >= 0; level--) {
      const place = path[level] as Place
      const outer = new ExtentChange(place.before)
      outer.remove(before, 0)
      outer.add(after, 0)
      before = place.before
      after = outer.finish(place.container)
    }
    return excess(after)
  }

  /** Marks a value as having two places: changing one of them must not change the other. */
  share(value: unknown): void {
    if (typeof value !== 'object' || value === null || !this.#copies.delete(value)) return
    // Only below a copy are other copies.
    for (const child of Object.values(value)) this.share(child)
  }

  private changeRoot(edit: Edit): EditFailure | undefined {
    // RFC 6902 does not define the removal of the whole document; null is the closest value.
    this.value = edit.type === 'remove' ? null : edit.value
    return excess(extentOf(this.value))
  }

  /** Copies the arrays and objects around a location, from the outside. */
  private copyPath(tokens: readonly string[]): Place[] | EditFailure {
    const path: Place[] = []
    let node = this.value
    for (const [level, token] of tokens.entries()) {
      const place = this.copy(node)
      if (typeof place === 'string') return place
      const outer = path.at(-1)
      if (outer === undefined) this.value = place.container
      else setChild(outer.container, tokens[level - 1] as string, place.container)
      path.push(place)
      if (level === tokens.length - 1) break
      const child = valueAt(place.container, [token])
      if (child === undefined) return 'no-such-place'
      node = child.value
    }
    return path
  }

  private copy(node: unknown): Place | EditFailure {
    const isArray = Array.isArray(node)
    if (!isArray && !isFields(node)) return 'no-such-place'
    const before = extentOf(node)
    if (before === undefined) return 'too-deep'
    if (this.#copies.has(node)) return { container: node, before }
    const container = isArray ? node.slice() : { ...node }
    remember(container, before)
    this.#copies.add(container)
    return { container, before }
  }
}

interface Place {
  readonly container: Container
  readonly before: Extent
}

/** Changes one item of an array or one member of an object in place. */
function changeChild(
  container: Container,
  token: string,
  edit: Edit,
  change: ExtentChange,
): EditFailure | undefined {
  const isInsertion = Array.isArray(container) && edit.type === 'add'
  const child = isInsertion ? undefined : valueAt(container, [token])
  if (child === undefined && edit.type !== 'add') return 'no-such-place'
  const extra = Array.isArray(container) ? 1 : nameSize(token)
  if (child !== undefined) change.remove(extentOf(child.value) as Extent, extra)
  if (edit.type !== 'remove') {
    const added = extentOf(edit.value)
    if (added === undefined) return 'too-deep'
    change.add(added, extra)
  }
  if (!Array.isArray(container)) {
    if (edit.type === 'remove') delete container[token]
    else setMember(container, token, edit.value)
    return undefined
  }
  if (isInsertion) {
    const index = token === '-' ? container.length : arrayIndex(token, container.length + 1)
    if (index === undefined) return 'no-such-place'
    container.splice(index, 0, edit.value)
  } else if (edit.type === 'remove') container.splice(Number(token), 1)
  else container[Number(token)] = edit.value
  return undefined
}

/** Replaces a child that exists. */
function setChild(container: Container, token: string, value: unknown): void {
  if (Array.isArray(container)) container[Number(token)] = value
  else setMember(container, token, value)
}
