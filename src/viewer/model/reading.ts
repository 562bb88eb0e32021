/** Reading a recording: bytes to events of any protocol. */
import { dialectTitles, recordingInspector } from '../../inspect/index.ts'
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
 */
export function readInto(recording: Recording, onDialect: (name: string) => void): Reading {
  const inspector = recordingInspector({
    onDetection({ dialect, runnerUp, isCertain }) {
      if (dialect === undefined) return
      const other = isCertain || runnerUp === undefined ? '' : ` (or ${dialectTitles[runnerUp]})`
      onDialect(dialectTitles[dialect] + other)
    },
    onEvent: (event, { line }) => recording.add(event, line),
    onFinding({ rule, code, severity, message, line, path }) {
      recording.report({
        severity,
        code: rule ?? code ?? '',
        message,
        line,
        ...(path !== undefined && { path }),
      })
    },
  })
  return {
    push: (piece) => inspector.push(piece),
    async end() {
      await inspector.end()
      recording.problems.settle()
    },
  }
}
