/** Patterns of task paths, and delivery to subscribers. */

export { escapePatternSegment, matchesPattern, type Pattern, parsePattern } from './pattern.ts'
export {
  createRouter,
  type DeliveryFailure,
  type RouteResult,
  type Router,
  type RouterOptions,
  type SubscriptionFilter,
} from './router.ts'
