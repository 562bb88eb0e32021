/** The selected event as JSON, with its problems. */
import { excerpt, number } from '../model/format.ts'
import { jsonTokens } from '../model/json-tokens.ts'
import { type Problem, severityWords } from '../model/problem.ts'
import { byId, h, setText } from './dom.ts'
import type { State } from './state.ts'

/** The most characters that are shown. Copying gives all. */
const MAX_TEXT = 40_000

export class EventPanel {
  readonly #state: State
  #shown: unknown
  #problems = -1

  constructor(state: State) {
    this.#state = state
    const copy = byId<HTMLButtonElement>('copy')
    copy.addEventListener('click', async () => {
      const event = state.recording.events[state.selected]
      if (event === undefined) return
      await navigator.clipboard?.writeText(JSON.stringify(event, null, 2)).catch(() => undefined)
      setText(copy, 'Copied')
      setTimeout(() => setText(copy, 'Copy'), 1500)
    })
  }

  update(): void {
    const { recording, selected } = this.#state
    const event = recording.events[selected]
    const { all } = recording.problems
    const { length } = all
    if (event === this.#shown && length === this.#problems) return
    this.#shown = event
    this.#problems = length
    byId<HTMLButtonElement>('copy').disabled = event === undefined
    const line = recording.lines[selected] ?? 0
    setText(
      byId('event-title'),
      event === undefined
        ? 'Event'
        : `Event ${number(selected + 1)}${line > 0 ? ` · line ${number(line)}` : ''}`,
    )
    const problems = all.filter(({ index }) => index === selected)
    byId('event-problems').replaceChildren(...problems.slice(0, 20).map(problemElement))
    const json = event === undefined ? '' : JSON.stringify(event, null, 2)
    const raw = event === undefined ? '' : recording.rawOf(selected)
    byId('json').replaceChildren(
      ...jsonTokens(shown(json)).map(({ type, text: part }) => h('span', { class: type }, part)),
      ...(raw === '' ? [] : [h('h3', {}, 'As it came'), shown(raw)]),
    )
  }
}

function shown(text: string): string {
  return text.length > MAX_TEXT ? `${excerpt(text, MAX_TEXT)}\n${number(text.length)} characters` : text
}

function problemElement({ severity, code, message, path }: Problem): HTMLElement {
  const place = path === undefined || path === '' ? '' : ` at ${excerpt(path, 80)}`
  return h(
    'p',
    { class: `problem ${severity}` },
    h('strong', {}, severityWords[severity]),
    ` ${excerpt(message, 500)} `,
    h('code', {}, `${code}${place}`),
  )
}
