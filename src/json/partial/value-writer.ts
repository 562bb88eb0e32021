/** Writing to a value that is shared with earlier states. */

import type { JsonValue } from '../../core/json-value.ts'
import { setMember } from '../../core/mutable.ts'

type Container = JsonValue[] | Record<string, JsonValue>

/** Writes to the innermost open array or object. Copies the open ones before the first change, and nothing else. */
export class ValueWriter {
  value: JsonValue | undefined
  /** The keys of the open children, from the outside. */
  readonly #keys: readonly (number | string)[]
  /** Own copies of the open arrays and objects, once something changed. */
  #copies: Container[] | undefined
  /** How many are open. */
  #depth: number

  constructor(value: JsonValue | undefined, open: readonly { readonly key: number | string }[]) {
    this.value = value
    this.#keys = open.map(({ key }) => key)
    this.#depth = open.length
  }

  /** Sets a child of the innermost array or object; the whole value if none is open. */
  set(key: number | string | undefined, value: JsonValue): void {
    const container = this.#innermost()
    if (container === undefined) this.value = value
    else setChild(container, key as number | string, value)
    this.#last = value
  }

  /** The value set last: the one that {@link enter} opens. */
  #last: JsonValue | undefined

  /** Appends text to a string. */
  append(key: number | string | undefined, text: string): void {
    const container = this.#innermost()
    const before = container === undefined ? this.value : childOf(container, key as number | string)
    this.set(key, `${before as string}${text}`)
  }

  /** Adds children to the innermost array or object. */
  extend(more: JsonValue): void {
    const container = this.#innermost()
    if (container === undefined) return
    if (Array.isArray(container)) for (const item of more as JsonValue[]) container.push(item)
    else for (const [name, value] of Object.entries(more as object)) setChild(container, name, value)
  }

  /** Opens the array or object set last. */
  enter(): void {
    this.#copies?.push(this.#last as Container)
    this.#depth++
  }

  /** Closes the innermost array or object. */
  leave(): void {
    this.#copies?.pop()
    this.#depth--
  }

  #innermost(): Container | undefined {
    this.#copies ??= this.#copyOpen()
    return this.#copies.at(-1)
  }

  #copyOpen(): Container[] {
    const copies: Container[] = []
    let source = this.value
    for (let level = 0; level < this.#depth; level++) {
      const copy = (Array.isArray(source) ? source.slice() : { ...(source as object) }) as Container
      const outer = copies.at(-1)
      if (outer === undefined) this.value = copy
      else setChild(outer, this.#keys[level - 1] as number | string, copy)
      copies.push(copy)
      source = childOf(copy, this.#keys[level] as number | string)
    }
    return copies
  }
}

function childOf(container: Container, key: number | string): JsonValue | undefined {
  return (container as Record<string, JsonValue>)[key]
}

function setChild(container: Container, key: number | string, value: JsonValue): void {
  setMember(container as Record<string, unknown>, key as string, value)
}
