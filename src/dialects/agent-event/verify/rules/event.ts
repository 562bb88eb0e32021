/** Rules of single events, of an agent and of a tool. */

import type { DecodeResult } from '../../../../core/decode-result.ts'
import { reportUnexpected } from '../../../../rules/expect.ts'
import { defineRule, ERROR, type Rules, WARN_LENIENT_OFF } from '../../../../rules/rule.ts'
import type { Violation, ViolationReporter } from '../../../../rules/violation.ts'
import type { EventRuleName } from '../state.ts'

/** The rules with the id `A01` or `T01`. */
export function eventRules(id: string): Rules<EventRuleName> {
  return {
    'well-formed': defineRule(id, 'stated', ERROR, 'An event of a known type has the fields of its type.'),
    'known-type': defineRule(id, 'added', WARN_LENIENT_OFF, 'Every event has a type of this version.'),
  }
}

/** Reports a value that is not a known event. */
export function checkDecoded(
  reporter: Pick<ViolationReporter<EventRuleName, Violation<EventRuleName>>, 'report' | 'hasInput'>,
  decoded: Exclude<DecodeResult<unknown, unknown>, { status: 'known' }>,
): void {
  if (decoded.status === 'unknown') {
    reportUnexpected(reporter, 'known-type', '/type', 'a known type', decoded.kind)
    return
  }
  for (const { path, message } of decoded.issues) reporter.report('well-formed', message, { path })
}
