/** The position: a slider over an overview of the recording, and the figures of it. */
import { familyOf } from '../model/family.ts'
import { figuresOf } from '../model/figures.ts'
import { duration, number } from '../model/format.ts'
import { byId, h, setAttribute, setText } from './dom.ts'
import type { State } from './state.ts'

export class Scrubber {
  readonly #state: State
  readonly #slider = byId<HTMLInputElement>('position')
  readonly #overview = byId<HTMLCanvasElement>('overview')
  #drawn = ''
  #figures = ''

  constructor(state: State) {
    this.#state = state
    this.#slider.addEventListener('input', () => state.select(Number(this.#slider.value) - 1))
    byId('previous').addEventListener('click', () => state.step(-1))
    byId('next').addEventListener('click', () => state.step(1))
    new ResizeObserver(() => this.#draw()).observe(this.#overview)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.#drawn = ''
      this.#draw()
    })
  }

  update(): void {
    const { recording, position, selected } = this.#state
    const { length } = recording.events
    setAttribute(this.#slider, 'max', length)
    if (this.#slider.value !== String(position)) this.#slider.value = String(position)
    const event = recording.events[selected]
    const time = recording.hasTimes && event !== undefined ? duration(recording.times[selected] ?? 0) : ''
    setText(
      byId('position-text'),
      `${number(position)} / ${number(length)}${time === '' ? '' : ` · ${time}`}`,
    )
    const words = [`event ${position} of ${length}`, event?.kind, time].filter(Boolean)
    setAttribute(this.#slider, 'aria-valuetext', words.join(', '))
    this.#draw()
    this.#showFigures()
  }

  #showFigures(): void {
    const figures = figuresOf(this.#state.recording)
    const key = JSON.stringify(figures)
    if (key === this.#figures) return
    this.#figures = key
    byId('figures').replaceChildren(
      ...figures.map(({ label, value, severity }) =>
        h('div', { class: severity }, h('dt', {}, label), h('dd', {}, value)),
      ),
    )
  }

  /** Draws a column for each pixel: the color of its last event, and marks of problems. */
  #draw(): void {
    const { recording } = this.#state
    const { clientWidth: width, clientHeight: height } = this.#overview
    const { length } = recording.events
    const key = `${width} ${height} ${length} ${recording.problems.severityOf.size}`
    const context = this.#overview.getContext('2d')
    if (key === this.#drawn || width === 0 || context === null) return
    this.#drawn = key
    const ratio = devicePixelRatio
    const columns = Math.round(width * ratio)
    this.#overview.width = columns
    this.#overview.height = Math.round(height * ratio)
    const style = getComputedStyle(this.#overview)
    const colors = new Map<string, string>()
    const color = (name: string): string => {
      const known = colors.get(name) ?? style.getPropertyValue(`--${name}`)
      colors.set(name, known)
      return known
    }
    for (let x = 0; x < columns; x++) {
      const index = Math.floor((x / columns) * length)
      const event = recording.events[index]
      if (event === undefined) break
      context.fillStyle = color(familyOf(event.kind))
      context.fillRect(x, 6 * ratio, 1, this.#overview.height)
    }
    for (const [index, severity] of recording.problems.severityOf) {
      context.fillStyle = color(severity)
      context.fillRect(Math.floor((index / length) * columns), 0, 2 * ratio, 5 * ratio)
    }
  }
}
