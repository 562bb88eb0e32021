/** The names of the events. Imports no schemas. */

/** The names of the documented events a client sends, besides `system.heartbeat`. */
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

/** The names of the documented events a server sends. Clients also send `system.heartbeat`. */
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
 * The names of the extensions: events that real servers and clients send and that the specification does not define.
 * Those that start with `user.` are sent by clients.
 */
export const sessionExtensionEventNames = [
  'user.solve_tasks',
  'user.cancel_task',
  'user.restart_task',
  'user.cancel_plan',
  'user.replan',
  'agent.error',
  'agent.timeout',
  'agent.interrupted',
  'system.notice',
] as const

/**
 * The names of all events: the 45 that the specification defines, and the extensions.
 *
 * @see docs/spec/event-payloads.md
 */
export const sessionEventNames: readonly [
  ...typeof sessionClientEventNames,
  ...typeof sessionServerEventNames,
  ...typeof sessionExtensionEventNames,
] = [...sessionClientEventNames, ...sessionServerEventNames, ...sessionExtensionEventNames]

/** The name of an event. */
export type SessionEventName = (typeof sessionEventNames)[number]

const names: ReadonlySet<string> = new Set(sessionEventNames)

/** Whether a name is one of {@link sessionEventNames}. */
export function isSessionEventName(name: string): name is SessionEventName {
  return names.has(name)
}

const extensions: ReadonlySet<string> = new Set(sessionExtensionEventNames)

/** Whether a name is one of {@link sessionExtensionEventNames}. */
export function isSessionExtension(name: string): boolean {
  return extensions.has(name)
}

/** The side that creates an event, as opposed to one that forwards it. */
export type SessionDirection = 'client' | 'server'

/** Whether a side may send an event with this name, known or not. */
export function maySend(direction: SessionDirection, name: string): boolean {
  return name === 'system.heartbeat' || (direction === 'client') === name.startsWith('user.')
}
