/**
 * The router: hands each event of a process to those who asked for it.
 *
 * Events go to subscribers in the order in which they subscribed. What one of them throws, the others
 * never notice. The router is a switch, not a log: who is not there misses the event.
 */
import type { ContextAnyEvent } from '../../events/event.ts'
import { audienceWithin, isForwarded, type RoutedEvent } from '../access/audience.ts'
import { type EventFilter, filterFor } from '../access/filter.ts'
import { projectOwn, type Viewer } from '../access/project.ts'
import { createAncestry } from './ancestry.ts'
import { type Pattern, parsePattern } from './pattern.ts'
import { createTrie } from './pattern-trie.ts'

/** What a subscriber wants of the events its pattern means. */
export interface SubscriptionFilter extends EventFilter {
  /**
   * Who the events are shown to: only those that are for its audience, as it may see them. Absent: the
   * subscriber is part of the server and gets events as they are.
   */
  readonly viewer?: Viewer
}

/** What came of routing an event, and of those that were routed while it was delivered. */
export interface RouteResult {
  /** How many deliveries went well. */
  readonly delivered: number
  /** Those that did not. */
  readonly failed: readonly DeliveryFailure[]
  /** Set when the event waits until the one before it is delivered, whose result then counts it in. */
  readonly queued?: true
}

/** A delivery that threw; also one that did not come about because its filter or `forward` threw. */
export interface DeliveryFailure {
  /** The pattern of the subscription. */
  readonly pattern: Pattern
  /** What was thrown. */
  readonly error: unknown
}

/** Settings of {@link createRouter}. */
export interface RouterOptions<E extends RoutedEvent> {
  /**
   * Called with what an asynchronous `deliver` rejects with, which {@link Router.route} does not wait
   * for. Absent: it is ignored.
   */
  readonly onLateFailure?: (failure: DeliveryFailure) => void
  /**
   * Whether an event of a subtask is shown beyond the parent agent.
   *
   * @defaultValue all are but thoughts and streamed tool arguments
   */
  readonly forward?: (event: E) => boolean
  /**
   * How many subtasks to remember the parents of, at most: 2 or more. The half that was in use last
   * always is. Of others, events that do not say their `parentTaskId` are taken for events of root tasks.
   *
   * @defaultValue 100 000
   */
  readonly maxSubtasks?: number
}

/** See {@link createRouter}. */
export interface Router<E extends RoutedEvent = ContextAnyEvent> {
  /**
   * Asks for events.
   *
   * @param pattern - Which tasks; see {@link parsePattern}.
   * @param filter - Which of their events. `{}`: all but internal ones.
   * @param deliver - Called with each event, at once. The event is shared: do not change it.
   * @returns Ends the subscription. Calling it again changes nothing.
   * @throws TypeError when the pattern is none. Read one that comes from a client with
   * {@link parsePattern} first.
   */
  subscribe(pattern: string | Pattern, filter: SubscriptionFilter, deliver: (event: E) => void): () => void
  /**
   * Hands an event to whoever asked for it. Never throws for a subscriber.
   *
   * Learns from `subtask-created` and `parentTaskId` where tasks belong; what was learnt first stands.
   * Of the ancestors of a task, the nearest 63 count. An event that is routed from
   * within a delivery is delivered after the current one, so that all see the same order.
   */
  route(event: E): RouteResult
  /** How many subscriptions there are. */
  readonly size: number
}

interface Subscription<E> {
  readonly order: number
  readonly pattern: Pattern
  readonly wants: (event: E) => boolean
  readonly viewer: Viewer | undefined
  readonly deliver: (event: E) => unknown
  active: boolean
}

/**
 * Creates a router. It finds subscribers by a trie over their patterns: what an event costs depends on
 * how many it goes to and how deep its task is, not on how many there are.
 *
 * @example
 * ```ts
 * const router = createRouter()
 * const stop = router.subscribe('ctx-1/task-1/**', { viewer: { audience: 'user' } }, (event) => {
 *   response.write(encodeEvent(event))
 * })
 * request.on('close', stop)
 * ```
 *
 * @throws TypeError when `maxSubtasks` is below 2 or no number.
 *
 * @see docs/spec/internal-event-protocol.md#event-routing-rules
 */
export function createRouter<E extends RoutedEvent = ContextAnyEvent>(
  options: RouterOptions<E> = {},
): Router<E> {
  const { onLateFailure, forward = isForwarded, maxSubtasks = 100_000 } = options
  if (!(maxSubtasks >= 2)) throw new TypeError('maxSubtasks must be a number of at least 2.')
  const trie = createTrie<Subscription<E>>()
  const ancestry = createAncestry(maxSubtasks)
  const waiting: E[] = []
  let isRouting = false
  let subscribed = 0
  let size = 0

  const hand = (event: E, failed: DeliveryFailure[]): number => {
    ancestry.learn(event)
    const topic = ancestry.topicOf(event)
    const found = trie.find(topic).sort((a, b) => a.order - b.order)
    let audience: readonly string[] | undefined
    let delivered = 0
    const seenBy = ({ wants, viewer }: Subscription<E>): E | undefined => {
      if (!wants(event)) return undefined
      if (viewer === undefined) return event
      const isSubtask = topic.length > 2 || typeof event.parentTaskId === 'string'
      audience ??= audienceWithin(event, isSubtask, forward as (event: RoutedEvent) => boolean)
      return audience.includes(viewer.audience) ? projectOwn(event, viewer) : undefined
    }
    let last: Subscription<E> | undefined
    for (const subscription of found) {
      const { pattern, deliver } = subscription
      // A pattern may fit in several ways, and a delivery may end a later subscription.
      if (subscription === last || !subscription.active) continue
      last = subscription
      try {
        const seen = seenBy(subscription)
        if (seen === undefined) continue
        const pending = deliver(seen)
        if (isThenable(pending))
          pending.then(undefined, (error: unknown) => onLateFailure?.({ pattern, error }))
        delivered++
      } catch (error) {
        failed.push({ pattern, error })
      }
    }
    return delivered
  }

  return {
    subscribe(pattern, filter, deliver) {
      const parsed = typeof pattern === 'string' ? parsePattern(pattern) : pattern
      if (parsed === undefined) throw new TypeError(`Not a pattern: ${JSON.stringify(pattern)}.`)
      const { viewer } = filter
      const wants = filterFor(filter)
      const subscription = { order: subscribed++, pattern: parsed, wants, viewer, deliver, active: true }
      trie.add(parsed, subscription)
      size++
      return () => {
        if (!subscription.active) return
        subscription.active = false
        trie.remove(parsed, subscription)
        size--
      }
    },
    route(event) {
      waiting.push(event)
      if (isRouting) return { delivered: 0, failed: [], queued: true }
      isRouting = true
      const failed: DeliveryFailure[] = []
      let delivered = 0
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          delivered += hand(next, failed)
        }
      } finally {
        isRouting = false
      }
      return { delivered, failed }
    },
    get size() {
      return size
    },
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
