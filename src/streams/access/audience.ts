/** Who is meant by an event: who may see it, and who may answer it. */
import { externalKinds, INTERNAL_PREFIX } from '../../events/kinds.ts'

/**
 * Who looks at a stream:
 *
 * - `user`: the person a task is done for
 * - `coordinator`: the agent that answers for the user where it may
 * - `parent`: the agent that spawned the task
 * - `observer`: whoever watches without taking part
 * - `operator`: whoever runs the agents
 */
export type Audience = 'user' | 'coordinator' | 'parent' | 'observer' | 'operator'

/** All audiences, in the order in which functions list them. */
export const audiences = ['user', 'coordinator', 'parent', 'observer', 'operator'] as const

/** What routing looks at. */
export interface RoutedEvent {
  readonly kind: string
  readonly contextId: string
  readonly taskId: string
  /** Absent: the task has no parent, or its parent is not told. */
  readonly parentTaskId?: string
}

/** Which task of a context was spawned by which: the parent's id by the child's. Plain JSON. */
export type TaskTree = Readonly<Record<string, string>>

/** The tree of a context that has only tasks without parents, as far as is known. */
export const emptyTaskTree: TaskTree = {}

/**
 * The tree with what an event tells of it, which is where tasks come from: `subtask-created`, and
 * any event with a `parentTaskId`. What was learnt first stands. A task never becomes its own
 * ancestor. Costs nothing when the event tells nothing new, and a copy of the tree when it does.
 */
export function addToTaskTree(tree: TaskTree, event: RoutedEvent): TaskTree {
  let grown = tree
  for (const { taskId, parentTaskId } of parentageOf(event)) {
    if (Object.hasOwn(grown, taskId) || isOnWayUp(grown, parentTaskId, taskId)) continue
    grown = { ...grown, [taskId]: parentTaskId }
  }
  return grown
}

/** A task and who spawned it. */
interface Parentage {
  readonly taskId: string
  readonly parentTaskId: string
}

const noParentage: readonly Parentage[] = []

/** What an event tells of where tasks come from: its own, and one that it says was spawned. */
export function parentageOf(event: RoutedEvent): readonly Parentage[] {
  const { kind, taskId, parentTaskId } = event
  const own = typeof parentTaskId === 'string' ? [{ taskId, parentTaskId }] : noParentage
  if (kind !== 'subtask-created' || !('subtaskId' in event) || typeof event.subtaskId !== 'string') return own
  return [...own, { taskId: event.subtaskId, parentTaskId: taskId }]
}

/** Whether the way up from a task comes by another one, or begins with it. */
function isOnWayUp(tree: TaskTree, from: string, taskId: string): boolean {
  const passed = new Set<string>()
  let at: string | undefined = from
  // A tree that was not made by `growTree` may have a circle in it.
  while (at !== undefined && !passed.has(at)) {
    if (at === taskId) return true
    passed.add(at)
    at = Object.hasOwn(tree, at) ? tree[at] : undefined
  }
  return false
}

const knownExternal: ReadonlySet<string> = new Set(externalKinds)

/** Kinds of a subtask that are its parent's business: what a user reads of it is the rest. */
const notForwarded: ReadonlySet<string> = new Set(['thought-delta', 'thought-stream', 'tool-arguments-delta'])

/** Settings of {@link audienceOf}. */
export interface AudienceOptions {
  /**
   * Whether an event of a subtask is shown beyond the parent agent.
   *
   * @defaultValue all are but thoughts and streamed tool arguments
   */
  readonly forward?: (event: RoutedEvent) => boolean
}

/**
 * Who an event is for. In this order:
 *
 * 1. an `auth-required`, and an `input-required` that requires the user, is for everybody and must
 *    reach the user of the root task, however deep the task is that asks; see {@link respondersOf}
 *    for who may answer
 * 2. an internal event, and an event of an unknown kind, is for operators
 * 3. an event of a subtask is for its parent, the coordinator and operators, and for users and
 *    observers where it is forwarded
 * 4. any other event is for everybody
 *
 * An event may say less than that: `metadata.audience`, a list of audiences, narrows it and never
 * widens it. One that is no such list leaves operators only.
 *
 * @param tree - See {@link addToTaskTree}. A stamped `parentTaskId` counts as well.
 * @see docs/spec/internal-event-protocol.md#event-routing-rules
 */
export function audienceOf(
  event: RoutedEvent,
  tree: TaskTree = emptyTaskTree,
  { forward = isForwarded }: AudienceOptions = {},
): Audience[] {
  const isSubtask = typeof event.parentTaskId === 'string' || Object.hasOwn(tree, event.taskId)
  return audienceWithin(event, isSubtask, forward)
}

/** {@link audienceOf} for who already knows whether the event is one of a subtask. */
export function audienceWithin(
  event: RoutedEvent,
  isSubtask: boolean,
  forward: (event: RoutedEvent) => boolean,
): Audience[] {
  const asksUser = mustReachUser(event)
  const told = audiences.filter((audience) => {
    if (asksUser || audience === 'operator') return true
    if (isForOperators(event.kind)) return false
    return !isSubtask || !isAside(audience) || forward(event)
  })
  return told.filter((audience) => isLabelled(event, audience))
}

/** Whether an audience gets of a subtask only what is forwarded to it. */
export function isAside(audience: Audience): boolean {
  return audience === 'user' || audience === 'observer'
}

/** What is forwarded by default. */
export function isForwarded(event: { readonly kind: string }): boolean {
  return !notForwarded.has(event.kind)
}

/** Who may answer an event, the one to ask first first. Empty: it asks nothing. */
export function respondersOf(event: { readonly kind: string }): ('coordinator' | 'user')[] {
  if (mustReachUser(event)) return ['user']
  return event.kind === 'input-required' ? ['coordinator', 'user'] : []
}

/** Whether an event asks what only the user can answer. */
export function mustReachUser(event: { readonly kind: string; readonly requireUser?: unknown }): boolean {
  return event.kind === 'auth-required' || (event.kind === 'input-required' && event.requireUser === true)
}

/** Whether a kind is for operators only: internal ones, and those this version does not know. */
export function isForOperators(kind: string): boolean {
  return kind.startsWith(INTERNAL_PREFIX) || !knownExternal.has(kind)
}

/** Whether the event's own label lets an audience see it. */
export function isLabelled(
  event: { readonly kind: string; readonly metadata?: unknown },
  audience: Audience,
): boolean {
  const { metadata } = event
  if (typeof metadata !== 'object' || metadata === null || !('audience' in metadata)) return true
  const { audience: label } = metadata
  if (label === undefined || label === null || audience === 'operator') return true
  return Array.isArray(label) && label.every((name) => typeof name === 'string') && label.includes(audience)
}
