/** What is polled for comes soon, or late on a busy machine: `vi.waitFor` and `vi.waitUntil` look often, and wait long. */
import { vi } from 'vitest'

const POLL = { interval: 10, timeout: 30_000 }

const shared = globalThis as { pollsOften?: true }
if (shared.pollsOften === undefined) {
  shared.pollsOften = true
  const { waitFor, waitUntil } = vi
  vi.waitFor = (callback, options) =>
    waitFor(callback, { ...POLL, ...(typeof options === 'number' ? { timeout: options } : options) })
  vi.waitUntil = (callback, options) =>
    waitUntil(callback, { ...POLL, ...(typeof options === 'number' ? { timeout: options } : options) })
}
