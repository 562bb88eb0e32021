/** Rules of single events: their shape, timestamps, kinds and fields. */

import type { Issue } from '../../../core/decode-result.ts'
import { describeValue } from '../../../core/require.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import { isUnicode, toUnicode } from '../../../encoding/unicode.ts'
import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { contextShape, eventShapes } from '../../../events/shapes.generated.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  OFF,
  type Rules,
  WARN_LENIENT_OFF,
  WARN_STRICT_ONLY,
} from '../../../rules/rule.ts'
import type { CheckContext } from '../context.ts'
import type { EventLevelRuleName, EventRuleName } from '../rule-names.ts'

export const eventLevelRules: Rules<EventLevelRuleName> = {
  'well-formed': defineRule(
    'K01',
    'stated',
    ERROR,
    'Every event has `kind`, `contextId`, `taskId` and `timestamp`, and the required fields of its kind.',
  ),
  'timestamp-format': defineRule(
    'K02',
    'inferred',
    ERROR,
    '`timestamp` is an RFC 3339 date-time with a time zone.',
  ),
  'order-per-task': defineRule(
    'K03',
    'stated',
    OFF,
    'Events are ordered within a task; events of different tasks may interleave in any order.',
    'none',
  ),
  'internal-hidden': defineRule(
    'K42',
    'stated',
    ERROR,
    'A stream for clients has no `internal:` events. Checked with the option `external`.',
    'option',
  ),
  'unknown-kind': defineRule(
    'K47',
    'added',
    WARN_LENIENT_OFF,
    'Every event kind is defined in this version. Reported once per kind.',
  ),
  'unknown-field': defineRule(
    'K47',
    'added',
    WARN_STRICT_ONLY,
    'Every field is defined in this version. Reported once per field.',
  ),
  'unicode-text': defineRule(
    'K52',
    'added',
    ERROR_LENIENT_WARN,
    'Text and the names of members have no half of a surrogate pair: parsers of other languages refuse or change it.',
  ),
}

/** Rules for the values of single fields, by path. */
const rulesByPath: Readonly<Record<string, EventRuleName>> = {
  '/timestamp': 'timestamp-format',
  '/timestampEnd': 'timestamp-format',
  '/progress': 'progress-range',
  '/metadata/confidence': 'confidence-range',
}

/** Reports the issues of an invalid event. */
export function reportIssues(context: CheckContext, issues: readonly Issue[]): void {
  for (const { path, code, message } of issues) {
    const isRange = code === 'out-of-range' || code === 'invalid-format'
    const rule = (isRange ? rulesByPath[path] : undefined) ?? 'well-formed'
    context.report(rule, path === '' ? message : `${path}: ${message}`, { path })
  }
}

/** How many texts of one event are reported. */
const MAX_TEXTS = 8

/** Reports text with half a surrogate pair. The data of a file is checked with its encoding. */
export function reportHalves(context: CheckContext, event: { readonly kind: string }): void {
  if (isUnicode(event)) return
  let count = 0
  toUnicode(event, (path, text) => {
    if ((event.kind === 'file-write' && path[0] === 'data') || ++count > MAX_TEXTS) return
    const message = `Expected text without half a surrogate pair, got ${describeValue(text)}.`
    context.report('unicode-text', message, { path: toPointer(path), actual: text })
  })
}

/** Reports an event of an unknown kind, once per kind. */
export function reportUnknownKind(context: CheckContext, kind: string): void {
  const details = { path: '/kind', actual: kind }
  context.reportOnce('unknown-kind', `kind ${kind}`, `Unknown event kind ${describeValue(kind)}.`, details)
}

/** Reports unknown fields, once per kind and field. */
export function reportUnknownFields(context: CheckContext, event: ContextAnyEvent): void {
  const { kind } = event
  const known = fieldsOf(kind)
  for (const name of Object.keys(event)) {
    if (known.has(name)) continue
    const message = `Unknown field ${describeValue(name)} in ${kind}.`
    context.reportOnce('unknown-field', `field ${kind} ${name}`, message, { path: toPointer([name]) })
  }
}

const fields = new Map<string, ReadonlySet<string>>()

function fieldsOf(kind: EventKind): ReadonlySet<string> {
  let known = fields.get(kind)
  if (known === undefined) {
    known = new Set(['kind', ...Object.keys({ ...eventShapes[kind], ...contextShape })])
    fields.set(kind, known)
  }
  return known
}
