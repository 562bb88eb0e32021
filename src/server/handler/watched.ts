/** Watching over a response: whether its reader is still signed in, and when it is over. */

import { startTimer, stopTimer } from '../../core/timer.ts'

/** What a response needs while it is open. */
export interface Watch {
  /** Asks whether its reader is still who it was. */
  readonly isSignedIn: () => Promise<boolean>
  readonly everyMs: number
  /** Ends the response: aborted soon after its reader has signed out, and when it is over. */
  readonly end: AbortController
  /** Called once when the response is over, however it ends. */
  readonly onOver: () => void
  /** Aborted before, if its reader has signed out: what has come of it is not all. */
  readonly cut: AbortController
}

/** Watches over a response from now on. Returns what to call when it is over. */
export function watchSignIn({ isSignedIn, everyMs, end, cut, onOver }: Watch): () => void {
  let timer: unknown
  let isOver = false
  const schedule = (): void => {
    timer = startTimer(() => void check(), everyMs)
  }
  async function check(): Promise<void> {
    if (await isSignedIn().catch(() => false)) {
      if (!isOver) schedule()
    } else {
      cut.abort(new Error('The user has signed out.'))
      end.abort()
    }
  }
  schedule()
  return () => {
    if (isOver) return
    isOver = true
    stopTimer(timer)
    // What waits for the next event stops waiting.
    end.abort()
    onOver()
  }
}

/**
 * A body that states when it is over: read to its end, failed, or left by its reader.
 *
 * @param cut - Aborted if its reader has signed out: then it fails. Omitted: it ends, and its reader knows that there is more.
 * @param onError - Called with the error that it fails with otherwise.
 */
export function bodyUntil(
  body: ReadableStream<Uint8Array>,
  over: () => void,
  cut: AbortSignal | undefined,
  onError: (error: unknown) => void = () => undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let hasLeft = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (hasLeft) return
          // It must not look like a whole one.
          cut?.throwIfAborted()
          if (!done) return controller.enqueue(value)
          over()
          controller.close()
        } catch (error) {
          over()
          if (cut?.aborted !== true) onError(error)
          throw error
        }
      },
      async cancel(reason) {
        hasLeft = true
        over()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
