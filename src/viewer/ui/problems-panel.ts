/** The list of problems. Choosing one selects its event. */
import { counted, excerpt, number } from '../model/format.ts'
import { type Problem, severityWords } from '../model/problem.ts'
import { byId, h, setAttribute, setText } from './dom.ts'
import type { State } from './state.ts'
import { listKeys, VirtualList } from './virtual-list.ts'

const ROW_HEIGHT = 40

export class ProblemsPanel {
  readonly #state: State
  readonly #list: VirtualList
  #active = -1
  #shownFor: unknown

  constructor(state: State) {
    this.#state = state
    this.#list = new VirtualList({
      container: byId('problem-list'),
      rowHeight: ROW_HEIGHT,
      role: 'option',
      create: createRow,
      fill: (element, index) => this.#fill(element, index),
      onPick: (index) => this.go(index),
    })
    listKeys(this.#list, byId('problem-list'), { current: () => this.#active, go: (index) => this.go(index) })
  }

  /** Goes to a problem and its event, or to the last one before it. */
  go(index: number): void {
    const problem = this.#state.recording.problems.all[index]
    if (problem === undefined) return
    this.#active = index
    this.#list.reveal(index)
    this.#state.select(placeOf(problem))
  }

  /** Goes to the next or previous event with a problem, or with one after it. */
  step(by: 1 | -1): void {
    const { recording, selected } = this.#state
    const { all, places } = recording.problems
    const sorted = [...places].sort((a, b) => a - b)
    const next = by === 1 ? sorted.find((at) => at > selected) : sorted.findLast((at) => at < selected)
    if (next === undefined) return
    this.go(all.findIndex((problem) => problem.severity !== 'info' && placeOf(problem) === next))
  }

  update(): void {
    const { recording } = this.#state
    if (this.#shownFor !== recording) {
      this.#shownFor = recording
      this.#active = -1
    }
    const { error, warn, info } = recording.problems.counts
    this.#list.count = recording.problems.all.length
    const words = [
      error > 0 && counted(error, 'error'),
      warn > 0 && counted(warn, 'warning'),
      info > 0 && counted(info, 'note'),
    ].filter(Boolean)
    setText(byId('problems-text'), words.length === 0 ? 'none' : words.join(', '))
    setAttribute(byId('grid'), 'data-problems', recording.problems.all.length > 0)
    const active = recording.problems.all[this.#active]
    setText(byId('problem-text'), active === undefined ? '' : excerpt(active.message, 2000))
    byId('problem-text').hidden = active === undefined
    this.#list.draw()
  }

  #fill(element: HTMLElement, index: number): void {
    const problem = this.#state.recording.problems.all[index]
    if (problem === undefined) return
    const { severity, code, message, index: at, line, entry, count } = problem
    element.className = `row problem ${severity}`
    setAttribute(element, 'aria-selected', String(index === this.#active))
    setAttribute(element, 'aria-posinset', index + 1)
    setAttribute(element, 'aria-setsize', this.#list.count)
    const [head, text] = element.children as unknown as HTMLElement[]
    const [word, name, place] = (head?.children ?? []) as unknown as HTMLElement[]
    if (word !== undefined) setText(word, severityWords[severity])
    if (name !== undefined) setText(name, count > 1 ? `${code} × ${number(count)}` : code)
    if (place !== undefined) {
      const ownLine = at === undefined ? line : recordedLine(this.#state, at)
      const words = [
        at !== undefined && `event ${number(at + 1)}`,
        entry !== undefined && `entry ${number(entry)}`,
        ownLine !== undefined && `line ${number(ownLine)}`,
      ]
      setText(place, words.filter(Boolean).join(' · '))
    }
    if (text !== undefined) setText(text, excerpt(message, 300))
  }
}

/** The event to show a problem at. */
function placeOf({ index, after }: Problem): number {
  return index ?? after
}

function recordedLine({ recording }: State, index: number): number | undefined {
  const line = recording.lines[index] ?? 0
  return line > 0 ? line : undefined
}

function createRow(): HTMLElement {
  const head = h('div', { class: 'problem-head' }, h('strong'), h('code'), h('span', { class: 'place' }))
  return h('div', {}, head, h('div', { class: 'text' }))
}
