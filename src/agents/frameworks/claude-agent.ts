/** Claude Agent SDK and Claude Code. */

import { apiOf } from '../../core/apis.ts'
import { requireFunction } from '../../core/require.ts'
import type { Source } from '../../core/source.ts'
import { fieldsOf, textOf } from '../../providers/shared/fields.ts'
import { ClaudeAgents, emitted, type Out } from './claude-agents.ts'
import { types } from './claude-messages.ts'
import { type CanUseTool, Permissions } from './claude-permissions.ts'
import {
  type FrameworkDrafts,
  type FrameworkOptions,
  readFramework,
  requireFramework,
  requireFrameworkOptions,
} from './read-framework.ts'

/**
 * Reads a run of Claude: the messages that `query(…)` of the Claude Agent SDK yields, with `includePartialMessages` or without,
 * or the lines of `claude -p --output-format stream-json --verbose`. A subagent is a subtask, whose id is that of the task and
 * of the call that started it; pass `task`. One in the background ends when Claude states that it has, and the task with the messages:
 * each `result` states what the run has used so far.
 *
 * To let the user permit what Claude wants to do, pass a function that gets `canUseTool`: the task asks about each call that Claude asks
 * about, and waits; a subagent asks in its subtask. A call starts when it is permitted, or with its result if it needs no permission.
 *
 * Diagnostics: those of `anthropicMessages`; `dropped:subagent`: a subagent, as `task` was omitted or it has ended; `dropped:<type>`: a
 * message without an equivalent, once for each type; `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
 *
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const agent: Agent = async function* (task) {
 *   const prompt = String(task.input)
 *   yield* fromClaudeAgent((canUseTool) => query({ prompt, options: { includePartialMessages: true, canUseTool } }), { task })
 * }
 * ```
 */
export function fromClaudeAgent(
  source: Source<unknown> | ((canUseTool: CanUseTool) => Source<unknown>),
  options: FrameworkOptions = {},
): FrameworkDrafts<Out> {
  const permissions = new Permissions()
  const starts = typeof source !== 'function'
  if (!starts) {
    requireFrameworkOptions(options)
    requireFunction('task.approve', options.task?.approve)
  }
  const messages = starts ? source : source(permissions.canUseTool)
  requireFramework(messages, options)
  const agents = new ClaudeAgents(options, starts)
  const { run } = agents.main

  const drafts = readFramework<Out>(messages, options, {
    name: 'the Claude Agent SDK',
    isOwn(value) {
      const message = fieldsOf(value)
      return types.has(textOf(message.type)) || (message.session_id != null && apiOf(message) === '')
    },
    read: (value) => agents.read(fieldsOf(value)),
    mayEnd: () => run.hasResult,
    run: run.run,
    breakOff: () => [...agents.endSubtasks('failed'), ...run.stop(), ...run.run.close()],
    end: () => [...agents.endSubtasks(), ...run.end()],
  })
  const approve = options.task?.approve
  if (starts || approve === undefined) return drafts
  const isStreaming = (): boolean => agents.all.some((agent) => agent.run.isStreaming)
  return permissions.follow(drafts, {
    approve,
    stop: () =>
      agents.all
        .filter((agent) => !agent.run.isStreaming)
        .flatMap((agent) => emitted(agent, agent.run.stop('tool_use'))),
    callerOf(id) {
      const caller = agents.callerOf(id) ?? (isStreaming() ? undefined : agents.main)
      if (caller === undefined) return undefined
      return {
        taskId: caller.taskId,
        idOf: (given) => caller.run.run.idOf(given),
        emit: (draft) => emitted(caller, [draft]),
        start: (toolCallId, name, args) => agents.start(toolCallId, name, args),
        refuse: (toolCallId) => void caller.run.refused.add(toolCallId),
      }
    },
  })
}
