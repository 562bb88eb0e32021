/** Backpressure rules: how events of each kind may be reduced, as data. */
import type { EventKind } from '../../events/event.ts'
import { INTERNAL_PREFIX } from '../../events/kinds.ts'

/** How events of one kind may be reduced for a reader that is behind. */
export interface BackpressureRule {
  /**
   * How adjacent events may be merged: `append` if each one extends the one before, `replace` if it
   * supersedes it. Omitted: never merged.
   */
  readonly merge?: 'append' | 'replace'
  /** Set if they may be dropped; the batch then counts them. Omitted: never dropped. */
  readonly drop?: true
}

const durable: BackpressureRule = {}
const append: BackpressureRule = { merge: 'append' }
const replace: BackpressureRule = { merge: 'replace' }
const drop: BackpressureRule = { drop: true }

/** The rule of each kind. */
export const backpressureRules: Readonly<Record<EventKind, BackpressureRule>> = {
  'task-created': durable,
  'task-status': durable,
  'task-complete': durable,
  'content-delta': append,
  'content-complete': durable,
  'tool-start': durable,
  'tool-arguments-delta': append,
  'tool-progress': replace,
  'tool-complete': durable,
  'input-required': durable,
  'input-received': durable,
  'input-canceled': durable,
  'auth-required': durable,
  'auth-completed': durable,
  'auth-failed': durable,
  'file-write': append,
  'data-write': replace,
  'dataset-write': append,
  'artifact-delta': append,
  'subtask-created': durable,
  // Safe to drop: the thought-stream that follows holds the complete text.
  'thought-delta': { merge: 'append', drop: true },
  'thought-stream': drop,
  'task-error': durable,
  'internal:thought-process': drop,
  'internal:llm-call': drop,
  'internal:checkpoint': drop,
  'internal:tool-start': drop,
  'internal:tool-complete': drop,
}

/** The rule of any kind. Kinds this version does not know are never merged or dropped. */
export function backpressureRuleOf(kind: string): BackpressureRule {
  if (Object.hasOwn(backpressureRules, kind)) return backpressureRules[kind as EventKind]
  return kind.startsWith(INTERNAL_PREFIX) ? drop : durable
}
