/** Events as a recording has them. */
import type { UnknownEvent } from '../../core/decode-result.ts'
import type { ContextAnyEvent } from '../../events/event.ts'

/** An event of a recording: of a known kind, or of one that this version does not know. */
export type RecordedEvent = ContextAnyEvent | UnknownEvent
