/** The snapshots of a log. */
import type { ContextAnyEvent } from '../events/event.ts'
import { cursorAfter } from '../streams/log/batch.ts'
import type { Cursor } from '../streams/log/cursor.ts'
import type { Snapshot } from '../streams/log/event-log.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import type { SnapshotOptions } from '../streams/log/snapshot-options.ts'
import { tasksForgotten } from '../streams/view/forget.ts'
import {
  type AudienceView,
  AudienceViews,
  emptyViews,
  lostTasks,
  withinLimit,
} from '../streams/view/snapshot/audience-views.ts'
import { snapshotOf } from '../streams/view/snapshot/visible-events.ts'
import type { TaskView } from '../streams/view/view.ts'
import type { Operations } from './operations.ts'
import { limitsOf, type Settings } from './options.ts'
import type { Reader } from './reader.ts'
import { storedViews, viewsIn } from './stored-views.ts'

/** The views of a stream, and where it continues after them. */
interface ViewsAt {
  readonly views: readonly AudienceView[]
  /** Whether they include everything from the beginning. */
  readonly isWhole: boolean
  readonly epoch: string
  readonly through: number
}

/** How many bytes of events are folded at a time. */
const PAGE_BYTES = 2 ** 20
/** How often it begins again because the stream has changed meanwhile. */
const ATTEMPTS = 20

export class Keeper {
  private readonly settings: Settings
  private readonly operations: Operations
  private readonly reader: Reader
  private loading: Promise<ViewsAt | undefined> | undefined

  constructor(settings: Settings, operations: Operations, reader: Reader) {
    this.settings = settings
    this.operations = operations
    this.reader = reader
  }

  /** The snapshot at the end of the stream. */
  async snapshot(
    filter?: ReadFilter,
    { maxBytes }: SnapshotOptions = {},
  ): Promise<Snapshot<ContextAnyEvent> | undefined> {
    const found = await this.views()
    if (found === undefined || !found.isWhole) return undefined
    const { epoch, through } = found
    return { epoch, through, ...snapshotOf(this.limited(found), filter, maxBytes) }
  }

  /** Stores the views, so that the events before them can be evicted. None if something is missing. */
  async save(): Promise<void> {
    const found = await this.views()
    if (found === undefined) return
    const { epoch, through, isWhole } = found
    const { limits, onDiagnostic } = this.settings
    const limited = this.limited(found, (cut) => onDiagnostic?.(tasksForgotten(cut, limits.maxBytes)))
    const text = isWhole ? JSON.stringify(storedViews(limited)) : ''
    await this.operations.run('saveSnapshot', epoch, through, text, ...limitsOf(limits))
  }

  /**
   * The views without what is too much to keep.
   *
   * @param onCut - Called with the tasks that are cut, if any are.
   */
  private limited(
    { views, isWhole }: ViewsAt,
    onCut?: (cut: readonly TaskView[]) => void,
  ): readonly AudienceView[] {
    const { maxBytes } = this.settings.limits
    const all = isWhole ? views.map((one) => withinLimit(one, maxBytes)) : []
    const cut = lostTasks(
      views,
      all.map((each) => each.cut),
    )
    if (cut.length > 0) onCut?.(cut)
    return all.map(({ one }) => one)
  }

  /** The views at the end of the stream; concurrent calls share them. */
  private views(): Promise<ViewsAt | undefined> {
    this.loading ??= this.load().finally(() => {
      this.loading = undefined
    })
    return this.loading
  }

  /** Folds the stored snapshot and all events after it. */
  private async load(): Promise<ViewsAt | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const end = await this.foldRest(await this.loadStored())
      if (end !== undefined) return end
    }
    return undefined
  }

  private async loadStored(): Promise<ViewsAt> {
    const [epoch, through, json, earliest] = await this.operations.run('loadSnapshot')
    const [start, at] = [Number(earliest), String(epoch)]
    if (Number(through) < 0 || json === '') {
      return { views: emptyViews, isWhole: start === 0, epoch: at, through: start - 1 }
    }
    return { views: viewsIn(String(json)), isWhole: true, epoch: at, through: Number(through) }
  }

  /** `undefined` if the events after the views were evicted or lost meanwhile. */
  private async foldRest({ views, isWhole, epoch, through }: ViewsAt): Promise<ViewsAt | undefined> {
    let at: Cursor = { stream: this.settings.stream, epoch, seq: through }
    const rest = new AudienceViews(views)
    for (;;) {
      const part = await this.reader.read(at, { maxBytes: PAGE_BYTES })
      if (part.type === 'reset') return undefined
      for (const event of part.events) rest.push(event)
      if (part.through > part.after) at = cursorAfter(part)
      if (part.through === part.after || part.closed === true) {
        return { views: rest.views(), isWhole, epoch, through: at.seq }
      }
    }
  }
}
