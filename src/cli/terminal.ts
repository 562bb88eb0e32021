/** Where commands write. */

/** The standard output and error of a command. */
export interface Terminal {
  /** Writes to standard output: the result. */
  readonly out: (text: string) => void
  /** Writes to standard error: what went wrong. */
  readonly err: (text: string) => void
}

/** That of this process. A reader that closes its end early, such as `head`, ends the process without an error. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(0)
    })
  }
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  }
}
