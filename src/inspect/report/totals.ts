/** Sums over all tasks of a recording. */

import type { Usage } from '../../events/usage.ts'
import type { FindingList } from './finding-list.ts'
import type { Totals } from './report.ts'
import type { TaskTree } from './task-tree.ts'
import { Span } from './times.ts'
import { addUsage } from './usage.ts'
import type { Counts } from './value-reader.ts'

/**
 * The sums of a report.
 *
 * @param kinds - The number of events of each kind.
 */
export function totalsOf(
  tree: TaskTree,
  findings: FindingList,
  { values, events }: Counts,
  kinds: ReadonlyMap<string, number>,
): Totals {
  const usage: Usage[] = []
  const span = new Span()
  let toolCalls = 0
  let thoughts = 0
  let textLength = 0
  let thoughtLength = 0
  for (const task of tree.summaries) {
    addUsage(usage, task.usage)
    span.add(task.span.first)
    span.add(task.span.last)
    toolCalls += task.calls.count
    thoughts += task.thoughts.count
    textLength += task.textLength
    thoughtLength += task.thoughts.length
  }
  return {
    values,
    events,
    kinds: Object.fromEntries(kinds),
    tasks: tree.taskCount,
    toolCalls,
    thoughts,
    textLength,
    thoughtLength,
    ...(usage.length > 0 && { usage }),
    ...(span.length !== undefined && { durationMs: span.length }),
    findings: findings.bySeverity,
    rules: findings.byRule,
  }
}
