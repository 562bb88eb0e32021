/** The page: panels over one state. */

import { ConvertDialog, connectDialog, shortcutKeys } from './dialogs.ts'
import { byId, framed, setAttribute, setText } from './dom.ts'
import { EventPanel } from './event-panel.ts'
import { EventsPanel } from './events-panel.ts'
import { ProblemsPanel } from './problems-panel.ts'
import { Scrubber } from './scrubber.ts'
import { State } from './state.ts'
import { TimelinePanel } from './timeline-panel.ts'
import { ViewPanel } from './view-panel.ts'

/** What the page opens recordings with. */
export interface Opener {
  readonly file: (file: File) => void
  /** Resolves to why there is no connection; to `undefined` if there is one, or something else was opened. */
  readonly connect: (url: string, authorization: string, name?: string) => Promise<string | undefined>
  /** Ends the live stream, or the attempt to connect to one. */
  readonly disconnect: () => void
  readonly example: () => void
}

/** Wires up the page. */
export function startPage(opener: (state: State) => Opener): {
  readonly state: State
  readonly opener: Opener
} {
  const state: State = new State(framed(() => update()))
  const opens = opener(state)
  const problems = new ProblemsPanel(state)
  const panels = [
    new Scrubber(state),
    new TimelinePanel(state),
    new EventsPanel(state),
    new ViewPanel(state),
    new EventPanel(state),
    problems,
  ]
  new ConvertDialog(state)
  connectDialog(opens.connect)
  openFiles(opens.file)
  byId('example').addEventListener('click', opens.example)
  byId('disconnect').addEventListener('click', opens.disconnect)
  choosePanels()
  for (const button of document.querySelectorAll('dialog .close')) {
    button.addEventListener('click', () => button.closest('dialog')?.close())
  }
  shortcutKeys([
    { key: 'o', label: 'Open a file', run: () => byId('file').click() },
    { key: 'j', label: 'Next event', run: () => state.step(1) },
    { key: 'k', label: 'Previous event', run: () => state.step(-1) },
    { key: 'n', label: 'Next problem', run: () => problems.step(1) },
    { key: 'p', label: 'Previous problem', run: () => problems.step(-1) },
    { key: '/', label: 'Search events', run: () => byId('search').focus() },
    { key: '+', label: 'Zoom in', run: () => state.zoom(2) },
    { key: '-', label: 'Zoom out', run: () => state.zoom(0.5) },
    { key: '0', label: 'Show everything', run: () => state.zoom(0) },
    {
      key: 't',
      label: 'Axis: time or events',
      run: () => state.setAxis(state.axis === 'time' ? 'events' : 'time'),
    },
    { key: '?', label: 'This list', run: () => byId('help').click() },
  ])

  function update(): void {
    const isOpen = state.name !== ''
    byId('empty').hidden = isOpen
    byId('workspace').hidden = !isOpen
    setText(byId('source'), isOpen ? [state.name, state.dialect].filter(Boolean).join(' · ') : '')
    setText(byId('progress'), state.isConnecting ? 'Connecting' : state.progress)
    showDisconnect(state.isConnecting || state.live !== undefined)
    setAttribute(byId('convert'), 'disabled', state.recording.events.length === 0)
    document.title = isOpen ? `${state.name} – turnstream viewer` : 'turnstream viewer'
    if (isOpen) for (const panel of panels) panel.update()
  }

  return { state, opener: opens }
}

/** Shows the button that ends a live stream. The focus moves on when it is hidden. */
function showDisconnect(isLive: boolean): void {
  const button = byId('disconnect')
  if (!isLive && document.activeElement === button) byId('connect').focus()
  button.hidden = !isLive
}

/** Files: chosen, or dropped anywhere. */
function openFiles(open: (file: File) => void): void {
  const input = byId<HTMLInputElement>('file')
  for (const id of ['open', 'choose']) byId(id).addEventListener('click', () => input.click())
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file !== undefined) open(file)
    input.value = ''
  })
  const drop = byId('drop')
  document.addEventListener('dragover', (event) => {
    event.preventDefault()
    drop.hidden = false
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) drop.hidden = true
  })
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    drop.hidden = true
    const file = event.dataTransfer?.files[0]
    if (file !== undefined) open(file)
  })
}

/** On narrow screens, one panel is shown at a time. */
function choosePanels(): void {
  const buttons = [...byId('panels').querySelectorAll('button')]
  const narrow = matchMedia('(max-width: 639px)')
  let chosen: string | undefined
  const show = (): void => {
    // On wider screens, the timeline is always shown.
    const panel = chosen === undefined || (chosen === 'timeline' && !narrow.matches) ? first() : chosen
    for (const button of buttons) setAttribute(button, 'aria-pressed', String(button.dataset.panel === panel))
    setAttribute(byId('grid'), 'data-panel', panel)
  }
  const first = (): string => (narrow.matches ? 'timeline' : 'view')
  for (const button of buttons) {
    button.addEventListener('click', () => {
      chosen = button.dataset.panel
      show()
    })
  }
  narrow.addEventListener('change', show)
  show()
}
