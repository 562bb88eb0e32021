/** Content and artifacts: what a task makes, as artifact updates. */

import { splitHalf, toWellFormed } from '../../../encoding/surrogates.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { Part } from '../wire/model.ts'
import type { Turn } from './a2a-writer.ts'
import { keep, lastOf, openArtifact, openOf, write } from './write-artifact.ts'

/** Our events do not name the artifact the content of a task goes to. */
export const CONTENT = ''

export function sayContentDelta(turn: Turn, event: ContextEvent<ContentDeltaEvent>): void {
  const kept = openContent(turn)
  const expected = kept?.next ?? 0
  const end = event.indexEnd ?? event.index
  if (end < expected) {
    turn.drop(event, 'repeated', `The delta ${event.index} has been said.`)
    return
  }
  if (event.index > expected) turn.diagnostic('gap', `Deltas ${expected} to ${event.index - 1} are missing.`)
  const [whole, half] = splitHalf((kept?.half ?? '') + event.delta)
  const delta = wellFormed(turn, whole)
  const next = { next: end + 1, half }
  const to = kept ?? openArtifact(turn, { key: CONTENT, type: 'content' })
  if (delta !== '') {
    turn.ensureOpen(event)
    write(turn, to, [text(delta)], next, turn.carried(event, { delta: undefined }))
    return
  }
  keep(turn, to, next)
  // Without the extension an empty delta says nothing, and nothing is lost by not saying it.
  if (turn.settings.extension) turn.carryOnly(event, turn.carried(event, { delta: '' }))
}

export function sayContentComplete(turn: Turn, event: ContextEvent<ContentCompleteEvent>): void {
  const kept = openContent(turn)
  const content = wellFormed(turn, event.content)
  const at = event.timestamp
  const finished = lastOf(turn, CONTENT)
  if (finished?.sealed === true && finished.at === at && finished.body === content) {
    turn.drop(event, 'repeated', 'The content has been said.')
    return
  }
  const rest = toWellFormed(kept?.half ?? '')
  if (kept?.written !== true && content + rest === '') {
    // No text has been said and none is to say: only the next delta must know.
    if (kept !== undefined) keep(turn, kept, { next: 0 })
    if (turn.settings.extension) turn.carryOnly(event)
    return
  }
  turn.ensureOpen(event)
  const to = kept ?? openArtifact(turn, { key: CONTENT, type: 'content' })
  const carried = turn.carried(event, { content: undefined })
  const joined = to.body === undefined ? content : to.body + rest
  const differs = to.next > 0 && joined !== content
  if (differs)
    turn.diagnostic('content-mismatch', 'The content is not what its deltas make; the content counts.')
  const replace = !to.written || differs || turn.settings.closeText === 'snapshot'
  write(turn, to, [text(replace ? content : rest)], { sealed: true, half: '', at, replace }, carried)
}

/** Finishes content that is still open when the task succeeds. */
export function closeContent(turn: Turn): void {
  const kept = openContent(turn)
  if (kept === undefined) return
  const rest = toWellFormed(kept.half)
  if (!kept.written && rest === '') return
  const replace = turn.settings.closeText === 'snapshot' && kept.body !== undefined
  write(turn, kept, [text(replace ? kept.body + rest : rest)], { sealed: true, half: '', replace })
}

/** The last text that was said as content; `undefined` when there was none. */
export function lastContent(turn: Turn): string | undefined {
  return lastOf(turn, CONTENT)?.body
}

function openContent(turn: Turn): ReturnType<typeof lastOf> {
  return openOf(turn, CONTENT, 'content')
}

function wellFormed(turn: Turn, value: string): string {
  const fixed = toWellFormed(value)
  if (fixed !== value) turn.diagnostic('lossy:text', 'Halves of characters become U+FFFD.')
  return fixed
}

function text(value: string): Part {
  return { type: 'text', text: value }
}
