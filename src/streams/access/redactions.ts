/** Redactions: what {@link project} hides from each audience, as data. */
import type { EventKind } from '../../events/event.ts'
import type { Audience, Redaction } from '../../events/kind.ts'
import { kindRedactions } from '../../events/kinds.generated.ts'
import type { ThoughtPolicy } from './filter.ts'

export type { Redaction } from '../../events/kind.ts'

/**
 * What is hidden from which audience, by kind. Kinds that are not listed show all declared fields; internal and
 * unknown kinds are for operators only.
 *
 * - Observers do not take part: they do not see tool arguments and results, the possible answers to a
 *   question, or whose account is used. `auth-completed` consists of nothing else and is hidden.
 * - Only the user gets the address of a login page.
 * - Error details may quote a provider verbatim: they are for agents.
 * - Rejected alternatives of a thought are for operators.
 * - Signatures of model providers are for operators: whoever calls the model reads them from the stream itself,
 *   and other agents have no use for them.
 */
export const redactions: Readonly<Partial<Record<EventKind, Redaction>>> = kindRedactions

/** Which thoughts an audience sees unless {@link Viewer.thoughts} is set. */
export const defaultThoughts: Readonly<Record<Audience, ThoughtPolicy>> = {
  user: { maxVerbosity: 'normal' },
  coordinator: { maxVerbosity: 'detailed' },
  parent: { maxVerbosity: 'normal' },
  observer: { maxVerbosity: 'brief' },
  operator: { maxVerbosity: 'detailed' },
}
