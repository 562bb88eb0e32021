/** Recordings of model servers, and bytes in chunks as a network delivers them. */
import { existsSync, readFileSync } from 'node:fs'
import { encodeMessage } from 'turnstream/sse'

/**
 * Reads a recording as the bytes the server sent: a `.sse` file unchanged; in any other file each line is the
 * data of one message.
 */
export function readRecording(path: string | URL): Uint8Array {
  const bytes = readFileSync(path)
  if (String(path).endsWith('.sse')) return bytes
  const lines = bytes.toString('utf8').split(/\r?\n/)
  const messages = lines.filter((line) => line.trim() !== '').map((data) => encodeMessage({ data }))
  return new TextEncoder().encode(messages.join(''))
}

/** The recording with a name, such as `chat`. */
export function recordingOf(name: string): URL {
  const url = new URL(`recordings/${name}.sse`, import.meta.url)
  return existsSync(url) ? url : new URL(`recordings/${name}.jsonl`, import.meta.url)
}

/** Cuts bytes into chunks; the sizes repeat. */
export function* cutInto(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? bytes.length
    yield bytes.subarray(at, at + size)
    at += size
  }
}
