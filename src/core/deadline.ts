/** Deadlines. */
import { startTimer, stopTimer } from './timer.ts'

/**
 * Runs a task, and rejects if it does not end in time. The task continues then, so what it does may still happen.
 *
 * @param late - Creates the error of a task that is late.
 * @param task - Asks `isOver` before it begins what nobody waits for any more.
 */
export async function within<T>(
  ms: number,
  late: () => Error,
  task: (isOver: () => boolean) => Promise<T>,
): Promise<T> {
  let isOver = false
  let timer: unknown
  const over = new Promise<never>((_, reject) => {
    timer = startTimer(() => {
      isOver = true
      reject(late())
    }, ms)
  })
  try {
    return await Promise.race([task(() => isOver), over])
  } finally {
    stopTimer(timer)
  }
}

/**
 * What a promise gives; `undefined` if it takes longer.
 *
 * @param keepsAlive - The wait keeps a process alive, as somebody waits for its end.
 */
export function inTime<T>(
  promise: Promise<T>,
  ms: number,
  keepsAlive: boolean = false,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(() => resolve(undefined), ms, keepsAlive)
    promise.then(resolve, reject).finally(() => stopTimer(timer))
  })
}
