/** Reading a recording as events, for the commands that make something of them. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { Finding } from '../../inspect/check/finding.ts'
import type { Dialect } from '../../inspect/dialects.ts'
import { FindingList } from '../../inspect/report/finding-list.ts'
import { recordingInspector } from '../../inspect/report/inspector.ts'
import type { Report } from '../../inspect/report/report.ts'
import { printable } from '../escape.ts'
import { groupLines } from '../inspect/finding-groups.ts'
import { styleOf } from '../style.ts'
import type { Terminal } from '../terminal.ts'
import type { Input } from './input.ts'
import { NAME_FORMAT, requireKnown } from './known.ts'
import { withProgress } from './progress.ts'

/** What receives the events. */
export interface EventSink {
  /** The format of the recording. Omitted: it is recognized. */
  readonly from?: Dialect | undefined
  readonly onEvent: (event: ContextAnyEvent, line: number, hasTime: boolean) => void
  /** Called with what reading loses or changes, but not with broken rules. */
  readonly onLoss: (finding: Finding & { readonly code: string }) => void
  /** Called after each chunk. */
  readonly onChunk?: () => Promise<void>
}

/**
 * Reads a recording as events.
 *
 * @throws UsageError if its format is not recognized.
 */
export async function readEvents(input: Input, terminal: Terminal, sink: EventSink): Promise<Report> {
  const { from, onEvent, onLoss, onChunk } = sink
  const inspector = recordingInspector({
    ...(from !== undefined && { from }),
    findings: 'mapping',
    onEvent: (event, { line, timeMs }) => onEvent(event, line, timeMs !== undefined),
    onFinding: (finding) => {
      if (finding.code !== undefined) onLoss(finding as Finding & { code: string })
    },
  })
  for await (const chunk of withProgress(input, terminal)) {
    await inspector.push(chunk)
    await onChunk?.()
  }
  const report = await inspector.end()
  requireKnown(input.name, report, NAME_FORMAT)
  return report
}

/**
 * Reads the events of a recording, and prints its errors at the end. Resolves to whether it has none.
 *
 * @throws UsageError if its format is not recognized.
 */
export async function readAll(
  input: Input,
  terminal: Terminal,
  { from, onEvent }: Pick<EventSink, 'from' | 'onEvent'>,
): Promise<boolean> {
  const faults = new FindingList()
  await readEvents(input, terminal, {
    from,
    onEvent,
    onLoss: (finding) => {
      if (finding.severity === 'error') faults.add(finding)
    },
  })
  if (faults.listed.length === 0) return true
  terminal.err(`${printable(input.name)}:\n${groupLines(faults.listed, faults.byRule, styleOf(false))}`)
  return false
}
