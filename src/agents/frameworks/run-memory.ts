/** What a run of a framework leaves to the next one of its task: after an answer, the framework runs again. */

import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import type { Usage } from '../../events/usage.ts'
import { addUsage } from '../../events/usage-sum.ts'
import { parsedArguments } from '../../json/parsed.ts'
import { fieldsOf } from '../../providers/shared/fields.ts'
import type { AgentTask } from '../../server/agent-task.ts'

/** A task whose runs are read: an `AgentTask`, or its ids. */
export type FrameworkTask = TaskName & Partial<Pick<AgentTask, 'needsApproval' | 'approve' | 'sent'>>

export interface KnownCall {
  readonly toolName: string
  readonly arguments: Record<string, unknown>
  /** The iteration of the response that wrote it. Omitted if unknown. */
  readonly iteration?: number
}

/** So many calls and questions are remembered. */
const MAX_KNOWN = 4096

/** Adds to what is known, and forgets the oldest of too many. */
export function remember(known: Set<string>, id: string): void {
  known.add(id)
  const [oldest = id] = known
  if (known.size > MAX_KNOWN) known.delete(oldest)
}

export class RunMemory {
  /** The tokens of all responses. */
  usage: readonly Usage[] = []
  /** The iteration of the next response. */
  iteration = 0
  /** The calls that have started and have no result. */
  readonly open: Map<string, KnownCall> = new Map()
  /** The calls that are written and have not started. */
  readonly waiting: Map<string, KnownCall> = new Map()
  /** The calls that have a result, or failed. */
  readonly done: Set<string> = new Set()
  /** The calls of earlier responses: a response repeats no id of another one. */
  readonly before: Set<string> = new Set()
  /** The questions that were asked, and the calls that they were about. */
  readonly asked: Set<string> = new Set()
  readonly askedCalls: Set<string> = new Set()

  startCall(id: string, call: KnownCall): void {
    this.waiting.delete(id)
    this.open.set(id, call)
    remember(this.before, id)
  }

  endCall(id: string): void {
    this.waiting.delete(id)
    this.open.delete(id)
    remember(this.done, id)
    remember(this.before, id)
  }

  ask(inputId: string, toolCallId: string | undefined): void {
    remember(this.asked, inputId)
    if (toolCallId !== undefined) remember(this.askedCalls, toolCallId)
  }
}

const memories = new WeakMap<TaskName, RunMemory>()

/** What the run before has left; after a restart, what the task has sent states it. A run takes it: two at a time share nothing. */
export function takeMemory(task: FrameworkTask | undefined): RunMemory {
  if (task === undefined) return new RunMemory()
  const known = memories.get(task)
  memories.delete(task)
  return known ?? memoryOf(task, task.sent ?? [])
}

export function leaveMemory(task: FrameworkTask | undefined, memory: RunMemory): void {
  if (task !== undefined) memories.set(task, memory)
}

function memoryOf({ contextId, taskId }: TaskName, sent: readonly ContextAnyEvent[]): RunMemory {
  const memory = new RunMemory()
  const written = new Map<string, { readonly toolName: string; readonly iteration?: number; text: string }>()
  for (const event of sent) {
    if (event.contextId !== contextId || event.taskId !== taskId) continue
    const { iteration } = event as { readonly iteration?: number }
    if (iteration !== undefined) memory.iteration = Math.max(memory.iteration, iteration + 1)
    if (event.kind === 'content-complete') {
      for (const each of event.metadata?.usage ?? []) memory.usage = addUsage(memory.usage, each)
    } else if (event.kind === 'tool-arguments-delta') {
      const { toolCallId, toolName, delta } = event
      const known = written.get(toolCallId) ?? {
        toolName,
        ...(iteration !== undefined && { iteration }),
        text: '',
      }
      known.text += delta
      written.set(toolCallId, known)
    } else if (event.kind === 'tool-start') {
      memory.startCall(event.toolCallId, event)
    } else if (event.kind === 'tool-complete') {
      memory.endCall(event.toolCallId)
    } else if (event.kind === 'input-required') {
      memory.ask(event.inputId, event.metadata?.toolCall?.id)
    }
  }
  for (const [id, { text, ...call }] of written) {
    if (memory.before.has(id)) continue
    remember(memory.before, id)
    const args = fieldsOf(parsedArguments(text)) as Record<string, unknown>
    memory.waiting.set(id, { ...call, arguments: args })
  }
  return memory
}
