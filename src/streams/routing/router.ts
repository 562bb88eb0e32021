/**
 * The router: delivers each event of a process to its subscribers.
 *
 * Subscribers get events in the order in which they subscribed. An exception in one does not affect the others.
 * The router stores no events: use a log for subscribers that connect later.
 */
import { mismatch, optional, requireFunction, requireOnly, requireText } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Audience, isForwardedByDefault, mustReachUser, type RoutedEvent } from '../access/audience.ts'
import { compileFilter, type EventFilter } from '../access/filter.ts'
import { type Projection, projectionOf } from '../access/projection.ts'
import { requireReader, viewerIn } from '../access/reader.ts'
import { requireFilter } from '../access/require-viewer.ts'
import { createTaskTree, MAX_SUBTASKS } from '../access/task-tree.ts'
import type { Viewer } from '../access/viewer.ts'
import { isPattern, type Pattern, parsePattern } from './pattern.ts'
import { createSubscriptions } from './subscriptions.ts'

/** Which events of the matching tasks a subscriber wants. */
export interface SubscriptionFilter extends EventFilter {
  /**
   * Who the events are shown to: the subscriber gets events for its audience only, as {@link project} returns
   * them. `'all'`: the subscriber is part of the server and gets all events unchanged.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer | 'all'
  /**
   * Id of the only context whose events the subscriber gets, whatever the pattern matches. Set it if the pattern comes
   * from a client: `**` alone selects the events of all contexts. Omitted: the pattern decides.
   */
  readonly contextId?: string
}

/** The result of routing an event, including events routed while it was being delivered. */
export interface RouteResult {
  /** Number of successful deliveries. */
  readonly delivered: number
  /** Failed deliveries. */
  readonly failed: readonly DeliveryFailure[]
  /** Set if the event is queued until the current one is delivered. The result of that one includes it. */
  readonly queued?: true
  /**
   * `['user']` if an event that only the user can answer (`auth-required`, or `input-required` with `requireUser`) was
   * delivered to no subscription whose viewer is a `user`: notify the user in another way, or end the task. Omitted if
   * there is no such event.
   */
  readonly unreached?: readonly Audience[]
}

/** A failed delivery: the subscriber, its filter or `forward` threw. */
export interface DeliveryFailure {
  /** The pattern of the subscription that matched. */
  readonly pattern: Pattern
  /** The exception. */
  readonly error: unknown
}

/** Options of {@link createRouter}. */
export interface RouterOptions<E extends RoutedEvent> {
  /**
   * Called if the promise of an asynchronous `deliver` rejects; {@link Router.route} does not await it. Omitted:
   * such rejections are ignored. What it throws is ignored too.
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
   * @param pattern - Which tasks; see {@link parsePattern} for the syntax. With a list, the subscriber gets each event
   * once that matches any of its patterns. Overlapping subscriptions are independent: each gets the event.
   * @param filter - Which of their events. `{}`: all that a user may see. A pattern from a client can match any
   * context: set {@link SubscriptionFilter.contextId} to one that the client may read.
   * @param deliver - Called synchronously with each event. The event is shared: do not change it.
   * @returns A function that ends the subscription. Calling it again has no effect.
   * @throws TypeError if a pattern, the filter, its viewer or its context is invalid, the list of patterns is empty, or
   * `deliver` is not a function. Check a pattern from a client with {@link parsePattern} first.
   *
   * @example
   * ```ts
   * const pattern = parsePattern(url.searchParams.get('pattern') ?? '**')
   * if (pattern === undefined) return new Response('Invalid pattern.', { status: 400 })
   * router.subscribe(pattern, { viewer: { audience: 'user' }, contextId: session.contextId }, deliver)
   * ```
   */
  subscribe(
    pattern: string | Pattern | readonly (string | Pattern)[],
    filter: SubscriptionFilter,
    deliver: (event: E) => void,
  ): () => void
  /**
   * Delivers an event to all matching subscribers. Does not throw if a subscriber does.
   *
   * Learns the task hierarchy from `subtask-created` and `parentTaskId`; the first parent of a task is kept. Events of
   * a subtask that lack `parentTaskId` are delivered with it, as a copy.
   * Topics include the nearest 63 ancestors. An event routed during a delivery is delivered after the current
   * one, so that all subscribers get the same order.
   */
  route(event: E): RouteResult
  /** Number of active subscriptions. */
  readonly size: number
}

/**
 * Creates a router. Subscriptions are indexed by a trie over their patterns: the cost of an event depends on the
 * number of matching subscribers and the depth of its task, not on the number of subscriptions.
 *
 * @example
 * ```ts
 * const router = createRouter()
 * const unsubscribe = router.subscribe('ctx-1/task-1/**', { viewer: { audience: 'user' } }, (event) => {
 *   response.write(encodeEvent(event, { viewer: 'all' })) // It is projected.
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
  requireOnly('options', options, ['onLateFailure', 'forward', 'maxSubtasks'])
  const { onLateFailure, forward = isForwardedByDefault, maxSubtasks = MAX_SUBTASKS } = options
  optional(requireFunction, 'onLateFailure', onLateFailure)
  requireFunction('forward', forward)
  if (!(typeof maxSubtasks === 'number' && maxSubtasks >= 2))
    throw mismatch('maxSubtasks', 'a number >= 2', maxSubtasks)
  const subscriptions = createSubscriptions<E>()
  const tree = createTaskTree(maxSubtasks)
  let queue: E[] = []
  let isRouting = false

  /** Delivers an event. Adds to the failures, and returns the number of deliveries and whether a user got it. */
  const deliverToAll = (routed: E, failed: DeliveryFailure[]): { count: number; isUserReached: boolean } => {
    const event = tree.stamp(routed)
    let count = 0
    let isUserReached = false
    for (const { subscription, pattern } of subscriptions.find(tree.topicOf(event))) {
      const { active, matches, viewer, projected, deliver } = subscription
      // An earlier delivery may have ended it.
      if (!active) continue
      try {
        if (!matches(event)) continue
        const visible = projected(event)
        if (visible === undefined) continue
        const pending = deliver(visible)
        if (isThenable(pending)) reportRejection(pending, pattern)
        count++
        isUserReached ||= viewer !== 'all' && viewer.audience === 'user'
      } catch (error) {
        failed.push({ pattern, error })
      }
    }
    return { count, isUserReached }
  }

  /** Asks once for all subscribers of an event. */
  let asked: { readonly event: object; readonly isForwarded: boolean } | undefined
  const isForwardedOnce = (event: { readonly kind: string }): boolean => {
    if (asked?.event !== event) asked = { event, isForwarded: forward(event as E) }
    return asked.isForwarded
  }

  const reportRejection = (pending: PromiseLike<unknown>, pattern: Pattern): void => {
    Promise.resolve(pending)
      .catch((error: unknown) => onLateFailure?.({ pattern, error }))
      .catch(() => {})
  }

  return {
    subscribe(pattern, filter, deliver) {
      const patterns = readPatterns(pattern)
      requireFilter('filter', filter, ['viewer', 'contextId'])
      const { contextId } = filter
      const viewer = viewerIn(filter)
      requireReader('filter.viewer', viewer)
      // Also if it is `undefined`: a context that was not found must not show everything.
      if ('contextId' in filter) requireText('filter.contextId', contextId)
      requireFunction('deliver', deliver)
      const matches = compileFilter(filter)
      // What is part of the server and writes nothing gets what was routed.
      const projected: Projection =
        viewer === 'all' ? (event) => event : projectionOf(viewer, { forward: isForwardedOnce })
      const subscription = { patterns, contextId, matches, viewer, projected, deliver, active: true }
      subscriptions.add(subscription)
      return () => {
        subscription.active = false
        subscriptions.remove(subscription)
      }
    },
    route(event) {
      queue.push(event)
      if (isRouting) return { delivered: 0, failed: [], queued: true }
      isRouting = true
      const failed: DeliveryFailure[] = []
      let delivered = 0
      let isUserUnreached = false
      try {
        // A delivery may add to the queue. Removing each event from its front would move all others.
        for (const next of queue) {
          const { count, isUserReached } = deliverToAll(next, failed)
          delivered += count
          isUserUnreached ||= mustReachUser(next) && !isUserReached
        }
      } finally {
        queue = []
        isRouting = false
      }
      return { delivered, failed, ...(isUserUnreached && { unreached: ['user'] }) }
    },
    get size() {
      return subscriptions.size
    },
  }
}

/** The patterns of a subscription: at least one. */
function readPatterns(given: string | Pattern | readonly (string | Pattern)[]): Pattern[] {
  const list = Array.isArray(given) ? (given as readonly (string | Pattern)[]) : [given as string | Pattern]
  if (list.length === 0) throw mismatch('pattern', 'at least one pattern', given)
  return list.map((pattern) => {
    const parsed = typeof pattern === 'string' ? parsePattern(pattern) : pattern
    if (!isPattern(parsed)) throw mismatch('pattern', 'a valid pattern such as "ctx-1/**"', pattern)
    return parsed
  })
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
