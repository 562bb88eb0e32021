/** Sending commands. */

import type { CommandDraft } from '../commands/create.ts'
import type { Receipt } from '../commands/ledger/types.ts'
import { randomId } from '../core/random-id.ts'
import { describeValue } from '../core/require.ts'
import { changeOf, type Waiting } from '../core/waiting.ts'
import { parsedJson } from '../json/parsed.ts'
import { isFields } from '../validation/predicates.ts'
import type { ClientSettings } from './options.ts'

/** A command without a receipt, or a page of the history that did not come. Whether the server has taken it is not known, unless there is a status from 400 to 499. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** The HTTP status of the last response. Omitted: there was none. */
  readonly status?: number

  constructor(message: string, { status, cause }: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause })
    if (status !== undefined) this.status = status
  }
}

const ATTEMPTS = 5
const FIRST_DELAY_MS = 500

/** How long an attempt waits for its receipt: a network that is gone may report nothing. */
const TIMEOUT_MS = 30_000

/** Statuses other than 5xx after which a later request may succeed. */
const transient = [408, 425]

/**
 * Sends a command, again and again while the server does not answer: it recognizes the command by its id.
 *
 * @param waiting - Who is woken when the server may be there again.
 * @param stream - The stream that the page shows. Omitted: none yet.
 * @throws {@link CommandError} if it is refused, or if all attempts fail.
 */
export async function sendCommand(
  draft: CommandDraft,
  { url, fetch }: ClientSettings,
  waiting: Waiting,
  stream: string | undefined,
): Promise<Receipt> {
  const command = { ...draft, commandId: randomId(), timestamp: new Date().toISOString() }
  const body = JSON.stringify(command)
  let failure: CommandError | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await changeOf(waiting, FIRST_DELAY_MS * 2 ** (attempt - 1), undefined, true)
    let response: Response
    let text: string
    try {
      const headers = { 'content-type': 'application/json', ...ofStream(stream) }
      response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
      text = await response.text()
    } catch (cause) {
      failure = new CommandError('Expected a receipt, got no response.', { cause })
      continue
    }
    const { status, ok } = response
    const answer = parsedJson(text)
    if (ok && isReceipt(answer)) return answer
    const { error: reason } = isFields(answer) ? answer : {}
    const why = typeof reason === 'string' ? reason : describeValue(text)
    failure = new CommandError(`Expected a receipt, got status ${status}: ${why}`, { status })
    if (status < 500 && !transient.includes(status)) break
  }
  throw failure
}

/** The header that names the stream that a page shows: if another user has signed in since, the server refuses what is for it. */
export function ofStream(stream: string | undefined): Readonly<Record<string, string>> {
  // Headers are ASCII; those of a handler are.
  return stream === undefined || !/^[!-~]+$/.test(stream) ? {} : { 'turnstream-stream': stream }
}

function isReceipt(value: unknown): value is Receipt {
  return isFields(value) && typeof value.status === 'string' && Array.isArray(value.results)
}
