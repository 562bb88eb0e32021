/** Running the cases of a suite against a command. */
import { describeDifference, differences } from './compare.ts'
import { Peer, PeerError, StartError, shortened, TimeoutError } from './peer.ts'
import type { Case, SuiteEntry } from './suites.ts'

/** The outcome of one case. */
export interface CaseResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'unsupported'
  /** `true` if the case has half of a surrogate pair, which not every language can hold. Omitted otherwise. */
  readonly optional?: true
  /** What is wrong, for people, in one or more lines. Omitted unless it failed. */
  readonly reasons?: readonly string[]
  /** How long the answer took. */
  readonly durationMs: number
}

/** Whether a case is unsupported that every implementation needs: the command fails. */
export function isMissing({ level }: Pick<SuiteEntry, 'level'>, { outcome, optional }: CaseResult): boolean {
  return outcome === 'unsupported' && level === 'must' && optional !== true
}

/** The outcome of a suite. */
export interface SuiteResult extends Pick<SuiteEntry, 'id' | 'level'> {
  readonly results: readonly CaseResult[]
}

/** After so many cases in a row without an answer, the command is not started again. */
const MOST_FAULTS = 10
/** Nor after so many cases altogether that were not answered in time: each takes long. */
const MOST_TIMEOUTS = 10

/** The escapes in JSON. Only half a pair has one of a surrogate: that of a whole pair is the character itself. */
const ESCAPES = /\\(?:u(d[89a-f])?|.)/g

/** Runs suites against one command, which is started again after it failed to answer. */
export class Session {
  readonly #command: readonly string[]
  readonly #timeoutMs: number
  #peer: Peer | undefined
  #faults = 0
  #timeouts = 0
  /** Whether any process has answered. */
  #hasAnswered = false

  constructor(command: readonly string[], timeoutMs: number) {
    this.#command = command
    this.#timeoutMs = timeoutMs
  }

  /**
   * Runs the cases of a suite, one after the other.
   *
   * @throws StartError if the command cannot be started.
   */
  async run({ id, level }: SuiteEntry, cases: readonly Case[]): Promise<SuiteResult> {
    const results: CaseResult[] = []
    for (const each of cases) results.push(await this.#runCase(id, each))
    return { id, level, results }
  }

  async close(): Promise<void> {
    await this.#peer?.close()
  }

  async #runCase(suite: string, { name, input, expected }: Case): Promise<CaseResult> {
    const start = performance.now()
    const line = JSON.stringify({ suite, name, input })
    const judged = (outcome: CaseResult['outcome'], ...reasons: string[]): CaseResult => {
      const durationMs = performance.now() - start
      const result =
        reasons.length === 0 ? { name, outcome, durationMs } : { name, outcome, reasons, durationMs }
      return [...line.matchAll(ESCAPES)].some(([, half]) => half !== undefined)
        ? { ...result, optional: true }
        : result
    }
    if (this.#faults >= MOST_FAULTS)
      return judged('failed', `Not run after ${MOST_FAULTS} cases without an answer.`)
    if (this.#timeouts >= MOST_TIMEOUTS)
      return judged('failed', `Not run after ${MOST_TIMEOUTS} cases without an answer in time.`)
    try {
      this.#peer ??= new Peer(this.#command, this.#timeoutMs)
      const answer = answerIn(await this.#peer.ask(line), name)
      this.#faults = 0
      this.#hasAnswered = true
      if (answer.unsupported === true) return judged('unsupported')
      const found = differences(expected, answer.output)
      return found.length === 0 ? judged('passed') : judged('failed', ...found.map(describeDifference))
    } catch (error) {
      if (!(error instanceof PeerError) || (error instanceof StartError && !this.#hasAnswered)) throw error
      this.#faults++
      if (error instanceof TimeoutError) this.#timeouts++
      this.#peer?.stop()
      this.#peer = undefined
      return judged('failed', ...error.message.split('\n'))
    }
  }
}

interface Answer {
  readonly output?: unknown
  readonly unsupported?: unknown
}

/** The answer in a line. Any other line makes the next ones unreliable: the command has to be started again. */
function answerIn(line: string, name: string): Answer {
  const got = shortened(line)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new PeerError(`Expected a line of JSON, got ${got}`)
  }
  const answer = (typeof value === 'object' ? value : null) as (Answer & { readonly name?: unknown }) | null
  if (answer === null || answer.name !== name) {
    throw new PeerError(`Expected the answer of ${JSON.stringify(name)}, got ${got}`)
  }
  if (answer.unsupported !== true && !('output' in answer)) {
    throw new PeerError(`Expected "output" or "unsupported": true, got ${got}`)
  }
  return answer
}
