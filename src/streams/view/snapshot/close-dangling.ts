/** Closing what was left open when a stream was cut off. */

import { mismatch, requireOneOf, requireOnly, requireString } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { isTimestamp } from '../../../validation/predicates.ts'
import { type Audience, audienceOf } from '../../access/audience.ts'
import { redactions } from '../../access/redactions.ts'
import { contextKey } from '../../context-key.ts'
import { commonAudience } from '../audience-label.ts'
import { type Beginning, beginningsOf } from '../beginnings.ts'
import type { PartView, TextPart } from '../parts.ts'
import { requireView } from '../require-view.ts'
import type { TaskView, View } from '../view.ts'
import { childrenFirst } from './children-first.ts'
import { iterationOf, laterOf, TaskWriter, type Untimed } from './task-writer.ts'

/** Options of {@link closeDangling}. */
export interface CloseOptions {
  /** Why the stream ends here, for people. Becomes `metadata.reason` of every task that is ended. */
  readonly reason: string
  /**
   * The timestamp of the events, as RFC 3339 with a time zone. Tasks with a later event get the timestamp
   * of that event, so that time never runs backwards.
   */
  readonly at: string
  /**
   * The status the tasks end with.
   * @defaultValue `'failed'`
   */
  readonly status?: 'failed' | 'canceled'
}

/**
 * Returns the events that end everything a view has open: texts, thoughts, tool calls, input and
 * authentication requests, and the tasks themselves, subtasks before their parents. The events complete the
 * stream the view was folded from to a legal stream; folded into the view, they leave nothing open.
 *
 * A text is completed with what has arrived of it. A thought is completed with `metadata.complete: false` and
 * the type and verbosity that its deltas state; if they do not, it ends with its task. A tool call fails, whether it
 * runs or its arguments were cut off. An incomplete artifact has no event to end it and is abandoned with its task. A
 * subtask with only a `task-created` or only a `subtask-created` gets the other one, with an empty prompt if the
 * prompt is unknown.
 *
 * Each event has the audience label of what it ends, so that projections show it to no audience from which they have
 * hidden that. The end of a call whose arguments were cut off has its id and the name of its tool: a viewer without the
 * arguments of calls sees it as it sees any other end.
 *
 * @throws TypeError if an option is invalid, such as an `at` without a time zone.
 *
 * @example
 * ```ts
 * const events = closeDangling(view, { reason: 'The agent crashed.', at: new Date().toISOString() })
 * ```
 */
export function closeDangling(view: View, options: CloseOptions): ContextAnyEvent[] {
  requireView(view)
  requireOnly('options', options, ['reason', 'at', 'status'])
  requireString('reason', options.reason)
  if (options.status !== undefined) requireOneOf('status', options.status, ['failed', 'canceled'])
  if (!isTimestamp(options.at)) {
    throw mismatch('at', 'an RFC 3339 timestamp with a time zone', options.at)
  }
  const events: ContextAnyEvent[] = []
  const family = familyOf(view)
  for (const position of childrenFirst(view)) {
    const task = view.tasks[position]
    if (task !== undefined && !isTerminalStatus(task.status)) closeTask(task, family, options, events)
  }
  return events
}

/** What the tasks of a view state about their subtasks. */
interface Family {
  readonly beginnings: ReadonlyMap<TaskView, Beginning>
  /** The subtasks without a `subtask-created`, by the key of their parent. */
  readonly unannounced: ReadonlyMap<string, readonly TaskView[]>
}

function familyOf({ tasks }: View): Family {
  const beginnings = beginningsOf(tasks)
  const unannounced = new Map<string, TaskView[]>()
  for (const task of tasks) {
    const { contextId, parentTaskId, createdAt } = task
    if (parentTaskId === null || createdAt === undefined || beginnings.get(task)?.isAnnounced) continue
    const parent = contextKey(contextId, parentTaskId)
    const others = unannounced.get(parent)
    if (others === undefined) unannounced.set(parent, [task])
    else others.push(task)
  }
  return { beginnings, unannounced }
}

/** Writes the events that end a task. */
function closeTask(
  task: TaskView,
  { beginnings, unannounced }: Family,
  { reason, at, status = 'failed' }: CloseOptions,
  events: ContextAnyEvent[],
): void {
  const { contextId, taskId, parts, createdAt, updatedAt } = task
  const timestamp = laterOf(at, updatedAt)
  const writer = new TaskWriter(task, events)
  const write = (event: Untimed, audience: readonly Audience[] | undefined): void =>
    writer.write(event, audience, timestamp)
  const label = beginnings.get(task)?.audience
  if (createdAt === undefined && updatedAt === null) {
    write({ kind: 'task-created', initiator: 'agent' }, label)
  }
  // The beginning of a parent that was joined late may have announced them.
  for (const subtask of createdAt === undefined
    ? []
    : (unannounced.get(contextKey(contextId, taskId)) ?? [])) {
    write(
      { kind: 'subtask-created', subtaskId: subtask.taskId, prompt: '' },
      beginnings.get(subtask)?.audience,
    )
  }
  let nextThought = 0
  for (const part of parts) {
    if (part.type === 'thought') nextThought = Math.max(nextThought, indexAfter(part.index ?? -1))
  }
  for (const text of openTexts(parts))
    write(completionOf(text), text.map(({ audience }) => audience).reduce(commonAudience))
  for (const part of parts) {
    const event = endOf(part, reason, nextThought)
    if (event === undefined) continue
    if (event.kind === 'thought-stream') nextThought = indexAfter(nextThought)
    write(event, isWriting(part) ? commonAudience(part.audience, readersOfArguments(task)) : part.audience)
  }
  write({ kind: 'task-status', status, metadata: { reason } }, label)
}

/** The next index; the largest one has none. */
function indexAfter(index: number): number {
  return Math.min(index + 1, Number.MAX_SAFE_INTEGER)
}

/** The open texts of a task: the stretches of each. */
function openTexts(parts: readonly PartView[]): TextPart[][] {
  const texts = new Map<number, TextPart[]>()
  for (const part of parts) {
    if (part.type !== 'text' || part.status !== 'open') continue
    const stretches = texts.get(part.segment)
    if (stretches === undefined) texts.set(part.segment, [part])
    else stretches.push(part)
  }
  return [...texts.values()]
}

function completionOf(stretches: readonly TextPart[]): Untimed {
  const { contentId, iteration } = stretches[0] ?? {}
  return {
    kind: 'content-complete',
    ...(contentId === undefined ? {} : { contentId }),
    content: stretches.map(({ text }) => text).join(''),
    ...iterationOf({ iteration }),
  }
}

/** The event that ends a part other than a text; `undefined` if it is not open, or ends with its task. */
function endOf(part: PartView, reason: string, index: number): Untimed | undefined {
  switch (part.type) {
    case 'thought': {
      const { thoughtId, thoughtType, verbosity, text: content, status } = part
      // Which viewers are shown a thought of unknown type is not known either.
      if (status !== 'open' || thoughtType === undefined || verbosity === undefined) return undefined
      const metadata = { complete: false }
      return {
        kind: 'thought-stream',
        thoughtId,
        thoughtType,
        verbosity,
        metadata,
        content,
        index,
        ...iterationOf(part),
      }
    }
    case 'tool': {
      const { toolCallId, toolName = 'unknown', status } = part
      if (status !== 'running' && status !== 'writing') return undefined
      const failure = { success: false, error: reason } as const
      return { kind: 'tool-complete', toolCallId, toolName, ...failure, ...iterationOf(part) }
    }
    case 'input': {
      const { inputId, status } = part
      return status === 'open' ? { kind: 'input-canceled', inputId, reason: 'task-ended' } : undefined
    }
    case 'auth': {
      const { authId, status } = part
      if (status !== 'open') return undefined
      return { kind: 'auth-failed', authId, reason: 'failed', message: reason }
    }
    case 'text':
    case 'artifact':
    case 'subtask':
    case 'error':
    case 'custom':
      return undefined
    default:
      part satisfies never
      return undefined
  }
}

/** Whether only deltas of arguments have named a tool call. */
function isWriting(part: PartView): boolean {
  return part.type === 'tool' && part.status === 'writing'
}

/** Who is shown deltas of the arguments of tool calls. */
function readersOfArguments({ contextId, taskId, parentTaskId }: TaskView): readonly Audience[] {
  const event = { kind: 'tool-arguments-delta', contextId, taskId }
  const allowed = audienceOf(parentTaskId === null ? event : { ...event, parentTaskId })
  const hidden: readonly Audience[] = redactions['tool-arguments-delta']?.hidden ?? []
  return allowed.filter((audience) => !hidden.includes(audience))
}
