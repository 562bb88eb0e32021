/** Opening a recording: a file, the one inside the page, the example, or a live stream. */
import { messageOf } from '../../live/index.ts'
import { readInto } from '../model/reading.ts'
import type { Opener } from './app.ts'
import { breathe, byId } from './dom.ts'
import { connectLive, readLive } from './live/index.ts'
import type { State } from './state.ts'

/** The time to work before the browser may draw again, in milliseconds. */
const SLICE_MS = 24
const PIECE = 128 * 1024

/** The ways to open a recording. Each ends the one before. */
export function openers(state: State): Opener {
  let current = new AbortController()
  let connecting = new AbortController()
  const next = (following = new AbortController()): AbortSignal => {
    current.abort()
    if (connecting !== following) connecting.abort()
    current = following
    return current.signal
  }
  const setConnecting = (isConnecting: boolean): void => {
    state.isConnecting = isConnecting
    state.changed()
  }
  return {
    file: (file) => void readPieces(state, file.name, piecesOf(file), file.size, next()),
    async connect(url, authorization, name) {
      connecting.abort()
      const own = new AbortController()
      connecting = own
      setConnecting(true)
      try {
        const stream = await connectLive(url, authorization, own.signal, name)
        // What is open stays open until there is something else.
        if (!own.signal.aborted) void readLive(state, stream, next(own))
        return undefined
      } catch (error) {
        return own.signal.aborted ? undefined : messageOf(error)
      } finally {
        if (connecting === own) setConnecting(false)
      }
    },
    disconnect() {
      // What is open stays open while another stream is asked for.
      if (state.isConnecting) connecting.abort()
      else current.abort()
    },
    example: () => openContent(state, 'example-recording', next()),
  }
}

/** Opens the recording inside the page, or the stream that it names, if there is one. */
export function openEmbedded(state: State, { connect }: Opener): void {
  byId('example').hidden = contentOf('example-recording') === undefined
  openContent(state, 'recording', new AbortController().signal)
  const { name = 'recording', url } = contentOf('recording') ?? {}
  if (url === undefined) return
  void connect(new URL(url, location.href).href, '', name).then((message) => {
    if (message === undefined) return
    state.open(name)
    state.recording.report({ severity: 'error', code: 'disconnected', message })
    state.finished()
  })
}

type Content = Readonly<Record<string, string | undefined>>

/** What an element of the page has. `undefined` if it is empty. */
function contentOf(id: string): Content | undefined {
  const content = byId(id).textContent ?? ''
  return content.trim() === '' ? undefined : (JSON.parse(content) as Content)
}

function openContent(state: State, id: string, signal: AbortSignal): void {
  const { name = 'recording', text } = contentOf(id) ?? {}
  if (text !== undefined) openText(state, name, text, signal)
}

function openText(state: State, name: string, text: string, signal: AbortSignal): void {
  const pieces = async function* (): AsyncGenerator<string> {
    for (let i = 0; i < text.length; i += PIECE) yield text.slice(i, i + PIECE)
  }
  void readPieces(state, name, pieces(), text.length, signal)
}

/** The bytes of a file, in pieces. */
async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < file.size; i += PIECE) {
    yield new Uint8Array(await file.slice(i, i + PIECE).arrayBuffer())
  }
}

async function readPieces(
  state: State,
  name: string,
  pieces: AsyncIterable<Uint8Array | string>,
  size: number,
  signal: AbortSignal,
): Promise<void> {
  state.open(name)
  const { recording } = state
  const reading = readInto(recording, (dialect) => {
    state.dialect = dialect
  })
  let read = 0
  let start = performance.now()
  try {
    for await (const piece of pieces) {
      await reading.push(piece)
      if (signal.aborted) return
      read += piece.length
      if (performance.now() - start < SLICE_MS) continue
      state.progress = `Reading ${Math.round((read / Math.max(1, size)) * 100)} %`
      state.grown()
      await breathe()
      if (signal.aborted) return
      start = performance.now()
    }
    await reading.end()
  } catch (error) {
    recording.report({ severity: 'error', code: 'unreadable', message: String(error) })
  }
  if (signal.aborted) return
  state.finished()
}
