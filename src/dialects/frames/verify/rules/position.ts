/** Rules of the position of a frame in its stream. */

import { describeValue } from '../../../../core/require.ts'
import { pushBounded } from '../../../../rules/bounded-list.ts'
import { expectBound, expectEqual } from '../../../../rules/expect.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  type Rules,
  WARN_LENIENT_OFF,
} from '../../../../rules/rule.ts'
import { MAX_ITEMS } from '../bounded-list.ts'
import { AS_WARNING, type FrameContext } from '../context.ts'
import type { PositionRuleName } from '../rule-names.ts'
import type { Envelope } from './envelope.ts'

export const positionRules: Rules<PositionRuleName> = {
  sequence: defineRule('F02', 'stated', ERROR, 'seq starts at 0 and increases by 1 within a stream.'),
  'unique-id': defineRule(
    'F03',
    'inferred',
    ERROR_LENIENT_WARN,
    'No two frames of a stream share an id or a seq; a repeated frame is allowed (warn).',
  ),
  'time-order': defineRule(
    'F05',
    'inferred',
    WARN_LENIENT_OFF,
    'timestamp_ms does not decrease within a stream.',
  ),
}

/** Adds a frame to its stream. Returns `false` if its `seq` is taken by the same or another frame. */
export function checkPosition(context: FrameContext, { frameId, seq, time }: Envelope): boolean {
  const { stream } = context
  const { nextSeq, ids } = stream
  const actual = seq ?? nextSeq
  const rule = 'unique-id'
  const path = '/id'
  if (actual < nextSeq) {
    // A frame older than the ids kept is treated as a repetition.
    const expected = ids.at(actual - nextSeq) ?? frameId
    expectEqual(context, rule, path, expected, frameId, { of: `seq ${actual}` })
    if (expected === frameId) {
      const message = `Expected seq ${nextSeq}, got frame ${describeValue(frameId)} again.`
      context.report(rule, message, { path, ...AS_WARNING })
    }
    return false
  }
  if (ids.includes(frameId)) {
    context.report(rule, `Expected an id of its own, got ${describeValue(frameId)} again.`, { path })
  }
  const isGap = actual > nextSeq
  expectEqual(context, 'sequence', '/seq', nextSeq, actual)
  if (isGap) stream.hasGap = true
  if (time !== undefined) expectBound(context, 'time-order', '/timestamp_ms', '>=', stream.time, time)
  stream.nextSeq = actual + 1
  stream.time = time ?? stream.time
  stream.ids = isGap ? [frameId] : pushBounded(ids, frameId, MAX_ITEMS)
  return true
}
