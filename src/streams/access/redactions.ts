/** Redactions: what {@link project} hides from each audience, as data. */
import type { EventKind } from '../../events/event.ts'
import type { Audience } from './audience.ts'
import type { ThoughtPolicy } from './filter.ts'

/** What is hidden from which audience, for one kind. Operators see everything. */
export interface Redaction {
  /** Audiences that do not get events of this kind. */
  readonly hidden?: readonly Exclude<Audience, 'operator'>[]
  /** Audiences from which a field is removed, by JSON pointer. */
  readonly removed?: Readonly<Record<string, readonly Exclude<Audience, 'operator'>[]>>
}

const allButOperator = ['user', 'coordinator', 'parent', 'observer'] as const
const agentsAndObserver = ['coordinator', 'parent', 'observer'] as const

/**
 * What is hidden from which audience, by kind. Kinds that are not listed are shown completely; internal and
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
export const redactions: Readonly<Partial<Record<EventKind, Redaction>>> = {
  'task-status': { removed: { '/error/details': ['user', 'observer'] } },
  'task-error': { removed: { '/error/details': ['user', 'observer'] } },
  'tool-arguments-delta': { hidden: ['observer'] },
  'tool-start': { removed: { '/arguments': ['observer'], '/metadata/signature': allButOperator } },
  'tool-progress': { removed: { '/metadata/chunk': ['observer'] } },
  'tool-complete': { removed: { '/result': ['observer'] } },
  'input-required': {
    removed: { '/options': ['observer'], '/schema': ['observer'], '/metadata/toolCall': ['observer'] },
  },
  'input-received': { removed: { '/userId': ['observer'] } },
  'auth-required': { removed: { '/authUrl': agentsAndObserver } },
  'auth-completed': { hidden: ['observer'] },
  'thought-stream': {
    removed: { '/metadata/alternatives': allButOperator, '/metadata/signature': allButOperator },
  },
}

/** Which thoughts an audience sees unless {@link Viewer.thoughts} is set. */
export const defaultThoughts: Readonly<Record<Audience, ThoughtPolicy>> = {
  user: { maxVerbosity: 'normal' },
  coordinator: { maxVerbosity: 'detailed' },
  parent: { maxVerbosity: 'normal' },
  observer: { maxVerbosity: 'brief' },
  operator: { maxVerbosity: 'detailed' },
}
