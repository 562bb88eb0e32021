/** The calls of tools of one task. */

import type { ToolCompleteEvent, ToolStartEvent } from '../../events/tool.ts'
import type { ToolReport } from './report.ts'
import { type Budget, longestText, MAX_OPEN, valueText } from './text.ts'

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

/**
 * The run time of a tool in milliseconds: as its end states, or else from its `tool-start` to its end, without the time in
 * which the model wrote the arguments. `undefined` if unknown.
 *
 * @param startedAt - The time of the start. `undefined` if unknown.
 * @param endedAt - The time of the end. `undefined` if unknown.
 */
export function runTimeOf(
  { metadata }: Pick<ToolCompleteEvent, 'metadata'>,
  startedAt: number | undefined,
  endedAt: number | undefined,
): number | undefined {
  if (metadata?.duration !== undefined) return metadata.duration
  return startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt
}
