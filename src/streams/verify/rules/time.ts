/** The order of timestamps within a task. */

import type { ContextAnyEvent } from '../../../events/event.ts'
import { defineRule, ERROR_WARN_OFF, type Rules } from '../../../rules/rule.ts'
import { lastTimestamp } from '../../delta.ts'
import type { CheckContext } from '../context.ts'
import type { TimeRuleName } from '../rule-names.ts'

export const timeRules: Rules<TimeRuleName> = {
  'time-order': defineRule('K02', 'inferred', ERROR_WARN_OFF, '`timestamp` never decreases within a task.'),
}

/** Checks that time does not run backwards within the task, and stores the latest time. */
export function checkTime(context: CheckContext, event: ContextAnyEvent): void {
  const { task } = context
  const { timestamp } = event
  let latest = task.latestTimestamp ?? timestamp
  if (isEarlier(timestamp, latest)) {
    const message = `Expected a timestamp of ${latest} or later, as in an earlier event of the task, got ${timestamp}.`
    const details = { path: '/timestamp', expected: latest, actual: timestamp }
    context.report('time-order', message, details)
  } else latest = timestamp
  const end = lastTimestamp(event)
  task.latestTimestamp = end !== timestamp && isEarlier(latest, end) ? end : latest
}

/** Whether a timestamp is earlier than another. */
function isEarlier(a: string, b: string): boolean {
  // Timestamps of one format in UTC sort as texts, which engines compare much faster than they parse dates.
  if (a.length === b.length && a.endsWith('Z') && b.endsWith('Z')) return a < b
  return Date.parse(a) < Date.parse(b)
}
