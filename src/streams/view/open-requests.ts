/** What of a view waits for an answer. */

import type { Metadata } from '../../events/metadata.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { callDigest } from '../../json/call-digest.ts'
import { contextKey } from '../context-key.ts'
import type { OpenRequest } from '../open-request.ts'
import type { AuthPart, InputPart, PartView, ToolPart } from './parts.ts'
import { requireView } from './require-view.ts'
import type { TaskView, View } from './view.ts'

/**
 * The requests of a view that wait for an answer, oldest first, and then the running calls that the client is to run. As
 * `openRequests` of `turnstream/commands` has them on the server, but without the `owner`, which no event states.
 */
export function openRequests(view: View): OpenRequest[] {
  requireView(view)
  const tasks = new Map(view.tasks.map((task) => [contextKey(task.contextId, task.taskId), task]))
  const requests: { readonly at: number; readonly request: OpenRequest }[] = []
  const running: OpenRequest[] = []
  for (const task of view.tasks) {
    if (isTerminalStatus(task.status)) continue
    const { contextId, taskId } = task
    const of = { contextId, taskId, ...ancestorsOf(tasks, task) }
    const asked = new Set<string | undefined>()
    for (const part of task.parts) {
      const request = requestOf(part, of)
      if (request === undefined) continue
      requests.push({ at: Date.parse(part.at), request })
      asked.add(request.call?.toolCallId)
    }
    for (const part of task.parts) {
      if (part.type !== 'tool' || !isRunByClient(part) || asked.has(part.toolCallId)) continue
      running.push(runningCall(part, of))
    }
  }
  return [...requests.sort((a, b) => a.at - b.at).map(({ request }) => request), ...running]
}

/** The task that asks. */
type Asking = Pick<OpenRequest, 'contextId' | 'taskId' | 'ancestorTaskIds'>

function requestOf(part: PartView, of: Asking): OpenRequest | undefined {
  if ((part.type !== 'input' && part.type !== 'auth') || part.status !== 'open') return undefined
  return part.type === 'input' ? inputOf(part, of) : authOf(part, of)
}

function inputOf({ inputId: id, request, audience, at }: InputPart, of: Asking): OpenRequest | undefined {
  if (request === undefined) return undefined
  const { prompt, requireUser = false, inputType, metadata } = request
  const { toolCall, provider, timeout } = metadata ?? {}
  const { name: toolName = '', arguments: text = '' } = toolCall?.function ?? {}
  const digest = callDigest({ toolName, arguments: text })
  return {
    ...{ type: 'input', ...of, id, prompt, requireUser },
    ...(toolCall !== undefined && provider === 'client' && { isExecution: true }),
    inputType,
    ...(toolCall !== undefined && { call: { toolCallId: toolCall.id, toolName, arguments: text, digest } }),
    ...(audience !== undefined && { audience }),
    ...expiry(at, timeout),
  }
}

function authOf({ authId: id, request, audience, at }: AuthPart, of: Asking): OpenRequest | undefined {
  if (request === undefined) return undefined
  return {
    ...{ type: 'auth', ...of, id, prompt: request.prompt, requireUser: true },
    ...(audience !== undefined && { audience }),
    ...expiry(at, request.metadata?.expiresIn),
  }
}

function isRunByClient({ status, metadata }: ToolPart): boolean {
  return status === 'running' && (metadata as Metadata | undefined)?.provider === 'client'
}

function runningCall({ toolCallId: id, toolName = '', audience }: ToolPart, of: Asking): OpenRequest {
  return {
    ...{ type: 'tool', ...of, id, prompt: `Run ${toolName}.`, requireUser: false, isExecution: true },
    ...(audience !== undefined && { audience }),
  }
}

/** The tasks that a task is a subtask of, nearest first. */
function ancestorsOf(
  tasks: ReadonlyMap<string, TaskView>,
  { contextId, taskId, parentTaskId }: TaskView,
): Pick<OpenRequest, 'ancestorTaskIds'> {
  const found: string[] = []
  // Parents may form a cycle.
  for (let parent = parentTaskId; parent !== null && parent !== taskId && !found.includes(parent); ) {
    found.push(parent)
    parent = tasks.get(contextKey(contextId, parent))?.parentTaskId ?? null
  }
  return found.length === 0 ? {} : { ancestorTaskIds: found }
}

/** The latest instant that a date can state in four digits of the year. */
const LATEST = 253_402_300_799_999

function expiry(at: string, seconds: number | undefined): Pick<OpenRequest, 'expiresAt'> {
  if (seconds === undefined) return {}
  return { expiresAt: new Date(Math.min(Date.parse(at) + seconds * 1000, LATEST)).toISOString() }
}
