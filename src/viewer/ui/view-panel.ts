/** The folded view at the position: what a user interface would show. */
import type { View } from '../../streams/view/index.ts'
import { type Block, blocksOf, changedBy } from '../model/blocks.ts'
import { counted } from '../model/format.ts'
import { byId, h, setText } from './dom.ts'
import type { State } from './state.ts'

export class ViewPanel {
  readonly #state: State
  readonly #blocks = byId('blocks')
  /** The elements of what has not changed. */
  #elements = new Map<Block['source'], HTMLElement>()
  /** The keys of blocks whose whole text is shown, and their recording. */
  readonly #whole = new Set<string>()
  #recording: unknown
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
    if (recording !== this.#recording) this.#whole.clear()
    this.#recording = recording
    this.#view = view
    this.#event = event
    const current = event === undefined ? undefined : changedBy(view, event)
    const elements = new Map<Block['source'], HTMLElement>()
    const children = blocksOf(view).map((block) => {
      const element = this.#elements.get(block.source) ?? blockElement(block, this.#whole)
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

/** Replaces only the children that differ. The focus stays where it is. */
function replaceChanged(parent: HTMLElement, children: readonly HTMLElement[]): void {
  for (const [i, child] of children.entries()) {
    const present = parent.children[i]
    if (present === child) continue
    const hasFocus = present?.contains(document.activeElement) === true
    if (present === undefined) parent.append(child)
    else parent.replaceChild(child, present)
    if (hasFocus) child.querySelector('button')?.focus({ preventScroll: true })
  }
  while (parent.children.length > children.length) parent.lastElementChild?.remove()
}

function blockElement(block: Block, whole: Set<string>): HTMLElement {
  const { source, family, title, status } = block
  if (typeof source === 'string') return h('p', { class: 'hint' }, source)
  const head = h('div', { class: 'block-head' }, h('span', { class: 'family' }, family))
  if (title !== undefined) head.append(h('span', { class: 'name' }, title))
  if (status !== undefined) head.append(h('span', { class: `status ${status}` }, status))
  const heading = 'parts' in source ? ' heading' : ''
  return h('article', { class: `block ${family}${heading}` }, head, ...bodyElements(block, whole))
}

/**
 * The text of a block, with a button that shows all of it if it is long.
 *
 * @param whole - The keys of blocks whose whole text is shown.
 */
function bodyElements({ key, body, isCode }: Block, whole: Set<string>): HTMLElement[] {
  if (body === undefined) return []
  const { shown, whole: rest } = body
  const text = h(isCode === true ? 'pre' : 'p', { class: 'body' })
  if (rest === undefined) {
    setText(text, shown)
    return [text]
  }
  const button = h('button', { type: 'button', class: 'more', onclick: () => toggle() })
  const show = (): void => {
    setText(text, whole.has(key) ? rest.text() : shown)
    setText(button, whole.has(key) ? 'Show less' : `Show all ${rest.size}`)
  }
  const toggle = (): void => {
    if (!whole.delete(key)) whole.add(key)
    show()
  }
  show()
  return [button, text]
}
