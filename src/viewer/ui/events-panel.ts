/** The list of events, searched and filtered. */
import { families, familyOf } from '../model/family.ts'
import { errorsOf, isEmptyFilter, isError, lastAtMost, matchesAll, matchesOf } from '../model/filter.ts'
import { counted, number, seconds, summary } from '../model/format.ts'
import { severityWords } from '../model/problem.ts'
import { byId, h, setAttribute, setText } from './dom.ts'
import type { State } from './state.ts'
import { listKeys, VirtualList } from './virtual-list.ts'

const ROW_HEIGHT = 22

export class EventsPanel {
  readonly #state: State
  readonly #list: VirtualList
  readonly #search = byId<HTMLInputElement>('search')
  readonly #kind = byId<HTMLSelectElement>('kind')
  /** The indexes that match the filter. `undefined`: all. */
  #matches: number[] | undefined
  #matchedTo = 0
  /** The filter and the recording of the matches. */
  #matchedKey = ''
  #matchedFor: unknown
  #selected = -1
  #kindsShown = ''

  constructor(state: State) {
    this.#state = state
    this.#list = new VirtualList({
      container: byId('list'),
      rowHeight: ROW_HEIGHT,
      role: 'option',
      create: createRow,
      fill: (element, index) => this.#fill(element, index),
      onPick: (index) => state.select(this.#indexAt(index)),
    })
    listKeys(this.#list, byId('list'), {
      current: () => this.#positionOf(state.selected),
      go: (position) => state.select(this.#indexAt(position)),
    })
    byId('errors').addEventListener('click', () => {
      const onlyErrors = !state.filter.onlyErrors
      state.setFilter({ ...matchesAll, onlyErrors })
      const [first] = onlyErrors
        ? matchesOf(state.recording, state.filter, 0, state.recording.events.length)
        : []
      if (first !== undefined) state.select(first)
    })
    let timer = 0
    this.#search.addEventListener('input', () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => state.setFilter({ ...state.filter, text: this.#search.value }), 120)
    })
    this.#kind.addEventListener('change', () => {
      const { value } = this.#kind
      state.setFilter({ ...state.filter, kind: value === '!' ? '' : value, onlyProblems: value === '!' })
    })
  }

  update(): void {
    const { recording, filter, selected } = this.#state
    if (this.#matchedFor !== recording || filter.onlyErrors) this.#search.value = filter.text
    this.#showKinds()
    this.#showErrors()
    this.#match()
    this.#list.count = this.#matches?.length ?? recording.events.length
    if (selected !== this.#selected) {
      this.#selected = selected
      const position = this.#positionOf(selected)
      if (position >= 0) this.#list.reveal(position)
    }
    this.#list.draw()
  }

  /** Updates what matches, with as little as possible. */
  #match(): void {
    const { recording, filter } = this.#state
    const { length } = recording.events
    if (isEmptyFilter(filter)) {
      this.#matches = undefined
      this.#matchedFor = recording
      return
    }
    const key =
      JSON.stringify(filter) +
      (filter.onlyProblems || filter.onlyErrors ? recording.problems.severityOf.size : '')
    if (this.#matchedKey !== key || this.#matchedFor !== recording || this.#matches === undefined) {
      this.#matches = []
      this.#matchedTo = 0
      this.#matchedKey = key
      this.#matchedFor = recording
    }
    for (const index of matchesOf(recording, filter, this.#matchedTo, length)) this.#matches.push(index)
    this.#matchedTo = length
  }

  /** The kinds of the recording, with their numbers, as choices. */
  #showKinds(): void {
    const { kinds, events, problems } = this.#state.recording
    const { severityOf } = problems
    const key = `${events.length} ${kinds.size} ${severityOf.size}`
    if (key === this.#kindsShown || document.activeElement === this.#kind) return
    this.#kindsShown = key
    const groups = families.flatMap((family) => {
      const own = [...kinds].filter(([kind]) => familyOf(kind) === family)
      if (own.length === 0) return []
      const total = own.reduce((sum, [, count]) => sum + count, 0)
      const options = own.map(([kind, count]) => h('option', { value: kind }, `${kind} (${number(count)})`))
      const all = h('option', { value: family }, `All of ${family} (${number(total)})`)
      return [h('optgroup', { label: family }, ...(own.length > 1 ? [all] : []), ...options)]
    })
    this.#kind.replaceChildren(
      h('option', { value: '' }, `All kinds (${number(events.length)})`),
      h('option', { value: '!' }, `With problems (${number(severityOf.size)})`),
      ...groups,
    )
    const { filter } = this.#state
    this.#kind.value = filter.onlyProblems ? '!' : filter.kind
  }

  /** The number of errors, which filters them. */
  #showErrors(): void {
    const { recording, filter } = this.#state
    const errors = errorsOf(recording)
    const button = byId('errors')
    setAttribute(button, 'hidden', errors === 0 && !filter.onlyErrors)
    setAttribute(button, 'aria-pressed', String(filter.onlyErrors))
    setText(button, counted(errors, 'error'))
  }

  #indexAt(position: number): number {
    return this.#matches === undefined ? position : (this.#matches[position] ?? -1)
  }

  #positionOf(index: number): number {
    return this.#matches === undefined ? index : lastAtMost(this.#matches, index)
  }

  #fill(element: HTMLElement, position: number): void {
    const { recording, selected } = this.#state
    const index = this.#indexAt(position)
    const event = recording.events[index]
    if (event === undefined) return
    const severity = recording.problems.severityOf.get(index)
    element.className = `row ${familyOf(event.kind)}${index > selected ? ' later' : ''}${isError(recording, index) ? ' failed' : ''}`
    setAttribute(element, 'aria-selected', String(index === selected))
    setAttribute(element, 'aria-posinset', position + 1)
    setAttribute(element, 'aria-setsize', this.#list.count)
    const [place, time, kind, text, mark] = element.children as unknown as HTMLElement[]
    if (place !== undefined) setText(place, number(index + 1))
    if (time !== undefined) setText(time, recording.hasTimes ? seconds(recording.times[index] ?? 0) : '')
    if (kind !== undefined) setText(kind, event.kind)
    if (text !== undefined) setText(text, summary(event))
    if (mark !== undefined) {
      mark.className = `mark ${severity ?? ''}`
      setText(mark, severity === undefined ? '' : severityWords[severity])
    }
  }
}

function createRow(): HTMLElement {
  const cells = ['place', 'time', 'kind', 'text', 'mark'].map((name) => h('span', { class: name }))
  return h('div', {}, ...cells)
}
