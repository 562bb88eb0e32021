/** Folding a stream into what it amounts to. */
import type { UnknownEvent } from '../../core/decoded.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { lastTimestamp } from '../delta.ts'
import { artifactFolds } from './reduce-artifact.ts'
import { requestFolds } from './reduce-request.ts'
import { adopt, taskFolds } from './reduce-task.ts'
import { textFolds } from './reduce-text.ts'
import { toolFolds } from './reduce-tool.ts'
import type { View } from './view.ts'
import { Draft } from './view-builder.ts'

/**
 * Folds one event into a view. Pure: the view that comes in stays as it is, and what does not change is
 * shared. A delta costs the same however much there was before.
 *
 * Never throws on decoded events. The order of events of different tasks does not matter for what each
 * task becomes; a stream that is joined late gives the view of what was seen. Internal events and those
 * of kinds this version does not know leave the view as it is. What cannot be folded is among the
 * view's `problems`.
 *
 * A text that is cut is open, and `closeOpen` ends it; a repeated delta changes nothing; an artifact is
 * complete only with its last chunk, and until then the version before stays.
 *
 * @param event - As {@link decodeEvent} gives it.
 *
 * @example
 * ```ts
 * let view = emptyView
 * for await (const event of readEvents(response)) view = foldEvent(view, event)
 * ```
 */
export function foldEvent(view: View, event: ContextAnyEvent | UnknownEvent): View {
  const { kind } = event
  const fold = Object.hasOwn(folds, kind) ? (folds as Readonly<Record<string, Fold>>)[kind] : undefined
  if (fold === undefined) return view
  const known = event as ContextAnyEvent
  const draft = new Draft(view, known)
  const { parentTaskId, path } = known
  const { task } = draft
  if (path !== undefined && task.origin.path === undefined) {
    draft.task = { ...draft.task, origin: { ...task.origin, path } }
  }
  if (parentTaskId !== undefined && task.parentTaskId === null) adopt(draft, parentTaskId, task.taskId)
  fold(draft, known)
  return draft.done(lastTimestamp(known))
}

type Fold = (draft: Draft, event: ContextAnyEvent) => void

const folds = { ...taskFolds, ...textFolds, ...toolFolds, ...requestFolds, ...artifactFolds }
