/** Summing up one task. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { Usage } from '../../events/usage.ts'
import { CallList } from './call-list.ts'
import type { TaskReport } from './report.ts'
import { type Budget, MAX_OPEN } from './text.ts'
import { ThoughtList } from './thought-list.ts'
import { Span } from './times.ts'
import { addUsage, usageIn } from './usage.ts'

/** One task, while its events are read. */
export class TaskSummary {
  readonly taskId: string
  readonly contextId: string
  readonly startLine: number
  parent: TaskSummary | undefined
  readonly children: TaskSummary[] = []
  name: string | undefined
  status: string | null = null
  error: string | undefined
  readonly calls: CallList
  readonly thoughts: ThoughtList
  textLength = 0
  readonly span: Span = new Span()
  /** The length of the deltas of each text that is not complete. */
  readonly #openTexts = new Map<string, number>()
  #usage: Usage[] = []
  #hasTotal = false

  constructor(taskId: string, contextId: string, startLine: number, budget: Budget) {
    this.taskId = taskId
    this.contextId = contextId
    this.startLine = startLine
    this.calls = new CallList(budget)
    this.thoughts = new ThoughtList(budget)
  }

  /** Adds an event of the task. `time` is `undefined` if the recording states none. */
  add(event: ContextAnyEvent, line: number, time: number | undefined): void {
    this.span.add(time)
    switch (event.kind) {
      case 'task-status':
        this.status = event.status
        this.error = event.error?.message ?? this.error
        // Of a message of the AI SDK after which the task waits.
        if (!this.#hasTotal) addUsage(this.#usage, usageIn(event.metadata?.usage))
        break
      case 'task-complete':
        // Some writers end a task with this event alone.
        this.status = 'completed'
        if (event.metadata?.usage !== undefined) {
          this.#usage = []
          this.#hasTotal = true
          addUsage(this.#usage, event.metadata.usage)
        }
        break
      case 'content-delta':
        this.#addText(event.contentId ?? '', event.delta.length)
        break
      case 'content-complete': {
        const { contentId = '', content, metadata } = event
        const streamed = this.#openTexts.get(contentId) ?? 0
        this.#openTexts.delete(contentId)
        this.textLength += content.length - Math.min(streamed, content.length)
        if (metadata?.usage !== undefined && !this.#hasTotal) addUsage(this.#usage, metadata.usage)
        break
      }
      case 'internal:llm-call':
        if (event.metadata?.usage !== undefined && !this.#hasTotal)
          addUsage(this.#usage, event.metadata.usage)
        break
      case 'thought-delta':
        this.thoughts.append(event.thoughtId, event.delta, line)
        break
      case 'thought-stream':
        this.thoughts.complete(event.thoughtId, event.content, line)
        break
      case 'tool-arguments-delta':
        this.calls.request(event.toolCallId, event.toolName, line)
        break
      case 'tool-start':
        this.calls.start(event, time, line)
        break
      case 'tool-complete':
        this.calls.complete(event, time, line)
        break
      default:
    }
  }

  get usage(): readonly Usage[] {
    return this.#usage
  }

  report(): TaskReport {
    const { taskId, contextId, name, status, startLine, error, textLength } = this
    const { length: durationMs } = this.span
    return {
      taskId,
      contextId,
      ...(name !== undefined && { name }),
      status,
      startLine,
      ...(durationMs !== undefined && { durationMs }),
      ...(error !== undefined && { error }),
      tools: this.calls.listed,
      thoughts: this.thoughts.listed,
      textLength,
      ...(this.#usage.length > 0 && { usage: this.#usage }),
      children: this.children.map((child) => child.report()),
    }
  }

  #addText(key: string, length: number): void {
    this.textLength += length
    const streamed = this.#openTexts.get(key)
    if (streamed !== undefined || this.#openTexts.size < MAX_OPEN) {
      this.#openTexts.set(key, (streamed ?? 0) + length)
    }
  }
}
