/** What each audience sees of each kind: the rules of {@link project} as data. */
import type { EventKind } from '../../events/event.ts'
import type { Audience } from './audience.ts'
import type { ThoughtPolicy } from './filter.ts'

/** What is kept from whom, of one kind. Operators see everything. */
export interface Redaction {
  /** Audiences that do not see events of the kind at all. */
  readonly hidden?: readonly Exclude<Audience, 'operator'>[]
  /** Fields that are taken out, as JSON pointers, and for whom. */
  readonly removed?: Readonly<Record<string, readonly Exclude<Audience, 'operator'>[]>>
}

const allButOperator = ['user', 'coordinator', 'parent', 'observer'] as const
const agentsAndObserver = ['coordinator', 'parent', 'observer'] as const

/**
 * What is kept from whom. Where a kind is not named, nothing is: internal and unknown kinds, which
 * are for operators only, need no entry.
 *
 * - An observer does not take part: it is not told what a tool is given and gives back, what an input
 *   may be answered with, or whose account is used. An `auth-completed` has nothing to tell but that,
 *   and so is hidden from it.
 * - A login is the user's: nobody else gets the address.
 * - What an error carries besides its message may be a provider's own words: it is for agents.
 * - Thoughts that were considered and not chosen are for operators.
 */
export const redactions: Readonly<Partial<Record<EventKind, Redaction>>> = {
  'task-status': { removed: { '/error/details': ['user', 'observer'] } },
  'task-error': { removed: { '/error/details': ['user', 'observer'] } },
  'tool-arguments-delta': { hidden: ['observer'] },
  'tool-start': { removed: { '/arguments': ['observer'] } },
  'tool-progress': { removed: { '/metadata/chunk': ['observer'] } },
  'tool-complete': { removed: { '/result': ['observer'] } },
  'input-required': {
    removed: { '/options': ['observer'], '/schema': ['observer'], '/metadata/toolCall': ['observer'] },
  },
  'input-received': { removed: { '/userId': ['observer'] } },
  'auth-required': { removed: { '/authUrl': agentsAndObserver } },
  'auth-completed': { hidden: ['observer'] },
  'thought-stream': { removed: { '/metadata/alternatives': allButOperator } },
}

/** Which thoughts an audience is shown when the viewer does not say. */
export const defaultThoughts: Readonly<Record<Audience, ThoughtPolicy>> = {
  user: { maxVerbosity: 'normal' },
  coordinator: { maxVerbosity: 'detailed' },
  parent: { maxVerbosity: 'normal' },
  observer: { maxVerbosity: 'brief' },
  operator: { maxVerbosity: 'detailed' },
}
