/** Several open texts in a format that has one: one is sent as it comes, the others once they are complete. */

/** The text that is sent as it comes. */
export interface OneText {
  /** Whether its segment is open. */
  readonly isOpen: boolean
  /** Its `contentId`; `null` for the text without one. */
  readonly openText: string | null
  /** Whether deltas of another text were left out. */
  readonly hasWaitingText: boolean
}

/** Whether an event belongs to the text that is sent as it comes. */
export function isOfOpenText({ isOpen, openText }: OneText, { contentId = null }: TextEvent): boolean {
  return isOpen && openText === contentId
}

/** Whether a delta is sent: it continues the open text, or begins one and no other is open. */
export function isSentNow(text: OneText, event: TextEvent & { index: number }): boolean {
  if (text.isOpen) return isOfOpenText(text, event)
  // The beginning of a text with a later delta was left out, or was never received.
  return event.index === 0 || !text.hasWaitingText
}

interface TextEvent {
  readonly contentId?: string | null
}

/** Why a delta is left out. */
export const OTHER_TEXT = 'Another text is open; this one is sent whole when it is complete.'
