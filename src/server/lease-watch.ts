/** The timer of a store that looks for expired leases, of all its streams. */

import { startTimer, stopTimer } from '../core/timer.ts'

/** Where leases may have expired. */
export interface LeaseSource {
  /** The streams with leases that have expired, also of those that are not open here. */
  due(): Promise<readonly string[]>
  /** Notes that a stream no longer exists. */
  gone?(stream: string): Promise<unknown>
}

/** How many streams are looked at at once: after the crash of a large process, many are due. */
const AT_ONCE = 16

/**
 * Looks at once, and then again and again.
 *
 * @param look - Takes over what has expired in a stream.
 * @param onError - Called with what failed; it is tried again.
 * @returns Stops it, and resolves when it looks no more.
 */
export function watchLeases(
  everyMs: number,
  due: () => Promise<readonly string[]>,
  look: (stream: string) => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let isStopped = false
  let looked = Promise.resolve()
  let timer = startTimer(begin, 0)

  function begin(): void {
    looked = tick()
  }

  async function tick(): Promise<void> {
    try {
      const streams = [...(await due())]
      while (streams.length > 0 && !isStopped) {
        await Promise.all(streams.splice(0, AT_ONCE).map((stream) => look(stream).catch(onError)))
      }
    } catch (error) {
      onError(error)
    }
    if (!isStopped) timer = startTimer(begin, everyMs)
  }

  return () => {
    isStopped = true
    stopTimer(timer)
    return looked
  }
}
