// Proves that a stream that changes all the time is read from time to time, and at once after a pause.
import type { StateLog } from 'turnstream/streams'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FollowChanges } from '../../src/server/follow-changes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a stream that changes with each event is read at most 50 times a second, and after its last change', async () => {
  let [changed, read, reads] = [0, 0, 0]
  let wake = (): void => {}
  const log: Pick<StateLog, 'changes'> = {
    async *changes(signal) {
      while (!signal.aborted) {
        yield
        if (changed > read) continue
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
  const following = new FollowChanges(log as StateLog, async () => {
    reads++
    read = changed
  })
  void following.start()
  await vi.advanceTimersByTimeAsync(100)
  const before = reads
  while (changed < 500) {
    changed++
    wake()
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(20)
  expect(read).toBe(500)
  expect(reads - before).toBeGreaterThan(1)
  expect(reads - before).toBeLessThan(30)
  await vi.advanceTimersByTimeAsync(1000)
  changed++
  wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toBe(501)
  following.stop()
  wake()
})
