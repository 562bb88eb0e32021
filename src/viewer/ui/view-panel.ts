/** The folded view at the position: what a user interface would show. */
import type { View } from '../../streams/view/index.ts'
import { type Block, blocksOf, changedBy } from '../model/blocks.ts'
import { counted, excerpt } from '../model/format.ts'
import { byId, h, setText } from './dom.ts'
import type { State } from './state.ts'

/** The most characters of a text that are shown: its end, where it grows. */
const MAX_TEXT = 3000

/** The most characters of the input and result of a task. */
const MAX_INPUT = 1000

export class ViewPanel {
  readonly #state: State
  readonly #blocks = byId('blocks')
  /** The elements of what has not changed. */
  #elements = new Map<Block['source'], HTMLElement>()
  #view: View | undefined
  #event: unknown

  constructor(state: State) {
    this.#state = state
  }

  update(): void {
    const { recording, position, selected } = this.#state
    const view = recording.history.viewAt(position)
    const event = recording.events[selected]
    if (view === this.#view && event === this.#event) return
    this.#view = view
    this.#event = event
    const current = event === undefined ? undefined : changedBy(view, event)
    const elements = new Map<Block['source'], HTMLElement>()
    const children = blocksOf(view).map((block) => {
      const element = this.#elements.get(block.source) ?? blockElement(block)
      elements.set(block.source, element)
      element.classList.toggle('current', block.source === current)
      return element
    })
    this.#elements = elements
    replaceChanged(this.#blocks, children)
    if (current !== undefined) elements.get(current)?.scrollIntoView({ block: 'nearest' })
    const parts = view.tasks.reduce((sum, task) => sum + task.parts.length, 0)
    setText(byId('view-text'), `${counted(view.tasks.length, 'task')}, ${counted(parts, 'part')}`)
  }
}

/** Replaces only the children that differ. */
function replaceChanged(parent: HTMLElement, children: readonly HTMLElement[]): void {
  for (const [i, child] of children.entries()) {
    const present = parent.children[i]
    if (present === child) continue
    if (present === undefined) parent.append(child)
    else parent.replaceChild(child, present)
  }
  while (parent.children.length > children.length) parent.lastElementChild?.remove()
}

function blockElement({ source, family, title, status, body, isCode }: Block): HTMLElement {
  if (typeof source === 'string') return h('p', { class: 'hint' }, source)
  const isTask = 'parts' in source
  const head = h('div', { class: 'block-head' }, h('span', { class: 'family' }, family))
  if (title !== undefined) head.append(h('span', { class: 'name' }, title))
  if (status !== undefined) head.append(h('span', { class: `status ${status}` }, status))
  const element = h('article', { class: `block ${family}${isTask ? ' heading' : ''}` }, head)
  if (body !== undefined) {
    const tail = body.length > MAX_TEXT ? `… ${body.slice(-MAX_TEXT)}` : body
    const text = isTask ? excerpt(body, MAX_INPUT) : tail
    element.append(h(isCode === true ? 'pre' : 'p', { class: 'body' }, text))
  }
  return element
}
