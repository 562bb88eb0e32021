/** Backpressure rules: how events of each kind may be reduced. */
import type { EventKind } from '../../events/event.ts'
import type { BackpressureRule } from '../../events/kind.ts'
import { kindBackpressure } from '../../events/kinds.generated.ts'
import { INTERNAL_PREFIX } from '../../events/kinds.ts'

const durable: BackpressureRule = {}
const drop: BackpressureRule = { drop: true }

/** The rule of any kind. Kinds this version does not know are never merged; internal ones are dropped. */
export function backpressureRuleOf(kind: string): BackpressureRule {
  if (kind.startsWith(INTERNAL_PREFIX)) return drop
  return Object.hasOwn(kindBackpressure, kind) ? (kindBackpressure[kind as EventKind] ?? durable) : durable
}
