/** Audiences: who may see an event, and who may answer it. */

import { requireFunction, requireKind, requireObject, requireOnly } from '../../core/require.ts'
import type { Audience } from '../../events/kind.ts'
import { externalKinds } from '../../events/kinds.ts'

export type { Audience } from '../../events/kind.ts'

/** All audiences, in the order in which {@link audienceOf} returns them. */
export const audiences = ['user', 'coordinator', 'parent', 'observer', 'operator'] as const

/** The fields of an event that routing depends on. */
export interface RoutedEvent {
  readonly kind: string
  readonly contextId: string
  readonly taskId: string
  /** Id of the parent task. Omitted for root tasks, or if unknown; the id of the task itself counts as omitted. */
  readonly parentTaskId?: string
}

const knownExternal: ReadonlySet<string> = new Set(externalKinds)

/** Kinds that are not forwarded from a subtask: working details for its parent. */
const notForwarded: ReadonlySet<string> = new Set(['thought-delta', 'thought-stream', 'tool-arguments-delta'])

/** Options of {@link audienceOf}. */
export interface AudienceOptions {
  /**
   * Whether an event of a subtask is forwarded to users and observers.
   *
   * @defaultValue all kinds except thoughts and streamed tool arguments
   */
  readonly forward?: (event: RoutedEvent) => boolean
}

/**
 * Returns the audiences an event is for. The first rule that matches applies:
 *
 * 1. `auth-required`, and `input-required` with `requireUser`: everyone. It must reach the user of the root
 *    task even from a deeply nested subtask; see {@link respondersOf} for who may answer.
 * 2. Internal events, and events of unknown kinds: operators.
 * 3. Events of a subtask: its parent, the coordinator and operators; users and observers if the event is
 *    forwarded.
 * 4. All other events: everyone.
 *
 * `metadata.audience`, a list of audiences, narrows the result and never widens it. If it is not such a list,
 * the event is for operators only.
 *
 * @param tree - Parent task ids by subtask id, for events without `parentTaskId`. Defaults to an empty tree.
 * @throws TypeError if the event has no `kind`, `tree` is not an object or `forward` is not a function.
 * @see docs/spec/internal-event-protocol.md#event-routing-rules
 */
export function audienceOf(
  event: RoutedEvent,
  tree: Readonly<Record<string, string>> = {},
  options: AudienceOptions = {},
): Audience[] {
  requireKind(event)
  requireObject('tree', tree)
  requireOnly('options', options, ['forward'])
  const { forward = isForwardedByDefault } = options
  requireFunction('forward', forward)
  const isSubtask = statesParent(event) || Object.hasOwn(tree, event.taskId)
  const asksUser = mustReachUser(event)
  const allowed = audiences.filter((audience) => {
    if (asksUser || audience === 'operator') return true
    if (isOperatorOnly(event.kind)) return false
    return !isSubtask || !needsForwarding(audience) || forward(event)
  })
  return allowed.filter((audience) => isAllowedByLabel(event, audience))
}

/** Whether an event states the parent of its task. A task is never its own parent. */
export function statesParent(event: object): boolean {
  const { taskId, parentTaskId } = event as { readonly taskId?: unknown; readonly parentTaskId?: unknown }
  return typeof parentTaskId === 'string' && parentTaskId !== taskId
}

/** Whether an audience sees only forwarded events of subtasks. */
export function needsForwarding(audience: Audience): boolean {
  return audience === 'user' || audience === 'observer'
}

/** The default of {@link AudienceOptions.forward}. */
export function isForwardedByDefault(event: { readonly kind: string }): boolean {
  return !notForwarded.has(event.kind)
}

/** Returns who may answer an event, first choice first. Empty if the event is not a request. */
export function respondersOf(event: { readonly kind: string }): ('coordinator' | 'user')[] {
  requireKind(event)
  if (mustReachUser(event)) return ['user']
  return event.kind === 'input-required' ? ['coordinator', 'user'] : []
}

/** Whether only the user can answer an event. */
export function mustReachUser(event: { readonly kind: string; readonly requireUser?: unknown }): boolean {
  return event.kind === 'auth-required' || (event.kind === 'input-required' && event.requireUser === true)
}

/** Whether a kind is for operators only: internal kinds, and kinds this version does not know. */
export function isOperatorOnly(kind: string): boolean {
  return !knownExternal.has(kind)
}

/** Whether the event's `metadata.audience` allows an audience. */
export function isAllowedByLabel(
  event: { readonly kind: string; readonly metadata?: unknown },
  audience: Audience,
): boolean {
  const label = labelIn(event.metadata)
  return label === undefined || audience === 'operator' || label.includes(audience)
}

/**
 * The audiences that the label in the metadata of an event names, in a fixed order. `undefined` if there is no label; none if it is
 * not a list of audiences, as only operators see such an event.
 */
export function labelIn(metadata: unknown): readonly Audience[] | undefined {
  const label = (metadata as { readonly audience?: unknown } | null | undefined)?.audience
  if (label === undefined || label === null) return undefined
  const isList = Array.isArray(label) && Array.from(label).every((name) => audiences.includes(name))
  return isList ? audiences.filter((audience) => label.includes(audience)) : []
}
