/** Where commands write. */

/** The standard output and error of a command. */
export interface Terminal {
  /** Writes to standard output: the result. */
  readonly out: (text: string) => void
  /** Writes to standard error: what went wrong. */
  readonly err: (text: string) => void
  /** Whether standard output is a terminal, which control characters control. Omitted: `false`. */
  readonly isScreen?: boolean
  /** Whether output is colored unless an option states otherwise. Omitted: `false`. */
  readonly isColored?: boolean
  /** Whether standard error is read by a person who waits. Omitted: `false`. */
  readonly isInteractive?: boolean
  /** States the exit code if the reader of standard output closes its end early. Without a call, it is 0. */
  readonly endEarlyWith?: (code: number) => void
  /** Waits until the reader of standard output has taken what was written. Omitted: there is nothing to wait for. */
  readonly drained?: () => Promise<void>
}

/**
 * That of this process. A reader that closes its end early, such as `head`, ends the process, with the exit code of what was
 * found so far; output that cannot be written, such as to a full disk, with 2.
 */
export function processTerminal(): Terminal {
  let earlyCode = 0
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(earlyCode)
      if (stream === process.stdout) process.stderr.write(`turnstream: Cannot write: ${error.message}.\n`)
      process.exit(2)
    })
  }
  const { NO_COLOR = '', TERM } = process.env
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isScreen: process.stdout.isTTY === true,
    isColored: process.stdout.isTTY === true && NO_COLOR === '' && TERM !== 'dumb',
    isInteractive: process.stderr.isTTY === true,
    endEarlyWith: (code) => {
      earlyCode = code
    },
    drained: () =>
      process.stdout.writableNeedDrain
        ? new Promise((resolve) => process.stdout.once('drain', resolve))
        : Promise.resolve(),
  }
}
