/** What a run of a framework leaves to the next one of its task: after an answer, the framework runs again. */

import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import type { Usage } from '../../events/usage.ts'
import { addUsage } from '../../events/usage-sum.ts'
import { parsedArguments } from '../../json/parsed.ts'
import { fieldsOf } from '../../providers/shared/fields.ts'
import type { AgentTask } from '../../server/agent-task.ts'

/** A task whose runs are read: an `AgentTask`, or its ids. */
export type FrameworkTask = TaskName &
  Partial<Pick<AgentTask, 'needsApproval' | 'approve' | 'answered' | 'sent'>>

export interface KnownCall {
  readonly toolName: string
  readonly arguments: Record<string, unknown>
  /** The iteration of the response that wrote it. Omitted if unknown. */
  readonly iteration?: number
}

/** So many calls and questions are remembered. */
const MAX_KNOWN = 4096

/** The latest ids: of too many, the oldest are forgotten. */
export class Recent extends Set<string> {
  override add(id: string): this {
    super.add(id)
    const [oldest = id] = this
    if (this.size > MAX_KNOWN) this.delete(oldest)
    return this
  }
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
  readonly done: Recent = new Recent()
  /** All ids: a call that another response writes is another one, also if the framework gives it the same id. */
  readonly used: Recent = new Recent()
  /** The calls whose arguments are written in the stream. */
  readonly shown: Recent = new Recent()
  /** The questions that were asked, with their prompts, and the calls that they were about. */
  readonly asked: Map<string, string> = new Map()
  readonly askedCalls: Recent = new Recent()
  /** The questions that were closed before a restart. */
  readonly closed: Recent = new Recent()
  /** The latest calls that have other ids than the framework gives them, by these. */
  readonly #latest = new Map<string, string>()

  /** Notes the id that the framework gives a call. */
  rename(given: string, id: string): void {
    if (given === id) return
    this.#latest.delete(given)
    this.#latest.set(given, id)
    const [oldest = given] = this.#latest.keys()
    if (this.#latest.size > MAX_KNOWN) this.#latest.delete(oldest)
  }

  /** The latest call with an id of the framework. */
  idOf(given: string): string {
    return this.#latest.get(given) ?? given
  }

  /** The calls that wait, by the ids that the framework gives them: of several with the same one, the latest. */
  waitingByGiven(): Map<string, KnownCall & { readonly toolCallId: string }> {
    const given = new Map([...this.#latest].map(([name, id]) => [id, name]))
    const named = [...this.waiting].map(
      ([id, call]) => [given.get(id) ?? id, { ...call, toolCallId: id }] as const,
    )
    return new Map(named.filter(([name, { toolCallId }]) => this.idOf(name) === toolCallId))
  }

  startCall(id: string, call: KnownCall): void {
    this.waiting.delete(id)
    this.open.set(id, call)
    this.used.add(id)
  }

  endCall(id: string): void {
    this.waiting.delete(id)
    this.open.delete(id)
    this.done.add(id)
    this.used.add(id)
  }

  ask(inputId: string, prompt: string, toolCallId: string | undefined): void {
    this.asked.set(inputId, prompt)
    const [oldest = inputId] = this.asked.keys()
    if (this.asked.size > MAX_KNOWN) this.asked.delete(oldest)
    if (toolCallId !== undefined) this.askedCalls.add(toolCallId)
  }

  /** Notes an id that the task has sent. */
  restore(id: string): void {
    if (this.used.has(id)) return
    this.used.add(id)
    const [, given] = /^(.+)-\d+$/.exec(id) ?? []
    if (given !== undefined && this.used.has(given)) this.rename(given, id)
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
      if (event.contentId !== undefined) memory.restore(event.contentId)
    } else if (event.kind === 'thought-stream') {
      if (event.thoughtId !== undefined) memory.restore(event.thoughtId)
    } else if (event.kind === 'tool-arguments-delta') {
      const { toolCallId, toolName, delta } = event
      memory.restore(toolCallId)
      memory.shown.add(toolCallId)
      const known = written.get(toolCallId) ?? {
        toolName,
        ...(iteration !== undefined && { iteration }),
        text: '',
      }
      known.text += delta
      written.set(toolCallId, known)
    } else if (event.kind === 'tool-start') {
      memory.restore(event.toolCallId)
      memory.startCall(event.toolCallId, event)
    } else if (event.kind === 'tool-complete') {
      memory.endCall(event.toolCallId)
    } else if (event.kind === 'input-required') {
      memory.ask(event.inputId, event.prompt, event.metadata?.toolCall?.id)
    } else if (event.kind === 'input-received' || event.kind === 'input-canceled') {
      memory.closed.add(event.inputId)
    }
  }
  for (const [id, { text, ...call }] of written) {
    if (memory.open.has(id) || memory.done.has(id)) continue
    const args = fieldsOf(parsedArguments(text)) as Record<string, unknown>
    memory.waiting.set(id, { ...call, arguments: args })
  }
  return memory
}
