/** Audiences: who may see an event, and who may answer it. */

import { requireFunction, requireObject } from '../../core/require.ts'
import type { Audience } from '../../events/kind.ts'
import { externalKinds, INTERNAL_PREFIX } from '../../events/kinds.ts'

export type { Audience } from '../../events/kind.ts'

/** All audiences, in the order in which {@link audienceOf} returns them. */
export const audiences = ['user', 'coordinator', 'parent', 'observer', 'operator'] as const

/** The fields of an event that routing depends on. */
export interface RoutedEvent {
  readonly kind: string
  readonly contextId: string
  readonly taskId: string
  /** Id of the parent task. Omitted for root tasks, or if unknown. */
  readonly parentTaskId?: string
}

/** The tasks of one context: maps each subtask's id to the id of its parent task. Plain JSON. */
export type TaskTree = Readonly<Record<string, string>>

/** The tree without subtasks. */
export const emptyTaskTree: TaskTree = {}

/**
 * Adds the parent links of an event to a tree: those of `subtask-created` and of any event with a
 * `parentTaskId`. The first link of a task is kept; links that would form a cycle are ignored. Returns the
 * same tree if there is nothing to add, otherwise a copy.
 */
export function addToTaskTree(tree: TaskTree, event: RoutedEvent): TaskTree {
  let result = tree
  for (const { taskId, parentTaskId } of parentLinksOf(event)) {
    if (Object.hasOwn(result, taskId) || hasAncestor(result, parentTaskId, taskId)) continue
    result = { ...result, [taskId]: parentTaskId }
  }
  return result
}

/** A task and the task that spawned it. */
interface ParentLink {
  readonly taskId: string
  readonly parentTaskId: string
}

const noLinks: readonly ParentLink[] = []

/** The parent links an event states: of its own task, and of the subtask it announces. */
export function parentLinksOf(event: RoutedEvent): readonly ParentLink[] {
  const { kind, taskId, parentTaskId } = event
  const own = typeof parentTaskId === 'string' ? [{ taskId, parentTaskId }] : noLinks
  if (kind !== 'subtask-created' || !('subtaskId' in event) || typeof event.subtaskId !== 'string') return own
  return [...own, { taskId: event.subtaskId, parentTaskId: taskId }]
}

/** Whether a task is an ancestor of `from`, or `from` itself. */
function hasAncestor(tree: TaskTree, from: string, taskId: string): boolean {
  const visited = new Set<string>()
  let at: string | undefined = from
  // A tree from elsewhere may hold a cycle.
  while (at !== undefined && !visited.has(at)) {
    if (at === taskId) return true
    visited.add(at)
    at = Object.hasOwn(tree, at) ? tree[at] : undefined
  }
  return false
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
 * @throws TypeError if `tree` is not an object or `forward` is not a function.
 * @see docs/spec/internal-event-protocol.md#event-routing-rules
 */
export function audienceOf(
  event: RoutedEvent,
  tree: TaskTree = emptyTaskTree,
  options: AudienceOptions = {},
): Audience[] {
  requireObject('tree', tree)
  requireObject('options', options)
  const { forward = isForwardedByDefault } = options
  requireFunction('forward', forward)
  const isSubtask = typeof event.parentTaskId === 'string' || Object.hasOwn(tree, event.taskId)
  return audiencesOf(event, isSubtask, forward)
}

/** {@link audienceOf} for an event that is known to belong to a subtask or not. */
export function audiencesOf(
  event: RoutedEvent,
  isSubtask: boolean,
  forward: (event: RoutedEvent) => boolean,
): Audience[] {
  const asksUser = mustReachUser(event)
  const allowed = audiences.filter((audience) => {
    if (asksUser || audience === 'operator') return true
    if (isOperatorOnly(event.kind)) return false
    return !isSubtask || !needsForwarding(audience) || forward(event)
  })
  return allowed.filter((audience) => isAllowedByLabel(event, audience))
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
  if (mustReachUser(event)) return ['user']
  return event.kind === 'input-required' ? ['coordinator', 'user'] : []
}

/** Whether only the user can answer an event. */
function mustReachUser(event: { readonly kind: string; readonly requireUser?: unknown }): boolean {
  return event.kind === 'auth-required' || (event.kind === 'input-required' && event.requireUser === true)
}

/** Whether a kind is for operators only: internal kinds, and kinds this version does not know. */
export function isOperatorOnly(kind: string): boolean {
  return kind.startsWith(INTERNAL_PREFIX) || !knownExternal.has(kind)
}

/** Whether the event's `metadata.audience` allows an audience. */
export function isAllowedByLabel(
  event: { readonly kind: string; readonly metadata?: unknown },
  audience: Audience,
): boolean {
  const { metadata } = event
  if (typeof metadata !== 'object' || metadata === null || !('audience' in metadata)) return true
  const { audience: label } = metadata
  if (label === undefined || label === null || audience === 'operator') return true
  return Array.isArray(label) && label.every((name) => typeof name === 'string') && label.includes(audience)
}
