/** The snapshots of a log. */
import type { ContextAnyEvent } from '../events/event.ts'
import type { Forgotten } from '../streams/forgotten.ts'
import { cursorAfter } from '../streams/log/batch.ts'
import type { Cursor } from '../streams/log/cursor.ts'
import type { Snapshot } from '../streams/log/event-log.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { boundedView } from '../streams/view/bounded-view.ts'
import { foldEvents } from '../streams/view/fold/fold.ts'
import { forget, tasksForgotten } from '../streams/view/forget.ts'
import { snapshotEvents } from '../streams/view/snapshot/snapshot-events.ts'
import { visibleEvents } from '../streams/view/snapshot/visible-events.ts'
import { emptyView, type TaskView, type View } from '../streams/view/view.ts'
import type { Operations } from './operations.ts'
import { limitsOf, type Settings } from './options.ts'
import type { Reader } from './reader.ts'

/** A view, and where the stream continues after it. */
interface ViewAt {
  readonly view: View
  /** Whether it includes everything from the beginning. */
  readonly isWhole: boolean
  /** What the view has lost to its limit. Omitted: nothing. */
  readonly forgotten?: Forgotten | undefined
  readonly epoch: string
  readonly through: number
}

/** What Redis has of a snapshot, as JSON. */
type StoredSnapshot = Pick<Snapshot<ContextAnyEvent>, 'events' | 'forgotten'>

/** How many bytes of events are folded at a time. */
const PAGE_BYTES = 2 ** 20
/** How often it begins again because the stream has changed meanwhile. */
const ATTEMPTS = 20

export class Keeper {
  private readonly settings: Settings
  private readonly operations: Operations
  private readonly reader: Reader
  private loading: Promise<ViewAt | undefined> | undefined

  constructor(settings: Settings, operations: Operations, reader: Reader) {
    this.settings = settings
    this.operations = operations
    this.reader = reader
  }

  /** The snapshot at the end of the stream. */
  async snapshot(filter?: ReadFilter): Promise<Snapshot<ContextAnyEvent> | undefined> {
    const found = await this.view()
    const stored = found && this.bounded(found)
    if (found === undefined || stored === undefined) return undefined
    const { epoch, through } = found
    const events = filter === undefined ? stored.events : visibleEvents(stored.events, filter)
    return { epoch, through, ...stored, events }
  }

  /**
   * The snapshot of a view without what is too much to keep; `undefined` if something is missing.
   *
   * @param onCut - Called with the tasks that are cut, if any are.
   */
  private bounded(
    { view, isWhole, forgotten: before }: ViewAt,
    onCut?: (cut: readonly TaskView[]) => void,
  ): StoredSnapshot | undefined {
    if (!isWhole) return undefined
    const bounded = boundedView(view, this.settings.limits.maxBytes)
    if (bounded.cut.length > 0) onCut?.(bounded.cut)
    const forgotten = forget(before, bounded.cut)
    const events = snapshotEvents(bounded.view)
    return forgotten === undefined ? { events } : { events, forgotten }
  }

  /** Stores the snapshot, so that the events before it can be evicted. An empty one if there is none. */
  async save(): Promise<void> {
    const found = await this.view()
    if (found === undefined) return
    const { epoch, through } = found
    const { limits, onDiagnostic } = this.settings
    const stored = this.bounded(found, (cut) => onDiagnostic?.(tasksForgotten(cut, limits.maxBytes)))
    const text = stored === undefined ? '' : JSON.stringify(stored)
    await this.operations.run('saveSnapshot', epoch, through, text, ...limitsOf(limits))
  }

  /** The view at the end of the stream; concurrent calls share one. */
  private view(): Promise<ViewAt | undefined> {
    this.loading ??= this.load().finally(() => {
      this.loading = undefined
    })
    return this.loading
  }

  /** Folds the stored snapshot and all events after it. */
  private async load(): Promise<ViewAt | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const end = await this.foldRest(await this.loadStored())
      if (end !== undefined) return end
    }
    return undefined
  }

  private async loadStored(): Promise<ViewAt> {
    const [epoch, through, json, earliest] = await this.operations.run('loadSnapshot')
    const [start, at] = [Number(earliest), String(epoch)]
    if (Number(through) < 0 || json === '') {
      return { view: emptyView, isWhole: start === 0, epoch: at, through: start - 1 }
    }
    const { events, forgotten } = JSON.parse(String(json)) as StoredSnapshot
    const view = foldEvents(emptyView, events)
    return { view, isWhole: true, forgotten, epoch: at, through: Number(through) }
  }

  /** `undefined` if the events after the view were evicted or lost meanwhile. */
  private async foldRest({ view, epoch, through, ...rest }: ViewAt): Promise<ViewAt | undefined> {
    let [at, folded]: [Cursor, View] = [{ stream: this.settings.stream, epoch, seq: through }, view]
    for (;;) {
      const part = await this.reader.read(at, { maxBytes: PAGE_BYTES })
      if (part.type === 'reset') return undefined
      if (part.through === part.after) return { ...rest, view: folded, epoch, through: at.seq }
      folded = foldEvents(folded, part.events)
      at = cursorAfter(part)
      if (part.closed === true) return { ...rest, view: folded, epoch, through: at.seq }
    }
  }
}
