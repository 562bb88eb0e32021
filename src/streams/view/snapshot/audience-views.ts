/** What each audience sees of a stream, for snapshots of what a log no longer holds. */

import type { ContextAnyEvent, TaskName } from '../../../events/event.ts'
import { type Audience, audiences, isAllowedByLabel, isOperatorOnly } from '../../access/audience.ts'
import { contextKey } from '../../context-key.ts'
import type { Forgotten } from '../../forgotten.ts'
import { boundedView } from '../bounded-view.ts'
import { complete } from '../fold/complete.ts'
import { reduceEvent } from '../fold/reduce/index.ts'
import { ViewBuilder } from '../fold/view-builder.ts'
import { forget } from '../forget.ts'
import { emptyView, type TaskView, type View } from '../view.ts'

/** The view of all events that the labels show to some audiences. */
export interface AudienceView {
  /** For whom it is. Of the views of one stream, one is for each audience. */
  readonly audiences: readonly Audience[]
  readonly view: View
  /** What the view has lost to its limit. Omitted: nothing. */
  readonly forgotten?: Forgotten | undefined
}

/** The view before the first event: one for all. */
export const emptyViews: readonly AudienceView[] = [{ audiences, view: emptyView }]

/** The view for an audience. */
export function viewFor(views: readonly AudienceView[], audience: Audience): AudienceView {
  return views.find((one) => one.audiences.includes(audience)) ?? { audiences: [audience], view: emptyView }
}

/** A view within a limit, and the tasks that it has lost for it. */
export function withinLimit(
  one: AudienceView,
  maxLength: number,
): { readonly one: AudienceView; readonly cut: readonly TaskView[] } {
  const { view, cut } = boundedView(one.view, maxLength)
  if (cut.length === 0) return { one, cut }
  return { one: { ...one, view, forgotten: forget(one.forgotten, cut) }, cut }
}

/**
 * The tasks that views lose, each once, and without those that another of them had lost before.
 *
 * @param cuts - What each of the views loses.
 */
export function lostTasks(
  views: readonly Pick<AudienceView, 'forgotten'>[],
  cuts: readonly (readonly TaskView[])[],
): readonly TaskView[] {
  const keyOf = ({ contextId, taskId }: TaskName): string => contextKey(contextId, taskId)
  const lost = new Map<string, TaskView>()
  for (const [i, cut] of cuts.entries()) {
    if (cut.length === 0) continue
    const others = views.filter((_, other) => other !== i)
    const known = new Set(others.flatMap(({ forgotten }) => forgotten?.tasks.map(keyOf) ?? []))
    for (const task of cut) if (!known.has(keyOf(task))) lost.set(keyOf(task), task)
  }
  return [...lost.values()]
}

/**
 * Folds events for all audiences. What is hidden from some of them changes nothing for them: an item stays as the last event
 * left it that they saw. Those who see the same share one view, until a label distinguishes them.
 */
export class AudienceViews {
  readonly #drafts: Draft[]

  constructor(views: readonly AudienceView[] = emptyViews) {
    this.#drafts = views.map((one) => new Draft(one))
  }

  /** @param bytes - Its size. */
  push(event: ContextAnyEvent, bytes: number = 0): void {
    // These change no view.
    if (isOperatorOnly(event.kind)) return
    for (const draft of [...this.#drafts]) {
      const seen = draft.audiences.filter((audience) => isAllowedByLabel(event, audience))
      if (seen.length === 0) continue
      if (seen.length < draft.audiences.length) this.#drafts.push(draft.divide(seen))
      draft.push(event, bytes)
    }
  }

  views(): readonly AudienceView[] {
    return this.#drafts.map((draft) => draft.view())
  }

  /**
   * Limits the views of which more than half of the limit has changed since they were measured.
   *
   * @returns the tasks that they have lost.
   */
  limit(maxLength: number): readonly TaskView[] {
    if (!this.#drafts.some((draft) => draft.hasGrown(maxLength))) return []
    const before = this.#drafts.map(({ forgotten }) => ({ forgotten }))
    return lostTasks(
      before,
      this.#drafts.map((draft) => (draft.hasGrown(maxLength) ? draft.limit(maxLength) : [])),
    )
  }
}

/** A view while it is changed. */
class Draft {
  audiences: readonly Audience[]
  #builder: ViewBuilder
  forgotten: Forgotten | undefined
  /** Size of the events since it was measured. */
  #unmeasured: number

  constructor({ audiences, view, forgotten }: AudienceView, unmeasured = 0) {
    this.audiences = audiences
    this.#builder = new ViewBuilder(view, complete)
    this.forgotten = forgotten
    this.#unmeasured = unmeasured
  }

  push(event: ContextAnyEvent, bytes: number): void {
    reduceEvent(this.#builder, event)
    this.#unmeasured += bytes
  }

  view(): AudienceView {
    const { audiences, forgotten } = this
    return { audiences, view: this.#builder.snapshot(), ...(forgotten && { forgotten }) }
  }

  /** Keeps some of the audiences. Returns a draft of the same for the others. */
  divide(kept: readonly Audience[]): Draft {
    const audiences = this.audiences.filter((audience) => !kept.includes(audience))
    this.audiences = kept
    return new Draft({ ...this.view(), audiences }, this.#unmeasured)
  }

  /** Whether more than half of a limit has changed. */
  hasGrown(maxLength: number): boolean {
    return this.#unmeasured * 2 > maxLength
  }

  limit(maxLength: number): readonly TaskView[] {
    this.#unmeasured = 0
    const { one, cut } = withinLimit(this.view(), maxLength)
    if (cut.length === 0) return cut
    this.#builder = new ViewBuilder(one.view, complete)
    this.forgotten = one.forgotten
    return cut
  }
}
