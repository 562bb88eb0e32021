/** The response to a reader, as long as the reader is signed in. */

import { startTimer, stopTimer } from '../../core/timer.ts'

/** What a response needs while it is open. */
export interface Watch {
  /** Asks whether its reader is still who it was. */
  readonly isSignedIn: () => Promise<boolean>
  readonly everyMs: number
  /** Ends the body. */
  readonly end: AbortController
  /** Called once when the response is over, however it ends. */
  readonly onOver: () => void
}

/** A body that ends soon after its reader has signed out. */
export function watched(
  body: ReadableStream<Uint8Array>,
  { isSignedIn, everyMs, end, onOver }: Watch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let timer: unknown
  let isOver = false
  const over = (): void => {
    if (isOver) return
    isOver = true
    stopTimer(timer)
    onOver()
  }
  const schedule = (): void => {
    timer = startTimer(() => void check(), everyMs)
  }
  async function check(): Promise<void> {
    if (!(await isSignedIn().catch(() => false))) end.abort()
    else if (!isOver) schedule()
  }
  schedule()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          over()
          controller.close()
        } catch (error) {
          over()
          throw error
        }
      },
      async cancel(reason) {
        over()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
