/** Pages of what came before. */

import { decodeEvent } from '../events/decode.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { isDeeper, isNestedDeeper } from '../json/depth.ts'
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
  let text: string
  try {
    response = await fetch(historyUrl(before), { headers: ofStream(stream), cache: 'no-store' })
    text = await response.text()
  } catch (cause) {
    throw new CommandError('Expected a page of the history, got no response.', { cause })
  }
  const { status, ok } = response
  const page = parsedJson(text, Infinity)
  const isDeep = isNestedDeeper(text, MAX_DEPTH)
  if (!ok || !isFields(page) || !Array.isArray(page.events))
    throw new CommandError(`Expected a page of the history, got status ${status}.`, { status })
  const events = page.events.flatMap((value: unknown) => {
    // The page around an event is no part of its depth.
    if (isDeep && isDeeper(value, MAX_DEPTH)) return []
    const decoded = decodeEvent(value)
    return decoded.status === 'known' ? [decoded.event] : []
  })
  return { events, older: typeof page.older === 'string' ? page.older : undefined }
}
