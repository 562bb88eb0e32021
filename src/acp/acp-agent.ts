/** An agent that speaks ACP, as an agent. */

import type { Diagnostic } from '../core/machine.ts'
import {
  optional,
  requireFunction,
  requireInteger,
  requireObject,
  requireOnly,
  requireText,
} from '../core/require.ts'
import type { Agent, AgentTask } from '../server/agent-task.ts'
import type { AcpStream } from './connection.ts'
import { session } from './session.ts'

/** Options of {@link acpAgent}. */
export interface AcpAgentOptions {
  /**
   * Opens a connection for a task, such as to a process that it starts. It is closed at the end of the task, whatever the agent does:
   * `writable` is closed, or aborted if it does not close within a second, and `readable` is canceled. `close` is called then: end the process, which `ndJsonStream` does not.
   */
  readonly connect: (task: AgentTask) => AcpStream | PromiseLike<AcpStream>
  /** The working directory of the session, as an absolute path. @defaultValue `'/'` */
  readonly cwd?: string
  /**
   * The id of the mode of the session, one of those that the agent states, such as `plan`. If it states no such mode, the task fails
   * before its prompt is sent. Omitted: the session is in the mode that the agent begins with.
   */
  readonly mode?: string | undefined
  /** Milliseconds that it may take to connect, to initialize, and to begin a session: from 1. Then the task fails as `timeout`. @defaultValue 60 000 */
  readonly startTimeoutMs?: number
  /** Called with what has no equivalent, such as `dropped:content:<type>`. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * Makes an agent of one that speaks the Agent Client Protocol, version 1: each task is a session with one prompt. Messages are
 * texts, thoughts are thoughts, and tools run at the agent. What it states of the session are the artifacts `plan`, `mode`, `usage`, `commands`, `options` and `session`. Files and terminals of the client are not offered to it.
 *
 * Each permission that it asks for is asked of the user, also if the `needsApproval` of the store does not name the call. What is
 * approved is allowed once; a permission that is offered for good only is refused. A task that is canceled cancels the prompt; an agent
 * that does not end it within 2 seconds is left.
 *
 * A call starts when the agent reports that it runs; one that the `needsApproval` of the store names, when it is approved, as some
 * agents ask about a call in progress. What it runs without the approval, or with other arguments than approved, cannot be
 * held back: its `tool-start` has `metadata.provider: 'provider'` and the arguments that it ran with.
 *
 * The errors of the agent and of the connection go to the `onError` of the task.
 *
 * Diagnostics:
 *
 * - `call-not-approved`: the agent has run another call than the one approved; `detail` has both
 * - `unsupported-permission`: a permission was refused, as it has no option for one call
 * - `dropped:usage`: the prompt has not completed; `dropped:content:<type>`: a piece of a message is neither text nor a file
 * - `dropped:<update>`: no event has it; `dropped:session/update` and `dropped:session/request_permission`: it is of another session;
 *   `dropped:tool_call`: the call has no id or has ended, or 1024 are open; `dropped:request_permission`: it is of no
 *   call that can be shown, or of one that is asked about already
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const agent = acpAgent({
 *   cwd: process.cwd(),
 *   connect() {
 *     const coder = spawn('gemini', ['--acp'], { stdio: ['pipe', 'pipe', 'inherit'] })
 *     const stream = ndJsonStream(Writable.toWeb(coder.stdin), Readable.toWeb(coder.stdout))
 *     return { ...stream, close: () => coder.kill() }
 *   },
 * })
 * ```
 */
export function acpAgent(options: AcpAgentOptions): Agent {
  requireOnly('options', options, ['connect', 'cwd', 'mode', 'startTimeoutMs', 'onDiagnostic'])
  const { connect, cwd = '/', mode, startTimeoutMs = 60_000 } = options
  const { onDiagnostic: report = () => {} } = options
  requireFunction('connect', connect)
  requireText('cwd', cwd)
  optional(requireText, 'mode', mode)
  requireInteger('startTimeoutMs', startTimeoutMs, 1)
  optional(requireFunction, 'onDiagnostic', options.onDiagnostic)
  return (task) => {
    requireObject('task', task)
    return session(task, { connect, cwd, mode, startTimeoutMs, report })
  }
}
