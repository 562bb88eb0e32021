/** The workspace of folding events into a view. */

import { setMember } from '../../../core/mutable.ts'
import type { ContextEvent, EventKind, EventOf } from '../../../events/event.ts'
import type { ArtifactView } from '../artifact.ts'
import type { TaskView, View, ViewDiagnostic } from '../view.ts'
import type { ViewFeatures } from './features.ts'
import { type ItemKeys, ListDraft } from './list-draft.ts'
import { TaskDraft } from './task-draft.ts'

/** How events change a view, by kind. `null`: not at all. */
export type Reducers<K extends EventKind> = {
  readonly [Kind in K]: ((builder: ViewBuilder, event: ContextEvent<EventOf<Kind>>) => void) | null
}

/** Older diagnostics are dropped. */
const MAX_DIAGNOSTICS = 64

const taskKeys: ItemKeys<TaskView> = {
  groupOf: ({ contextId }) => contextId,
  idOf: ({ taskId }) => taskId,
}

const artifactKeys: ItemKeys<ArtifactView> = {
  groupOf: ({ contextId }) => contextId,
  idOf: ({ artifactId }) => artifactId,
}

/** A view while it is changed. Views that it has handed out never change. */
export class ViewBuilder {
  /** The view as of the last snapshot. */
  #view: View
  #contextId: string | null
  #event: ContextEvent<{ kind: string }> | undefined
  readonly #tasks: ListDraft<TaskView>
  readonly #artifacts: ListDraft<ArtifactView>
  #diagnostics: readonly ViewDiagnostic[]
  #ownsDiagnostics = false
  /** The tasks that have been changed, by position. */
  readonly #drafts = new Map<number, TaskDraft>()
  /** Tasks that have been changed since the last snapshot. */
  readonly #changed = new Set<TaskDraft>()
  /** Arrays and objects in artifacts that no snapshot has. Weak: a view may change for long without one. */
  #owned: WeakSet<object> | undefined
  #current: TaskDraft | undefined

  readonly #isForOne: boolean
  readonly features: ViewFeatures

  /** @param isForOne - Whether there is one event and then a snapshot: nothing is changed a second time. */
  constructor(view: View, features: ViewFeatures, isForOne = false) {
    this.#view = view
    this.features = features
    this.#isForOne = isForOne
    this.#contextId = view.contextId
    this.#tasks = new ListDraft(view.tasks, taskKeys)
    this.#artifacts = new ListDraft(view.artifacts, artifactKeys)
    this.#diagnostics = view.diagnostics
  }

  /** The number of events that have changed the view. */
  changes = 0

  /** Begins the changes of an event. */
  begin(event: ContextEvent<{ kind: string }>): void {
    this.changes++
    this.#event = event
    this.#contextId ??= event.contextId
    this.#current = this.taskFor(event.taskId)
  }

  /** The context of the event. */
  get contextId(): string {
    return this.#event?.contextId ?? ''
  }

  /** The task of the event. */
  get task(): TaskDraft {
    if (this.#current === undefined) throw new Error('No event has begun.')
    return this.#current
  }

  /** A task of the context, to be changed; `undefined` if it is unknown. */
  knownTask(taskId: string): TaskDraft | undefined {
    const { contextId } = this
    const current = this.#current
    if (current?.task.taskId === taskId && current.task.contextId === contextId) return this.#touched(current)
    const position = this.#tasks.find(contextId, taskId)
    return position === -1 ? undefined : this.#draftAt(position)
  }

  /** A task of the context, to be changed. Added if it is unknown. */
  taskFor(taskId: string): TaskDraft {
    const known = this.knownTask(taskId)
    if (known !== undefined) return known
    const { contextId } = this
    const task = { taskId, contextId, parentTaskId: null, status: null, parts: [], updatedAt: null }
    return this.#draftAt(this.#tasks.push(task))
  }

  #draftAt(position: number): TaskDraft {
    let draft = this.#drafts.get(position)
    if (draft === undefined) {
      draft = new TaskDraft(this.#tasks.items[position] as TaskView, position)
      this.#drafts.set(position, draft)
    }
    return this.#touched(draft)
  }

  #touched(draft: TaskDraft): TaskDraft {
    this.#changed.add(draft)
    return draft
  }

  /** An artifact of the context; `undefined` if it is unknown. */
  artifact(artifactId: string): ArtifactView | undefined {
    return this.#artifacts.items[this.#artifacts.find(this.contextId, artifactId)]
  }

  /** Adds or replaces an artifact. */
  setArtifact(artifact: ArtifactView): void {
    const position = this.#artifacts.find(artifact.contextId, artifact.artifactId)
    if (position === -1) this.#artifacts.push(artifact)
    else this.#artifacts.set(position, artifact)
  }

  /** Arrays and objects in artifacts that may be changed in place until the next snapshot. `undefined`: none. */
  get owned(): WeakSet<object> | undefined {
    // Most events change no artifact, and a weak set takes as long as one of them.
    if (!this.#isForOne) this.#owned ??= new WeakSet()
    return this.#owned
  }

  /** An array with more items. Copied at most once until the next snapshot. */
  append<T>(items: readonly T[], more: readonly T[]): readonly T[] {
    const { owned } = this
    const own = owned?.has(items) === true ? (items as T[]) : items.slice()
    owned?.add(own)
    for (const item of more) own.push(item)
    return own
  }

  /** An object with more fields. Copied at most once until the next snapshot. */
  merge<T extends object>(fields: T, more: T): T {
    const { owned } = this
    const own = owned?.has(fields) === true ? fields : { ...fields }
    owned?.add(own)
    for (const [name, value] of Object.entries(more)) setMember(own as Record<string, unknown>, name, value)
    return own
  }

  diagnostic(
    code: ViewDiagnostic['code'],
    message: string,
    more: Pick<ViewDiagnostic, 'id' | 'expected' | 'actual'> = {},
  ): void {
    const { kind = '', taskId = '' } = this.#event ?? {}
    const diagnostics = this.#ownsDiagnostics
      ? (this.#diagnostics as ViewDiagnostic[])
      : this.#diagnostics.slice()
    diagnostics.push({ code, message, kind, taskId, ...more })
    if (diagnostics.length > MAX_DIAGNOSTICS) diagnostics.shift()
    this.#diagnostics = diagnostics
    this.#ownsDiagnostics = true
  }

  /** The view after all events so far. The same object if there were none since the last snapshot. */
  snapshot(): View {
    if (this.#changed.size === 0) return this.#view
    for (const draft of this.#changed) this.#tasks.set(draft.position, draft.seal())
    this.#changed.clear()
    this.#tasks.seal()
    this.#artifacts.seal()
    this.#owned = undefined
    this.#ownsDiagnostics = false
    this.#view = {
      ...this.#view,
      contextId: this.#contextId,
      tasks: this.#tasks.items,
      artifacts: this.#artifacts.items,
      diagnostics: this.#diagnostics,
    }
    return this.#view
  }
}
