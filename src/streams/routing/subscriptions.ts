/** The subscriptions of a router: found by the topic of an event, without testing each of them. */
import type { Viewer } from '../access/viewer.ts'
import type { Pattern } from './pattern.ts'
import { createPatternTrie, type PatternTrie } from './pattern-trie.ts'

/** What a subscriber wants, and whether it still does. */
export interface Subscription<E> {
  /** Patterns, of which at least one must match. */
  readonly patterns: readonly Pattern[]
  /** The only context it gets events of. `undefined`: any. */
  readonly contextId: string | undefined
  readonly matches: (event: E) => boolean
  readonly viewer: Viewer | 'all'
  /** What the viewer sees of an event. */
  readonly projected: (event: E) => E | undefined
  readonly deliver: (event: E) => unknown
  /** Set to `false` when it ends, which may be while an event is being delivered. */
  active: boolean
}

/** A subscription, and the pattern by which it was found. */
export interface Match<E> {
  readonly subscription: Subscription<E>
  readonly pattern: Pattern
}

/** Subscriptions by pattern. Mutable. */
export interface Subscriptions<E> {
  add(subscription: Subscription<E>): void
  /** Removes a subscription. Removing it again has no effect. */
  remove(subscription: Subscription<E>): void
  /** The subscriptions for a topic, each once, in the order in which they were added. */
  find(topic: readonly string[]): Match<E>[]
  readonly size: number
}

interface Entry<E> extends Match<E> {
  readonly order: number
}

export function createSubscriptions<E>(): Subscriptions<E> {
  // One trie for each context that subscriptions are limited to: events of other contexts never test them.
  const tries = new Map<string | undefined, PatternTrie<Entry<E>>>()
  const entries = new Map<Subscription<E>, readonly Entry<E>[]>()
  let nextOrder = 0

  return {
    add(subscription) {
      const { patterns, contextId } = subscription
      const trie = tries.get(contextId) ?? createPatternTrie<Entry<E>>()
      tries.set(contextId, trie)
      const order = nextOrder++
      const added = patterns.map((pattern) => ({ subscription, pattern, order }))
      for (const entry of added) trie.add(entry.pattern, entry)
      entries.set(subscription, added)
    },
    remove(subscription) {
      const { contextId } = subscription
      const trie = tries.get(contextId)
      for (const entry of entries.get(subscription) ?? []) trie?.remove(entry.pattern, entry)
      entries.delete(subscription)
      if (trie?.isEmpty()) tries.delete(contextId)
    },
    find(topic) {
      const found = [...(tries.get(undefined)?.find(topic) ?? [])]
      found.push(...(tries.get(topic[0])?.find(topic) ?? []))
      found.sort((a, b) => a.order - b.order)
      // Several patterns may match, and one pattern in several ways.
      return found.filter(({ order }, i) => order !== found[i - 1]?.order)
    },
    get size() {
      return entries.size
    },
  }
}
