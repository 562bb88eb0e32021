/**
 * The router: delivers each event of a process to its subscribers.
 *
 * Subscribers get events in the order in which they subscribed. An exception in one does not affect the others.
 * The router stores no events: use a log for subscribers that connect later.
 */
import { mismatch, optional, requireFunction, requireObject } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { audiencesOf, isForwardedByDefault, type RoutedEvent } from '../access/audience.ts'
import { compileFilter, type EventFilter } from '../access/filter.ts'
import { projectForAudience } from '../access/project.ts'
import { requireFilter, requireViewer } from '../access/require-viewer.ts'
import type { Viewer } from '../access/viewer.ts'
import { createAncestry } from './ancestry.ts'
import { isPattern, type Pattern, parsePattern } from './pattern.ts'
import { createPatternTrie } from './pattern-trie.ts'

/** Which events of the matching tasks a subscriber wants. */
export interface SubscriptionFilter extends EventFilter {
  /**
   * Who the events are shown to: the subscriber gets events for its audience only, as {@link project} returns
   * them. Omitted: the subscriber is part of the server and gets events unchanged.
   */
  readonly viewer?: Viewer
}

/** The result of routing an event, including events routed while it was being delivered. */
export interface RouteResult {
  /** Number of successful deliveries. */
  readonly delivered: number
  /** Failed deliveries. */
  readonly failed: readonly DeliveryFailure[]
  /** Set if the event is queued until the current one is delivered. The result of that one includes it. */
  readonly queued?: true
}

/** A failed delivery: the subscriber, its filter or `forward` threw. */
export interface DeliveryFailure {
  /** The pattern of the subscription. */
  readonly pattern: Pattern
  /** The exception. */
  readonly error: unknown
}

/** Options of {@link createRouter}. */
export interface RouterOptions<E extends RoutedEvent> {
  /**
   * Called if the promise of an asynchronous `deliver` rejects; {@link Router.route} does not await it. Omitted:
   * such rejections are ignored.
   */
  readonly onLateFailure?: (failure: DeliveryFailure) => void
  /**
   * Whether an event of a subtask is forwarded to users and observers.
   *
   * @defaultValue all kinds except thoughts and streamed tool arguments
   */
  readonly forward?: (event: E) => boolean
  /**
   * Maximum number of subtasks whose parents are stored, from 2. The most recently used half of them is always
   * kept. Events of evicted subtasks without `parentTaskId` are routed like events of root tasks.
   *
   * @defaultValue 100 000
   */
  readonly maxSubtasks?: number
}

/** Delivers events to subscribers; see {@link createRouter}. */
export interface Router<E extends RoutedEvent = ContextAnyEvent> {
  /**
   * Subscribes to events.
   *
   * @param pattern - Which tasks; see {@link parsePattern} for the syntax.
   * @param filter - Which of their events. `{}`: all except internal events.
   * @param deliver - Called synchronously with each event. The event is shared: do not change it.
   * @returns A function that ends the subscription. Calling it again has no effect.
   * @throws TypeError if the pattern, the filter or its viewer is invalid, or `deliver` is not a function. Check a
   * pattern from a client with {@link parsePattern} first.
   */
  subscribe(pattern: string | Pattern, filter: SubscriptionFilter, deliver: (event: E) => void): () => void
  /**
   * Delivers an event to all matching subscribers. Does not throw if a subscriber does.
   *
   * Learns the task hierarchy from `subtask-created` and `parentTaskId`; the first parent of a task is kept.
   * Topics include the nearest 63 ancestors. An event routed during a delivery is delivered after the current
   * one, so that all subscribers get the same order.
   */
  route(event: E): RouteResult
  /** Number of active subscriptions. */
  readonly size: number
}

interface Subscription<E> {
  readonly order: number
  readonly pattern: Pattern
  readonly matches: (event: E) => boolean
  readonly viewer: Viewer | undefined
  readonly deliver: (event: E) => unknown
  active: boolean
}

/**
 * Creates a router. Subscriptions are indexed by a trie over their patterns: the cost of an event depends on the
 * number of matching subscribers and the depth of its task, not on the number of subscriptions.
 *
 * @example
 * ```ts
 * const router = createRouter()
 * const unsubscribe = router.subscribe('ctx-1/task-1/**', { viewer: { audience: 'user' } }, (event) => {
 *   response.write(encodeEvent(event))
 * })
 * request.on('close', unsubscribe)
 * ```
 *
 * @throws TypeError if `maxSubtasks` is not a number >= 2, or `forward` or `onLateFailure` is not a function.
 *
 * @see docs/spec/internal-event-protocol.md#event-routing-rules
 * @see docs/spec/streaming-architecture.md#error-handling
 */
export function createRouter<E extends RoutedEvent = ContextAnyEvent>(
  options: RouterOptions<E> = {},
): Router<E> {
  requireObject('options', options)
  const { onLateFailure, forward = isForwardedByDefault, maxSubtasks = 100_000 } = options
  optional(requireFunction, 'onLateFailure', onLateFailure)
  requireFunction('forward', forward)
  if (!(typeof maxSubtasks === 'number' && maxSubtasks >= 2))
    throw mismatch('maxSubtasks', 'a number >= 2', maxSubtasks)
  const trie = createPatternTrie<Subscription<E>>()
  const ancestry = createAncestry(maxSubtasks)
  const queue: E[] = []
  let isRouting = false
  let nextOrder = 0
  let size = 0

  const deliverToAll = (event: E, failed: DeliveryFailure[]): number => {
    ancestry.record(event)
    const topic = ancestry.topicOf(event)
    const found = trie.find(topic).sort((a, b) => a.order - b.order)
    let audience: readonly string[] | undefined
    let delivered = 0
    const visibleTo = ({ matches, viewer }: Subscription<E>): E | undefined => {
      if (!matches(event)) return undefined
      if (viewer === undefined) return event
      const isSubtask = topic.length > 2 || typeof event.parentTaskId === 'string'
      audience ??= audiencesOf(event, isSubtask, forward as (event: RoutedEvent) => boolean)
      return audience.includes(viewer.audience) ? projectForAudience(event, viewer) : undefined
    }
    let last: Subscription<E> | undefined
    for (const subscription of found) {
      const { pattern, deliver } = subscription
      // A pattern may match in several ways, and a delivery may end a later subscription.
      if (subscription === last || !subscription.active) continue
      last = subscription
      try {
        const visible = visibleTo(subscription)
        if (visible === undefined) continue
        const pending = deliver(visible)
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
      if (!isPattern(parsed)) throw mismatch('pattern', 'a valid pattern such as "ctx-1/**"', pattern)
      requireFilter('filter', filter, ['viewer'])
      const { viewer } = filter
      // Also if it is `undefined`: a viewer that was not found must not see everything.
      if ('viewer' in filter) requireViewer('filter.viewer', viewer)
      requireFunction('deliver', deliver)
      const matches = compileFilter(filter)
      const subscription = { order: nextOrder++, pattern: parsed, matches, viewer, deliver, active: true }
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
      queue.push(event)
      if (isRouting) return { delivered: 0, failed: [], queued: true }
      isRouting = true
      const failed: DeliveryFailure[] = []
      let delivered = 0
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          delivered += deliverToAll(next, failed)
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
