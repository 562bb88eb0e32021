/** What an ACP session states of itself: artifacts of the task, each of which an update writes anew. */

import type { EventDraft } from '../emitter/event-draft.ts'
import type { Usage } from '../events/usage.ts'
import { cleanObject } from '../json/sanitize.ts'
import { type Fields, isCount, isFields } from '../validation/predicates.ts'
import { fieldsOf } from '../validation/read-fields.ts'

/** The artifacts, by the update that writes them. Their ids are their names. */
export const stateUpdates: Readonly<Record<StateUpdate, string>> = {
  plan: 'plan',
  current_mode_update: 'mode',
  usage_update: 'usage',
}

export type StateUpdate = 'plan' | 'current_mode_update' | 'usage_update'

export function isStateUpdate(type: string): type is StateUpdate {
  return Object.hasOwn(stateUpdates, type)
}

/** The modes of a session: the update names the current one alone. */
export class SessionState {
  #modes: Fields = {}

  /** Reads the `modes` that a session begins with. */
  begin(modes: unknown): EventDraft[] {
    if (!isFields(modes)) return []
    this.#modes = { availableModes: modes.availableModes }
    return [this.read('current_mode_update', modes)]
  }

  read(type: StateUpdate, { entries, currentModeId, used, size, cost }: Fields): EventDraft {
    const artifactId = stateUpdates[type]
    const stated = {
      plan: { items: entries ?? [] },
      current_mode_update: { currentModeId, ...this.#modes },
      usage_update: { used, size, ...(cost != null && { cost }) },
    }[type]
    return { kind: 'data-write', artifactId, name: artifactId, data: cleanObject(stated) }
  }
}

/** The usage of a prompt. If the total is not input plus output, cached and thought tokens are counted apart, and are added. */
export function usageOf(value: unknown): Usage | undefined {
  const { totalTokens, inputTokens, outputTokens, ...parts } = fieldsOf(value)
  if (![totalTokens, inputTokens, outputTokens].every(isCount)) return undefined
  const [total, input, output] = [totalTokens, inputTokens, outputTokens].map(Number) as [
    number,
    number,
    number,
  ]
  const count = (part: unknown): number => (isCount(part) ? Number(part) : 0)
  const { thoughtTokens: thought, cachedReadTokens: read, cachedWriteTokens: write } = parts
  const isApart = total !== input + output
  return {
    inputTokens: isApart ? input + count(read) + count(write) : input,
    outputTokens: isApart ? output + count(thought) : output,
    totalTokens: total,
    ...(isCount(thought) && { reasoningTokens: Number(thought) }),
    ...(isCount(read) && { cachedInputTokens: Number(read) }),
    ...(isCount(write) && { cacheWriteInputTokens: Number(write) }),
  }
}
