/** Patterns of task paths, and delivery to subscribers. */

export { matchesPattern, type Pattern, parsePattern, patternSegment } from './pattern.ts'
export {
  createRouter,
  type DeliveryFailure,
  type RouteResult,
  type Router,
  type RouterOptions,
  type SubscriptionFilter,
} from './router.ts'
