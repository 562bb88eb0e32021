/** The names of the events. Free of validators. */

/** What the client sends. */
export const sessionClientEventNames = [
  'user.create_session',
  'user.message',
  'user.response',
  'user.ack',
  'user.cancel',
  'user.reconnect',
  'user.reconnect_with_state',
  'user.request_state',
] as const

/** What the server sends. `system.heartbeat` goes both ways. */
export const sessionServerEventNames = [
  'plan.start',
  'plan.completed',
  'plan.step_completed',
  'plan.validation_error',
  'plan.cancelled',
  'plan.coercion_error',
  'solver.start',
  'solver.progress',
  'solver.completed',
  'solver.step_failed',
  'solver.retry',
  'solver.cancelled',
  'solver.restarted',
  'agent.thinking',
  'agent.tool_call',
  'agent.tool_result',
  'agent.partial_answer',
  'agent.final_answer',
  'agent.user_confirm',
  'agent.session_created',
  'agent.session_end',
  'agent.llm_message',
  'agent.state_exported',
  'agent.state_restored',
  'system.connected',
  'system.heartbeat',
  'system.error',
  'error.validation',
  'error.timeout',
  'error.execution',
  'error.retry',
  'error.recovery_started',
  'error.recovery_success',
  'error.recovery_failed',
  'aggregate.start',
  'aggregate.completed',
  'pipeline.completed',
] as const

/**
 * The names of all 45 events.
 *
 * @see docs/spec/event-payloads.md#event-list
 */
export const sessionEventNames: readonly [
  ...typeof sessionClientEventNames,
  ...typeof sessionServerEventNames,
] = [...sessionClientEventNames, ...sessionServerEventNames]

/** The name of an event. */
export type SessionEventName = (typeof sessionEventNames)[number]

const names: ReadonlySet<string> = new Set(sessionEventNames)

/** Whether a name is one of the 45. */
export function isSessionEventName(name: string): name is SessionEventName {
  return names.has(name)
}

/** Who sends an event: the one that wrote it, not the one that passes it on. */
export type SessionDirection = 'client' | 'server'

/** Whether the side may send an event of this name; also of a name this version does not know. */
export function maySend(direction: SessionDirection, name: string): boolean {
  return name === 'system.heartbeat' || (direction === 'client') === name.startsWith('user.')
}
