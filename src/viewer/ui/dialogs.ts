/** The dialogs: connect, convert, help. */
import { type Conversion, conversion, type Target, targets } from '../model/conversion.ts'
import { counted, number } from '../model/format.ts'
import { hasLoss } from '../model/loss-counts.ts'
import { breathe, byId, h, setText } from './dom.ts'
import type { State } from './state.ts'

/** Events that are converted before the browser may draw again. */
const SLICE = 2000

/** Opens the dialog for a URL, and again if there is no connection: `connect` resolves to why. */
export function connectDialog(
  connect: (url: string, authorization: string) => Promise<string | undefined>,
): void {
  const dialog = byId<HTMLDialogElement>('connect-dialog')
  const showFault = (fault: string): void => {
    setText(byId('connect-fault'), fault)
    byId('connect-fault').hidden = fault === ''
  }
  const show = (fault: string): void => {
    dialog.returnValue = ''
    showFault(fault)
    if (!dialog.open) dialog.showModal()
  }
  byId('connect').addEventListener('click', () => show(''))
  // The fault is that of the URL before: the browser reports one that is not valid.
  for (const id of ['url', 'authorization']) {
    for (const type of ['input', 'invalid']) byId(id).addEventListener(type, () => showFault(''))
  }
  dialog.addEventListener('close', () => {
    const url = byId<HTMLInputElement>('url').value
    if (dialog.returnValue !== 'ok' || url === '') return
    void connect(url, byId<HTMLInputElement>('authorization').value.trim()).then((fault) => {
      if (fault !== undefined) show(`${url}: ${fault}`)
    })
  })
}

/** The dialog that converts the recording and downloads the result. */
export class ConvertDialog {
  readonly #state: State
  readonly #dialog = byId<HTMLDialogElement>('convert-dialog')
  readonly #target = byId<HTMLSelectElement>('target')
  readonly #download = byId<HTMLButtonElement>('download')
  #lines: readonly string[] = []
  #run = 0

  constructor(state: State) {
    this.#state = state
    this.#target.append(...Object.entries(targets).map(([value, { label }]) => h('option', { value }, label)))
    this.#target.addEventListener('change', () => this.#convert())
    this.#download.addEventListener('click', () => this.#save())
    byId('convert').addEventListener('click', () => {
      this.#dialog.showModal()
      void this.#convert()
    })
    this.#dialog.addEventListener('close', () => {
      this.#run++
      this.#lines = []
    })
  }

  async #convert(): Promise<void> {
    const run = ++this.#run
    const { events, losses } = this.#state.recording
    const converting = conversion(this.#target.value as Target, newId, losses)
    const lines: string[] = []
    this.#download.disabled = true
    for (let i = 0; i < events.length; i += SLICE) {
      lines.push(
        events
          .slice(i, i + SLICE)
          .map((event) => converting.push(event))
          .join(''),
      )
      setText(byId('convert-text'), `Converting ${Math.round((i / events.length) * 100)} %`)
      await breathe()
      if (run !== this.#run) return
    }
    lines.push(converting.end())
    this.#lines = lines
    this.#download.disabled = false
    this.#show(converting, lines)
  }

  #show({ losses }: Conversion, lines: readonly string[]): void {
    const size = lines.reduce((sum, line) => sum + line.length, 0)
    const lost = hasLoss(losses)
      ? 'Dropped or changed:'
      : `Nothing is lost.${losses.size > 0 ? ' Inferred:' : ''}`
    setText(byId('convert-text'), `${number(Math.ceil(size / 1024))} KB. ${lost}`)
    const table = byId('losses')
    table.hidden = losses.size === 0
    const rows = [...losses].sort(([, a], [, b]) => b - a)
    table.replaceChildren(
      h(
        'table',
        {},
        ...rows.map(([code, count]) => h('tr', {}, h('td', {}, code), h('td', {}, number(count)))),
      ),
    )
  }

  #save(): void {
    const { suffix } = targets[this.#target.value as Target]
    const url = URL.createObjectURL(new Blob([...this.#lines], { type: 'application/jsonl' }))
    const name = this.#state.name.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '') || 'recording'
    const link = h('a', { href: url, download: `${name}.${suffix}` })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
    setText(
      byId('convert-text'),
      `Downloaded ${link.download}, ${counted(this.#lines.join('').split('\n').length - 1, 'line')}.`,
    )
  }
}

/** A shortcut: its key, and what it does. */
export interface Shortcut {
  readonly key: string
  readonly label: string
  readonly run: () => void
}

/** Shortcuts of one key, which work wherever no text is entered, and the dialog that lists them. */
export function shortcutKeys(shortcuts: readonly Shortcut[]): void {
  const dialog = byId<HTMLDialogElement>('help-dialog')
  const box = byId<HTMLInputElement>('use-shortcuts')
  byId('shortcuts').append(
    ...shortcuts.flatMap(({ key, label }) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, label)]),
  )
  byId('help').addEventListener('click', () => dialog.showModal())
  document.addEventListener('keydown', (event) => {
    const target = event.target as Element
    if (!box.checked || event.ctrlKey || event.metaKey || event.altKey) return
    if (target.closest('input:not([type=range]), select, textarea, dialog[open]') !== null) return
    const shortcut = shortcuts.find(({ key }) => key === event.key.toLowerCase())
    if (shortcut === undefined) return
    event.preventDefault()
    shortcut.run()
  })
}

/** A UUID, version 4. `crypto.randomUUID` is missing in pages that come over HTTP. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hex) ?? []
  return `${a}-${b}-4${c}-8${d}-${e}`
}
