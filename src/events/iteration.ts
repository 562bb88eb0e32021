/** The iteration of events: which model response of its task wrote them. */

/** The kinds that may state their iteration, besides those that must. */
const modelKinds: ReadonlySet<string> = new Set([
  'content-delta',
  'content-replace',
  'content-complete',
  'thought-delta',
  'thought-stream',
  'tool-arguments-delta',
  'tool-start',
  'tool-progress',
  'tool-complete',
])

/** Whether an event may state its iteration and does not. */
export function lacksIteration(event: { readonly kind: string; readonly iteration?: unknown }): boolean {
  return event.iteration === undefined && modelKinds.has(event.kind)
}
