/** The program that is tested: one line of JSON in, one line of JSON out. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Why there is no answer. The message is shown to the user. */
export class PeerError extends Error {}

/** The command could not be started at all. */
export class StartError extends PeerError {}

/** A longer line is refused, in UTF-16 code units. */
const LONGEST_LINE = 2 ** 25
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
  /** Wakes whoever waits for a line. */
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
   * @throws PeerError if the command ends, or does not answer in time.
   */
  async ask(line: string): Promise<string> {
    this.#child.stdin.write(`${line}\n`)
    const expired = AbortSignal.timeout(this.#timeoutMs)
    for (;;) {
      const answer = this.#lines.shift()
      if (answer !== undefined) return answer
      if (this.#failure !== undefined) throw this.#failure
      if (expired.aborted) throw new PeerError(`The command did not answer within ${this.#timeoutMs} ms.`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        expired.addEventListener('abort', () => resolve(), { once: true })
      })
    }
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
    const lines = (this.#line + text).split('\n')
    this.#line = lines.pop() ?? ''
    this.#lines.push(...lines)
    if (this.#line.length > LONGEST_LINE) {
      this.#line = ''
      this.#fail(new PeerError(`The command wrote a line of more than ${LONGEST_LINE} characters.`))
    }
    this.#wake()
  }

  #fail(failure: PeerError): void {
    this.#failure ??= failure
    this.#wake()
  }
}
