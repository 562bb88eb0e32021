/** A list of any length: only the rows in sight are elements. */
import { h, setAttribute } from './dom.ts'

/** Browsers do not lay out higher elements reliably. Beyond it, one pixel of scrolling is more than one of the list. */
const MAX_HEIGHT = 12_000_000

export interface VirtualListOptions {
  /** The element that scrolls. It has the focus, and the role of a list or tree. */
  readonly container: HTMLElement
  /** In pixels. */
  readonly rowHeight: number
  /** The role of a row. */
  readonly role: string
  /** Creates the element of a row. It is used for one row after the other. */
  readonly create: () => HTMLElement
  /** Shows a row in its element. */
  readonly fill: (element: HTMLElement, index: number) => void
  readonly onPick: (index: number, event: MouseEvent) => void
}

export class VirtualList {
  readonly #options: VirtualListOptions
  readonly #spacer = h('div', { class: 'spacer', role: 'presentation' })
  readonly #rows: HTMLElement[] = []
  #count = 0
  /** The height of the container, and how far it is scrolled: reading them from the page would lay it out. */
  #height = 0
  #top = 0
  /** The row to scroll into sight once the list is visible. */
  #pending: number | undefined

  constructor(options: VirtualListOptions) {
    this.#options = options
    const { container } = options
    container.append(this.#spacer)
    container.addEventListener(
      'scroll',
      () => {
        this.#top = container.scrollTop
        this.draw()
      },
      { passive: true },
    )
    new ResizeObserver(() => {
      this.#height = container.clientHeight
      if (this.#pending !== undefined) this.reveal(this.#pending)
      this.draw()
    }).observe(container)
    container.addEventListener('click', (event) => {
      const row = (event.target as Element).closest<HTMLElement>('[data-index]')
      if (row !== null) options.onPick(Number(row.dataset.index), event)
    })
  }

  /** Sets the number of rows. */
  set count(count: number) {
    if (count === this.#count) return
    this.#count = count
    this.#spacer.style.height = `${Math.min(MAX_HEIGHT, count * this.#options.rowHeight)}px`
    this.#top = Math.max(0, Math.min(this.#top, this.#lowest()))
  }

  get count(): number {
    return this.#count
  }

  /** The number of rows that fit. */
  get page(): number {
    return Math.max(1, Math.floor(this.#height / this.#options.rowHeight) - 1)
  }

  /** Shows the rows in sight. */
  draw(): void {
    const { container, rowHeight, create, fill, role } = this.#options
    if (this.#height === 0) return
    const offset = this.#top * this.#ratio()
    const first = Math.max(0, Math.floor(offset / rowHeight) - 2)
    const wanted = Math.min(this.#count - first, Math.ceil(this.#height / rowHeight) + 5)
    while (this.#rows.length < wanted) {
      const row = create()
      row.id = `${container.id}-${this.#rows.length}`
      row.setAttribute('role', role)
      this.#rows.push(row)
      this.#spacer.append(row)
    }
    let active: string | undefined
    for (const [i, row] of this.#rows.entries()) {
      setAttribute(row, 'hidden', i >= wanted)
      if (i >= wanted) continue
      const index = first + i
      setAttribute(row, 'data-index', index)
      const transform = `translateY(${Math.round(this.#top + index * rowHeight - offset)}px)`
      if (row.style.transform !== transform) row.style.transform = transform
      fill(row, index)
      if (row.getAttribute('aria-selected') === 'true') active = row.id
    }
    setAttribute(container, 'aria-activedescendant', active)
  }

  /** Scrolls a row into sight, if it is not. */
  reveal(index: number): void {
    const height = this.#height
    this.#pending = height === 0 ? index : undefined
    if (height === 0) return
    const { rowHeight } = this.#options
    const offset = this.#top * this.#ratio()
    const top = index * rowHeight
    if (top < offset) this.#scrollTo(top - (top < offset - height ? height / 2 : 0))
    else if (top + rowHeight > offset + height) {
      this.#scrollTo(top + rowHeight - height + (top > offset + 2 * height ? height / 2 : 0))
    }
  }

  #scrollTo(offset: number): void {
    this.#top = Math.max(0, Math.min(Math.round(offset / this.#ratio()), this.#lowest()))
    this.#options.container.scrollTop = this.#top
  }

  /** How far the container can be scrolled. */
  #lowest(): number {
    return Math.max(0, Math.min(MAX_HEIGHT, this.#count * this.#options.rowHeight) - this.#height)
  }

  /** Pixels of the list for one of scrolling. */
  #ratio(): number {
    const height = this.#count * this.#options.rowHeight
    if (height <= MAX_HEIGHT) return 1
    return (height - this.#height) / (MAX_HEIGHT - this.#height)
  }
}

/** The keys of a list: arrows, pages, Home and End. */
export function listKeys(
  list: VirtualList,
  container: HTMLElement,
  { current, go }: { readonly current: () => number; readonly go: (index: number) => void },
): void {
  container.addEventListener('keydown', (event) => {
    const moves: Readonly<Record<string, () => number>> = {
      ArrowDown: () => current() + 1,
      ArrowUp: () => current() - 1,
      PageDown: () => current() + list.page,
      PageUp: () => current() - list.page,
      Home: () => 0,
      End: () => list.count - 1,
    }
    const move = moves[event.key]
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey || list.count === 0) return
    event.preventDefault()
    event.stopPropagation()
    go(Math.max(0, Math.min(move(), list.count - 1)))
  })
}
