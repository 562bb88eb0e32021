/** The arguments of a tool call while they are written. */

import type { Mutable } from '../../../../core/mutable.ts'
import { isFields } from '../../../../validation/predicates.ts'
import type { ToolPart } from '../../parts.ts'
import type { PartialArguments } from '../features.ts'
import type { ViewBuilder } from '../view-builder.ts'

type State = PartialArguments['initial']

/**
 * How far the text of a part has been read, so that each character is read once. Of a part that is not in it, such as one
 * of a stored view, the text is read again.
 */
const read: WeakMap<ToolPart, State> = /* @__PURE__ */ new WeakMap()

/** Sets the arguments of a part that has none, as far as its text goes. `before` is the part before the latest delta. */
export function setPartialArguments(
  { features: { partialArguments: reader } }: ViewBuilder,
  part: Mutable<ToolPart>,
  before: ToolPart | undefined,
  delta: string,
): void {
  // With a piece missing, the text is not JSON.
  if (reader === undefined || part.hasGap) return
  const known = before && (read.get(before) ?? reader.step(reader.initial, before.argumentsText ?? '').state)
  const { state } = reader.step(known ?? reader.initial, delta)
  read.set(part, state)
  if (isFields(state.value)) part.arguments = state.value
}
