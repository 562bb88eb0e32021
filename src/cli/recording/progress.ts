/** How much of a long recording was read, for a person who waits. */

import type { Terminal } from '../terminal.ts'
import type { Input } from './input.ts'

/** A short recording is read before anyone wonders. */
const FIRST_MS = 1000
const EVERY_MS = 250

/** The chunks of a recording, with a line on standard error while they are read, if it is a terminal. */
export async function* withProgress({ chunks, size }: Input, terminal: Terminal): AsyncGenerator<Uint8Array> {
  if (terminal.isInteractive !== true) {
    yield* chunks
    return
  }
  let bytes = 0
  const start = Date.now()
  let next = start + FIRST_MS
  let isShown = false
  try {
    for await (const chunk of chunks) {
      yield chunk
      bytes += chunk.length
      const now = Date.now()
      if (now < next) continue
      next = now + EVERY_MS
      isShown = true
      terminal.err(`\r\u001b[K${progressLine(bytes, size, now - start)}`)
    }
  } finally {
    if (isShown) terminal.err('\r\u001b[K')
  }
}

/** One line: how much, of how much, how fast. */
export function progressLine(bytes: number, size: number | undefined, ms: number): string {
  const read = `${(bytes / 1e6).toFixed(0)} MB`
  const speed = `${(bytes / 1e3 / Math.max(1, ms)).toFixed(0)} MB/s`
  if (size === undefined || size === 0) return `Read ${read}, ${speed}`
  return `Read ${read} of ${(size / 1e6).toFixed(0)} MB (${Math.floor((bytes / size) * 100)} %), ${speed}`
}
