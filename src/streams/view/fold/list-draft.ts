/** A list of a view while it is changed. */

/** How the items of a list are found: by an id within a group, such as the tasks of a context. */
export interface ItemKeys<T> {
  readonly groupOf: (item: T) => string
  /** `undefined` if the item is not to be found. */
  readonly idOf: (item: T) => string | undefined
}

/**
 * A list while it is changed: copied at most once until it is sealed. Items are found by a scan from the end. Once
 * scans have cost as much as an index, there is one.
 */
export class ListDraft<T> {
  items: readonly T[]
  readonly #keys: ItemKeys<T>
  #isOwned = false
  #scanned = 0
  /** The position of the latest item of each id, by group. */
  #index: Map<string, Map<string, number>> | undefined

  constructor(items: readonly T[], keys: ItemKeys<T>) {
    this.items = items
    this.#keys = keys
  }

  /** The position of the latest item of an id; -1 if there is none. */
  find(group: string, id: string): number {
    if (this.#index !== undefined) return this.#index.get(group)?.get(id) ?? -1
    const { items } = this
    const { groupOf, idOf } = this.#keys
    let at = items.length - 1
    for (; at >= 0; at--) {
      const item = items[at] as T
      if (groupOf(item) === group && idOf(item) === id) break
    }
    this.scanned(items.length - at)
    return at
  }

  /** Counts the steps of a scan. */
  protected scanned(steps: number): void {
    this.#scanned += steps
    // Entering an item into the index costs about as much as scanning 32.
    if (this.#index !== undefined || this.#scanned <= this.items.length * 32) return
    this.#index = new Map()
    for (let at = 0; at < this.items.length; at++) this.added(this.items[at] as T, at)
  }

  protected get isIndexed(): boolean {
    return this.#index !== undefined
  }

  /** Enters an item into the index. */
  protected added(item: T, position: number): void {
    const id = this.#keys.idOf(item)
    if (id !== undefined) this.#enter(item, id, position)
  }

  #enter(item: T, id: string, position: number): void {
    const group = this.#keys.groupOf(item)
    const positions = this.#index?.get(group)
    if (positions === undefined) this.#index?.set(group, new Map([[id, position]]))
    else positions.set(id, position)
  }

  /** Adds an item, and returns its position. */
  push(item: T): number {
    const position = this.#owned().push(item) - 1
    if (this.#index !== undefined) this.added(item, position)
    return position
  }

  /** Replaces the item at a position by one with the same id, or by one that is no longer or again to be found. */
  set(position: number, item: T): void {
    const items = this.#owned()
    const before = items[position] as T
    items[position] = item
    if (this.#index === undefined) return
    const id = this.#keys.idOf(before)
    const next = this.#keys.idOf(item)
    if (id === undefined && next !== undefined) this.#enter(item, next, position)
    if (id === undefined || next !== undefined) return
    const positions = this.#index.get(this.#keys.groupOf(before))
    if (positions?.get(id) === position) positions.delete(id)
  }

  /** Replaces all items. */
  protected replaceAll(items: T[]): void {
    this.items = items
    this.#isOwned = true
    this.#index = undefined
    this.#scanned = 0
  }

  /** Leaves the list to its reader: the next change copies it. */
  seal(): void {
    this.#isOwned = false
  }

  #owned(): T[] {
    if (!this.#isOwned) {
      this.items = this.items.slice()
      this.#isOwned = true
    }
    return this.items as T[]
  }
}
