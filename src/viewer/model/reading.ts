/** Reading a recording: bytes to events of any protocol. */
import { type Detection, dialectTitles, recordingInspector } from '../../inspect/index.ts'
import { utf16Of } from '../../inspect/recording/byte-text.ts'
import type { Recording } from './recording.ts'

/** Reads a recording in pieces. Wait for each before the next one. */
export interface Reading {
  push(piece: Uint8Array | string): Promise<void>
  end(): Promise<void>
}

/**
 * Reads into a recording.
 *
 * @param onDialect - Called once, with the name of the protocol.
 * @param detection - The protocol, if it is known. Omitted, or without one: it is recognized.
 */
export function readInto(
  recording: Recording,
  onDialect: (name: string) => void,
  detection?: Detection,
): Reading {
  const from = detection?.dialect
  const inspector = recordingInspector({
    ...(from !== undefined && { from }),
    onDetection(detected) {
      const title = titleOf(detection?.dialect === undefined ? detected : detection)
      if (title !== undefined) onDialect(title)
    },
    onEvent(event, { line, entry }) {
      // The lines of a HAR file are not those of the responses in it.
      if (entry !== undefined) recording.raw = undefined
      recording.add(event, line)
    },
    onInvalid: () => recording.losses.add('invalid-event'),
    onFinding({ rule, code, severity, message, line, path, entry, eventIndex, valueIndex }) {
      if (code !== undefined) recording.losses.add(code)
      const problem = {
        severity,
        code: rule ?? code ?? '',
        message,
        line,
        ...(path !== undefined && { path }),
        ...(entry !== undefined && { entry }),
        ...(eventIndex !== undefined && { index: eventIndex }),
      }
      // A value that is read as no event may share its line with others; the events of an entry have its line.
      recording.report(problem, valueIndex === undefined && entry === undefined)
    },
  })
  let decoder: TextDecoder | undefined
  const textOf = (piece: Uint8Array): string => {
    decoder ??= new TextDecoder(utf16Of(piece))
    return decoder.decode(piece, { stream: true })
  }
  return {
    push(piece) {
      // A binary event stream has messages in place of lines.
      if (decoder === undefined && piece[0] === 0) recording.raw = undefined
      recording.raw?.push(typeof piece === 'string' ? piece : textOf(piece))
      return inspector.push(piece)
    },
    async end() {
      await inspector.end()
      recording.problems.settle()
    },
  }
}

/** The name of what a recording seems to be. `undefined` if nothing of it is known. */
function titleOf({ dialect, runnerUp, isCertain }: Detection): string | undefined {
  if (dialect === undefined) return undefined
  return (
    dialectTitles[dialect] + (isCertain || runnerUp === undefined ? '' : ` (or ${dialectTitles[runnerUp]})`)
  )
}
