/** Listeners to changes. */

/** Each subscription is an entry of its own, also if two have the same listener. */
export class Listeners {
  readonly #subscriptions = new Set<{ readonly listener: () => void }>()

  /** Returns a function that ends the subscription. */
  add(listener: () => void): () => void {
    const subscription = { listener }
    this.#subscriptions.add(subscription)
    return () => {
      this.#subscriptions.delete(subscription)
    }
  }

  /** Calls all. Throws the first of what they throw, after all others were called. */
  notify(): void {
    const errors: unknown[] = []
    for (const subscription of [...this.#subscriptions]) {
      // A listener before it may have ended the subscription.
      if (!this.#subscriptions.has(subscription)) continue
      try {
        subscription.listener()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
