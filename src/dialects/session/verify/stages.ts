/** The stages of a round of planning and solving. */

/** The stage of a round. */
export type SessionStage =
  | 'idle'
  | 'planning'
  | 'planned'
  | 'solving'
  | 'cancelled'
  | 'solved'
  | 'aggregating'
  | 'aggregated'
  | 'done'

/** The stages in which an event is allowed, and the stage after it. Other events are allowed in all stages. */
export const sessionStages: Readonly<
  Record<string, readonly [from: readonly SessionStage[], to: SessionStage]>
> = {
  'plan.start': [['idle', 'done', 'cancelled'], 'planning'],
  'plan.step_completed': [['planning'], 'planning'],
  'plan.validation_error': [['planning'], 'planning'],
  'plan.coercion_error': [['planning'], 'planning'],
  'plan.completed': [['planning'], 'planned'],
  'plan.cancelled': [['planning'], 'done'],
  'solver.start': [['planned'], 'solving'],
  'solver.progress': [['solving', 'cancelled'], 'solving'],
  'solver.retry': [['solving', 'cancelled'], 'solving'],
  'solver.restarted': [['solving', 'cancelled'], 'solving'],
  'solver.step_failed': [['solving', 'cancelled'], 'solving'],
  'solver.cancelled': [['solving', 'cancelled'], 'cancelled'],
  'solver.completed': [['solving', 'cancelled'], 'solved'],
  'aggregate.start': [['solved', 'cancelled'], 'aggregating'],
  'aggregate.completed': [['aggregating'], 'aggregated'],
  'pipeline.completed': [['aggregated'], 'done'],
}
