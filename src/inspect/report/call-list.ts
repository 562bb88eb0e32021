/** The calls of tools of one task. */

import type { ToolCompleteEvent, ToolStartEvent } from '../../events/tool.ts'
import { type Budget, longestText, MAX_OPEN } from './budget.ts'
import type { ToolReport } from './report.ts'
import { runTimeOf } from './run-time.ts'
import { valueText } from './text.ts'

interface OpenCall {
  readonly report: { -readonly [K in keyof ToolReport]: ToolReport[K] }
  startedAt: number | undefined
}

/** Lists calls, and counts those that are not listed. */
export class CallList {
  readonly listed: ToolReport[] = []
  count = 0
  readonly #budget: Budget
  readonly #open = new Map<string, OpenCall>()

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** The model writes the arguments of a call. */
  request(id: string, toolName: string, line: number): void {
    this.#call(id, toolName, line)
  }

  start(event: ToolStartEvent, time: number | undefined, line: number): void {
    const call = this.#call(event.toolCallId, event.toolName, line)
    call.report.status = 'running'
    call.report.arguments = valueText(event.arguments, longestText(this.#budget))
    call.startedAt = time
  }

  complete(event: ToolCompleteEvent, time: number | undefined, line: number): void {
    const { report, startedAt } = this.#call(event.toolCallId, event.toolName, line)
    this.#open.delete(event.toolCallId)
    report.status = event.success ? 'completed' : 'failed'
    const durationMs = runTimeOf(event, startedAt, time)
    if (durationMs !== undefined) report.durationMs = durationMs
  }

  #call(id: string, toolName: string, line: number): OpenCall {
    let call = this.#open.get(id)
    if (call === undefined) {
      this.count++
      call = { report: { toolCallId: id, toolName, status: 'requested', line }, startedAt: undefined }
      if (this.#open.size < MAX_OPEN) this.#open.set(id, call)
      if (this.#budget.items-- > 0) this.listed.push(call.report)
    }
    return call
  }
}
