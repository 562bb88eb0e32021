/** The states of tasks. */

/**
 * The states of a task. `completed`, `failed` and `canceled` are terminal: a task stays in them.
 *
 * - `submitted`: accepted, but not started
 * - `working`: the agent is processing
 * - `waiting-input`: waits for the answer to an `input-required`
 * - `waiting-auth`: waits for the authentication requested by an `auth-required`
 * - `waiting-subtask`: waits for a subtask
 */
export type TaskStatus =
  | 'submitted'
  | 'working'
  | 'waiting-input'
  | 'waiting-auth'
  | 'waiting-subtask'
  | 'completed'
  | 'failed'
  | 'canceled'

/** Whether a status is terminal: `completed`, `failed` or `canceled`. A task stays in a terminal status. */
export function isTerminalStatus(
  status: string | null | undefined,
): status is 'completed' | 'failed' | 'canceled' {
  return status === 'completed' || status === 'failed' || status === 'canceled'
}
