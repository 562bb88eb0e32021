/** The program that is tested: one line of JSON in, one line of JSON out. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Why there is no answer. The message is shown to the user. */
export class PeerError extends Error {}

/** The command could not be started at all. */
export class StartError extends PeerError {}

/** The command did not answer in time. */
export class TimeoutError extends PeerError {
  constructor(timeoutMs: number) {
    super(`The command did not answer within ${timeoutMs} ms.`)
  }
}

/** A longer line is refused, in UTF-16 code units. */
const LONGEST_LINE = 2 ** 20
/** How much of standard error is kept, in UTF-16 code units. */
const LONGEST_STDERR = 2000

/** One process of the command. After a {@link PeerError} it is of no further use: stop it. */
export class Peer {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #timeoutMs: number
  #stderr = ''
  #line = ''
  /** Complete lines that were not read yet. */
  readonly #lines: string[] = []
  /** Why no further line comes. */
  #failure: PeerError | undefined
  /** Wakes whoever waits for a line, once there is one or none will come. */
  #wake: () => void = () => {}

  constructor([command = '', ...args]: readonly string[], timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    this.#child = spawn(command, args, { stdio: 'pipe' })
    const { stdin, stdout, stderr } = this.#child
    // A process that has ended is reported when it does.
    stdin.on('error', () => {})
    stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-LONGEST_STDERR)
    })
    this.#child.on('error', (error) =>
      this.#fail(new StartError(`Cannot start ${command}: ${error.message}.`)),
    )
    this.#child.on('close', (code, signal) => {
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
      const stderr = this.#stderr.trim()
      this.#fail(new PeerError(`The command ${how} before it answered.${stderr === '' ? '' : `\n${stderr}`}`))
    })
  }

  /**
   * Sends one line and resolves to the next line of the command.
   *
   * @throws PeerError if the command ends, does not answer in time, or has written more than one line before.
   */
  async ask(line: string): Promise<string> {
    const [extra] = this.#lines
    if (extra !== undefined) {
      throw new PeerError(`Expected one line for each case, got another one: ${shortened(extra)}`)
    }
    this.#child.stdin.write(`${line}\n`)
    const timer = setTimeout(() => this.#fail(new TimeoutError(this.#timeoutMs)), this.#timeoutMs)
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (this.#failure !== undefined) resolve()
    })
    clearTimeout(timer)
    const answer = this.#lines.shift()
    if (answer === undefined) throw this.#failure
    return answer
  }

  /** Ends the command: by the end of its input, or by force if it does not end in time. */
  async close(): Promise<void> {
    if (this.#failure !== undefined) return
    const closed = once(this.#child, 'close')
    this.#child.stdin.end()
    const timer = setTimeout(() => this.stop(), this.#timeoutMs)
    await closed
    clearTimeout(timer)
  }

  /** Ends the command by force. */
  stop(): void {
    this.#child.kill('SIGKILL')
    // What it started may keep them open.
    for (const stream of this.#child.stdio) stream?.destroy()
  }

  #read(text: string): void {
    const [first = '', ...others] = text.split('\n')
    this.#line += first
    for (const next of others) {
      this.#lines.push(this.#line)
      this.#line = next
    }
    if (this.#line.length > LONGEST_LINE) {
      this.#line = ''
      this.#fail(new PeerError(`The command wrote a line of more than ${LONGEST_LINE} characters.`))
    } else if (this.#lines.length > 0) this.#wake()
  }

  #fail(failure: PeerError): void {
    this.#failure ??= failure
    this.#wake()
  }
}

/** Longer lines are cut off when they are shown, in UTF-16 code units. */
const LONGEST_SHOWN = 120

/** A line of the command, for a message. */
export function shortened(line: string): string {
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line
}
