/** What is full: every call ends by its deadline and says why, and what was appended again once there is room is stored once. */
import { equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextAnyEvent } from 'turnstream'
import type { EventLog } from 'turnstream/streams'
import { Skipped } from './step.ts'

/** The deadline of the logs. */
export const TIMEOUT_MS = 1500
/** How much later than its deadline a call may end on a busy machine. */
const SLACK_MS = 3000
/** How many events are appended at most until it is full. */
const MOST = 2000

const eventOf = (index: number): ContextAnyEvent => ({
  ...{ kind: 'content-delta', contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' },
  ...{ delta: 'x'.repeat(20_000), index },
})

/**
 * Appends until it is full, and again once there is room. Resolves to what was seen.
 *
 * @param open - Opens the log: a second one reads what is stored.
 * @param makeFull - Called before the second event.
 * @param code - With what it rejects.
 */
export async function fullAndAgain(
  open: () => Promise<EventLog>,
  {
    makeFull,
    makeRoom,
    code: expected = 'unavailable',
  }: { makeFull(): unknown; makeRoom(): unknown; readonly code?: string },
): Promise<string> {
  const log = await open()
  await log.append(eventOf(0))
  await makeFull()
  const refused: ContextAnyEvent[] = []
  let [count, code, message, longest] = [1, '', '', 0]
  for (; count < MOST && refused.length < 3; count++) {
    const [event, start] = [eventOf(count), Date.now()]
    await log.append(event).catch((error: { code: string; message: string }) => {
      refused.push(event)
      code = error.code
      message = error.message
    })
    longest = Math.max(longest, Date.now() - start)
  }
  equal(refused.length, 3, 'events that are not stored')
  equal(code, expected)
  match(message, /full|memory|space|disk|ECONN|terminat|shutting/i)
  ok(longest < TIMEOUT_MS + SLACK_MS, `an append ended after ${longest} ms`)
  await makeRoom()
  for (const event of refused) {
    for (let attempt = 0; ; attempt++) {
      const error = await log.append(event).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (error === undefined) break
      if (attempt === 30) throw error
      await sleep(300)
    }
  }
  const reader = await open()
  const { events = [] } = await reader.read(undefined, { maxBytes: 1e9 })
  const indexes = events.map((event) => ('index' in event ? event.index : -1))
  // What was stored between two that were refused stands before them.
  equal(indexes.length, count, 'stored events')
  equal(new Set(indexes).size, count, 'different events')
  return `${code} within ${longest} ms after ${count - refused.length} events: ${message}`
}

/** A disk of its own, which other accounts reach too. */
export interface Disk {
  readonly folder: string
  /** Fills it but for so many bytes. */
  fill(left: number): void
  free(): void
}

export async function onDisk<T>(mebibytes: number, task: (disk: Disk) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'turnstream-disk-'))
  const options = `size=${mebibytes}m,mode=777`
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    throw new Skipped('no disk of its own can be mounted here: run it as root')
  }
  const filler = join(folder, 'filler')
  try {
    return await task({
      folder,
      fill(left) {
        const { bavail, bsize } = statfsSync(folder)
        writeFileSync(filler, new Uint8Array(Math.max(0, bavail * bsize - left)))
      },
      free: () => rmSync(filler, { force: true }),
    })
  } finally {
    execFileSync('umount', ['-l', folder])
    rmdirSync(folder)
  }
}
