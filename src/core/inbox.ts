/** What happens, in order, for one reader. */

export class Inbox<T> {
  readonly #items: T[] = []
  #wake: () => void = () => {}
  #hasRoom: () => void = () => {}

  push(item: T): void {
    this.#items.push(item)
    this.#wake()
  }

  /** The next item, once there is one. */
  async next(): Promise<T> {
    for (;;) {
      const item = this.#items.shift()
      if (item !== undefined) {
        this.#hasRoom()
        return item
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Resolves once fewer than `max` items wait. */
  async room(max: number): Promise<void> {
    while (this.#items.length >= max) {
      await new Promise<void>((resolve) => {
        this.#hasRoom = resolve
      })
    }
  }
}
