/** What the page shows, and how the panels change it. */
import type { EventFilter } from '../model/filter.ts'
import { matchesAll } from '../model/filter.ts'
import { Recording } from '../model/recording.ts'
import type { Row } from '../model/row.ts'
import { type Axis, fullScale, revealed, type Scale, zoom } from '../model/scale.ts'

export class State {
  recording: Recording = new Recording()
  /** The name of the file or the URL. Empty: nothing is open. */
  name = ''
  /** The protocol of the recording. */
  dialect = ''
  /** What is going on, such as `Reading 40 %`. Empty: nothing is. */
  progress = ''
  /** Whether a stream is asked for, which is opened in place of the recording if there is one. */
  isConnecting = false
  /** Aborted to end the live stream. `undefined` if there is no live stream. */
  live: AbortSignal | undefined
  /** How many events are folded. The last of them is selected. */
  position = 0
  /** Whether more events may come. */
  isReading = false
  /** Whether the position stays at the end while events arrive. */
  isFollowing = false
  #axis: Axis | undefined
  scale: Scale = fullScale('time', 0)
  readonly collapsed: Set<Row> = new Set()
  /** How often a row was collapsed or expanded. */
  toggles = 0
  filter: EventFilter = matchesAll
  readonly #changed: () => void

  /** @param changed - Called after each change. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** The index of the selected event. −1: none. */
  get selected(): number {
    return this.position - 1
  }

  /** What the axis counts: time, unless the events have none. */
  get axis(): Axis {
    return this.#axis ?? (this.recording.hasTimes ? 'time' : 'events')
  }

  /** The end of the axis. */
  get end(): number {
    return this.axis === 'time' ? (this.recording.times.at(-1) ?? 0) : this.recording.events.length
  }

  /** The value of an event on the axis. */
  valueOf(index: number): number {
    return this.axis === 'time' ? (this.recording.times[index] ?? 0) : index
  }

  /** Opens an empty recording, to be filled. */
  open(name: string): void {
    this.name = name
    this.dialect = ''
    this.progress = ''
    this.live = undefined
    this.filter = matchesAll
    this.#axis = undefined
    this.restart()
  }

  /** Starts again without events: what was received is no longer valid. */
  restart(): void {
    this.recording = new Recording()
    this.position = 0
    this.isReading = true
    this.isFollowing = true
    this.collapsed.clear()
    this.toggles++
    this.grown()
  }

  /** No more events come. `progress` is what is shown of it. */
  finished(progress = ''): void {
    this.grown()
    this.progress = progress
    this.live = undefined
    this.isReading = false
    this.isFollowing = false
    this.changed()
  }

  /** Shows what was added to the recording. */
  grown(): void {
    if (this.isFollowing) this.position = this.recording.events.length
    const { from, to, axis } = this.scale
    if (axis !== this.axis || from === 0 || to > this.end) this.scale = fullScale(this.axis, this.end)
    this.changed()
  }

  /** Selects an event and folds all up to it. −1: none. */
  select(index: number): void {
    const last = this.recording.events.length - 1
    const wanted = Math.max(-1, Math.min(index, last))
    this.isFollowing = this.isReading && wanted === last
    this.position = wanted + 1
    if (wanted >= 0) this.scale = revealed(this.scale, this.valueOf(wanted), this.end)
    this.changed()
  }

  /** Moves the selection by a number of events. */
  step(by: number): void {
    this.select(this.selected + by)
  }

  /** Chooses the axis. There is no axis of time without times. */
  setAxis(axis: Axis): void {
    if (axis === 'time' && !this.recording.hasTimes) return
    this.#axis = axis
    this.scale = fullScale(axis, this.end)
    this.changed()
  }

  /** Zooms around a value of the axis. `factor` 0 shows everything. */
  zoom(factor: number, around: number = this.valueOf(Math.max(0, this.selected))): void {
    this.scale = factor === 0 ? fullScale(this.axis, this.end) : zoom(this.scale, factor, around, this.end)
    this.changed()
  }

  toggle(row: Row, isCollapsed: boolean = !this.collapsed.has(row)): void {
    this.toggles++
    if (isCollapsed) this.collapsed.add(row)
    else this.collapsed.delete(row)
    this.changed()
  }

  setFilter(filter: EventFilter): void {
    this.filter = filter
    this.changed()
  }

  changed(): void {
    this.#changed()
  }
}
