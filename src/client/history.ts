/** Pages of what came before. */

import { decodeEvent } from '../events/decode.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { isDeeper } from '../json/depth.ts'
import { parsedJson } from '../json/parsed.ts'
import { MAX_DEPTH } from '../json/value.ts'
import { isFields } from '../validation/predicates.ts'
import { CommandError, ofStream } from './commands.ts'
import type { ClientSettings } from './options.ts'

/** The tasks before one, and the `before` of the page before theirs, if there is one. What of it cannot be read is left out. */
export async function olderPage(
  before: string,
  { historyUrl, fetch }: ClientSettings,
  stream: string | undefined,
): Promise<{ readonly events: readonly ContextAnyEvent[]; readonly older: string | undefined }> {
  let response: Response
  let page: unknown
  try {
    response = await fetch(historyUrl(before), { headers: ofStream(stream), cache: 'no-store' })
    page = parsedJson(await response.text(), Infinity)
  } catch (cause) {
    throw new CommandError('Expected a page of the history, got no response.', { cause })
  }
  const { status, ok } = response
  if (!ok || !isFields(page) || !Array.isArray(page.events))
    throw new CommandError(`Expected a page of the history, got status ${status}.`, { status })
  const events = page.events.flatMap((value: unknown) => {
    // The page around an event is no part of its depth.
    if (isDeeper(value, MAX_DEPTH)) return []
    const decoded = decodeEvent(value)
    return decoded.status === 'known' ? [decoded.event] : []
  })
  return { events, older: typeof page.older === 'string' ? page.older : undefined }
}
