/** The waterfall: tasks as a tree, each row with its bar on the axis. */
import { lastAtMost } from '../model/filter.ts'
import { excerpt, number } from '../model/format.ts'
import { type Row, type VisibleRow, visibleRows } from '../model/row.ts'
import { positionOf, ticksOf, valueAt } from '../model/scale.ts'
import { byId, h, setAttribute, setText } from './dom.ts'
import { drawBars } from './row-bars.ts'
import { describe, lengthOf, lengthTitle, tokensText } from './row-texts.ts'
import type { State } from './state.ts'
import { VirtualList } from './virtual-list.ts'

const ROW_HEIGHT = 24

export class TimelinePanel {
  readonly #state: State
  readonly #tree = byId('tree')
  readonly #ruler = byId('ruler')
  readonly #list: VirtualList
  #rows: readonly VisibleRow[] = []
  /** What the rows were computed from. */
  #key = ''
  /** The row with the focus of the tree. */
  #active: Row | undefined
  #selected = -1
  /** The width of the tracks in pixels. */
  #width = 0

  constructor(state: State) {
    this.#state = state
    this.#list = new VirtualList({
      container: this.#tree,
      rowHeight: ROW_HEIGHT,
      role: 'treeitem',
      create: createRow,
      fill: (element, index) => this.#fill(element, index),
      onPick: (index, event) => this.#pick(index, event),
    })
    new ResizeObserver(() => {
      this.#width = this.#ruler.clientWidth
      state.changed()
    }).observe(this.#ruler)
    this.#tree.addEventListener('keydown', (event) => this.#onKey(event))
    this.#tree.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false })
    this.#ruler.addEventListener('pointerdown', (event) => this.#scrub(event))
    this.#ruler.addEventListener('pointermove', (event) => {
      if (event.buttons === 1) this.#scrub(event)
    })
    byId('axis-time').addEventListener('click', () => state.setAxis('time'))
    byId('axis-events').addEventListener('click', () => state.setAxis('events'))
    byId('zoom-in').addEventListener('click', () => state.zoom(2))
    byId('zoom-out').addEventListener('click', () => state.zoom(0.5))
    byId('zoom-fit').addEventListener('click', () => state.zoom(0))
  }

  update(): void {
    const { recording, selected, axis } = this.#state
    this.#refresh()
    if (selected !== this.#selected) {
      this.#selected = selected
      this.#active = this.#shown(recording.timeline.rowOf[selected])
      const index = this.#rows.findIndex(({ row }) => row === this.#active)
      if (index >= 0) this.#list.reveal(index)
    }
    setAttribute(byId('axis-time'), 'aria-pressed', String(axis === 'time'))
    setAttribute(byId('axis-events'), 'aria-pressed', String(axis === 'events'))
    setAttribute(byId('axis-time'), 'disabled', !recording.hasTimes)
    this.#drawRuler()
    this.#list.draw()
    setText(byId('row-text'), this.#active === undefined ? '' : describe(this.#active, this.#state))
  }

  /** Computes the rows anew if they may have changed. */
  #refresh(): void {
    const { recording, collapsed, toggles } = this.#state
    const { roots, size } = recording.timeline
    const key = `${size} ${roots.length} ${toggles}`
    if (key === this.#key && this.#rows[0]?.row === roots[0]) return
    this.#key = key
    this.#rows = visibleRows(roots, collapsed)
    this.#list.count = this.#rows.length
  }

  /** The row, or the collapsed row above it. */
  #shown(row: Row | undefined): Row | undefined {
    let shown = row
    for (let above = row?.parent; above !== undefined; above = above.parent) {
      if (this.#state.collapsed.has(above)) shown = above
    }
    return shown
  }

  #drawRuler(): void {
    const { scale, selected } = this.#state
    const ticks = ticksOf(scale, Math.max(3, Math.floor(this.#width / 70)))
    const elements = ticks
      .filter(({ x }) => x < 0.95)
      .map(({ x, label }) => {
        const tick = h('span', { class: 'tick' }, label)
        tick.style.left = `${x * 100}%`
        return tick
      })
    const head = h('span', { class: 'playhead' })
    const x = positionOf(scale, this.#state.valueOf(Math.max(0, selected)))
    head.style.left = `${x * 100}%`
    head.hidden = selected < 0 || x < 0 || x > 1
    this.#ruler.replaceChildren(...elements, head)
  }

  #fill(element: HTMLElement, index: number): void {
    const visible = this.#rows[index]
    if (visible === undefined) return
    const { row, level, position, siblings } = visible
    const { collapsed } = this.#state
    const hasChildren = row.children.length > 0
    setAttribute(element, 'aria-level', level)
    setAttribute(element, 'aria-posinset', position)
    setAttribute(element, 'aria-setsize', siblings)
    setAttribute(element, 'aria-expanded', hasChildren ? String(!collapsed.has(row)) : undefined)
    setAttribute(element, 'aria-selected', String(row === this.#active))
    setAttribute(element, 'aria-label', describe(row, this.#state))
    element.className = `row ${row.family} ${row.status}`
    const [label, took, track] = element.children as unknown as [HTMLElement, HTMLElement, HTMLElement]
    const [caret, family, name, tokens, mark] = label.children as unknown as HTMLElement[]
    label.style.paddingLeft = `${8 + Math.min(level - 1, 8) * 14}px`
    if (caret !== undefined) setText(caret, hasChildren ? (collapsed.has(row) ? '▸' : '▾') : '')
    if (family !== undefined) setText(family, row.family)
    if (name !== undefined) setText(name, excerpt(row.label, 120))
    if (tokens !== undefined) setText(tokens, tokensText(row))
    if (mark !== undefined) {
      mark.className = `mark ${row.severity ?? ''}`
      setText(mark, row.problems.length > 0 ? `▲ ${number(row.problems.length)}` : '')
    }
    setText(took, lengthOf(row, this.#state))
    setAttribute(took, 'title', lengthTitle(row, this.#state))
    drawBars(track, this.#width, row, this.#state)
  }

  #pick(index: number, event: MouseEvent): void {
    const visible = this.#rows[index]
    if (visible === undefined) return
    const { row } = visible
    const target = event.target as Element
    const track = target.closest('.track')
    if (target.closest('.caret') !== null && row.children.length > 0) this.#state.toggle(row)
    else if (track === null) this.#select(row)
    else {
      const { left, width } = track.getBoundingClientRect()
      this.#selectValue(valueAt(this.#state.scale, (event.clientX - left) / width))
    }
  }

  #scrub(event: PointerEvent): void {
    const { left, width } = this.#ruler.getBoundingClientRect()
    this.#selectValue(valueAt(this.#state.scale, (event.clientX - left) / width))
  }

  /** Selects the last event up to a value of the axis. */
  #selectValue(value: number): void {
    const { axis, recording } = this.#state
    this.#state.select(axis === 'time' ? lastAtMost(recording.times, value) : Math.floor(value))
  }

  #select(row: Row): void {
    this.#state.select(row.first)
    this.#active = row
    this.#state.changed()
  }

  #onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const { left, width } = this.#ruler.getBoundingClientRect()
    const around = valueAt(this.#state.scale, (event.clientX - left) / width)
    this.#state.zoom(event.deltaY < 0 ? 1.25 : 0.8, around)
  }

  #onKey(event: KeyboardEvent): void {
    // The row may have been collapsed since the last frame.
    this.#refresh()
    const at = this.#rows.findIndex(({ row }) => row === this.#active)
    const row = this.#rows[at]?.row
    const go = (index: number): void => {
      const next = this.#rows[Math.max(0, Math.min(index, this.#rows.length - 1))]
      if (next === undefined) return
      this.#active = next.row
      this.#list.reveal(this.#rows.indexOf(next))
      this.#state.changed()
    }
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      PageDown: () => go(at + this.#list.page),
      PageUp: () => go(at - this.#list.page),
      Home: () => go(0),
      End: () => go(this.#rows.length - 1),
      ArrowRight: () => {
        if (row === undefined || row.children.length === 0) return
        if (this.#state.collapsed.has(row)) this.#state.toggle(row, false)
        else go(at + 1)
      },
      ArrowLeft: () => {
        if (row === undefined) return
        if (row.children.length > 0 && !this.#state.collapsed.has(row)) this.#state.toggle(row, true)
        else if (row.parent !== undefined) go(this.#rows.findIndex((other) => other.row === row.parent))
      },
      Enter: () => row !== undefined && this.#select(row),
      ' ': () => row !== undefined && this.#select(row),
    }
    const action = keys[event.key]
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
}

function createRow(): HTMLElement {
  const label = h(
    'div',
    { class: 'label' },
    h('span', { class: 'caret', 'aria-hidden': 'true' }),
    h('span', { class: 'family' }),
    h('span', { class: 'name' }),
    h('span', { class: 'tokens' }),
    h('span', { class: 'mark' }),
  )
  return h('div', {}, label, h('div', { class: 'took' }), h('div', { class: 'track' }))
}
