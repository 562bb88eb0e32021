/** Several open texts in a format that has one: one is sent as it comes, the others once they are complete. */

import type { StepBuilder } from '../../core/step-builder.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from '../../events/content.ts'
import { dropRepeated } from './repeated.ts'

/** The part of a state that states which text is sent as it comes. */
interface WithOneText {
  /** The `contentId` of the open segment; `null` for the text without one. */
  readonly openText: string | null
  /** The index of its next delta. */
  readonly nextIndex: number
  /** Whether deltas of another text than the open one were left out. */
  readonly hasWaitingText: boolean
}

/** Whether an event belongs to the text that is sent as it comes. `isOpen`: whether its segment is open. */
export function isOfOpenText(
  { openText }: WithOneText,
  isOpen: boolean,
  { contentId }: ContentDeltaEvent | ContentCompleteEvent,
): boolean {
  return isOpen && openText === (contentId ?? null)
}

/**
 * Stores which text a delta continues or begins. Returns `true` for one that is dropped: of another text, or sent before.
 */
export function dropOtherText<State extends WithOneText, Out>(
  builder: StepBuilder<State, Out>,
  isOpen: boolean,
  event: ContentDeltaEvent,
): boolean {
  const { openText, nextIndex, hasWaitingText } = builder.state
  const { index } = event
  const contentId = event.contentId ?? null
  // The beginning of a text with a later delta was left out, or was never received.
  const isSent = isOpen ? openText === contentId : index === 0 || !hasWaitingText
  if (isSent) {
    if (isOpen && dropRepeated(builder, event, nextIndex)) return true
    if (openText !== contentId) builder.update({ openText: contentId } as Partial<State>)
    return false
  }
  if (!hasWaitingText) builder.update({ hasWaitingText: true } as Partial<State>)
  builder.dropped(event.kind, 'other-text', 'Another text is open: this one follows as a whole.')
  return true
}
