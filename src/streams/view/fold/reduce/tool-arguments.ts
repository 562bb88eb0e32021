/** The arguments of a tool call while they are written. */

import type { Mutable } from '../../../../core/mutable.ts'
import { readJson } from '../../../../json/partial/partial-json.ts'
import { initialState, type State } from '../../../../json/partial/state.ts'
import { isFields } from '../../../../validation/predicates.ts'
import type { ToolPart } from '../../parts.ts'

/**
 * How far the text of a part has been read, so that each character is read once. Of a part that is not in it, such as one
 * of a stored view, the text is read again.
 */
const read: WeakMap<ToolPart, State> = /* @__PURE__ */ new WeakMap()

/** Sets the arguments of a part that has none, as far as its text goes. `before` is the part before the latest delta. */
export function setPartialArguments(
  part: Mutable<ToolPart>,
  before: ToolPart | undefined,
  delta: string,
): void {
  // With a piece missing, the text is not JSON.
  if (part.hasGap) return
  const state = before === undefined ? initialState : (read.get(before) ?? readAgain(before))
  const next = readJson(state, delta).state
  read.set(part, next)
  if (isFields(next.value)) part.arguments = next.value
}

function readAgain({ argumentsText = '' }: ToolPart): State {
  return readJson(initialState, argumentsText).state
}
