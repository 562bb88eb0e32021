/** What an ACP session states of itself: artifacts of the task, each of which an update writes anew. */

import type { EventDraft } from '../emitter/event-draft.ts'
import type { Usage } from '../events/usage.ts'
import { cleanObject } from '../json/sanitize.ts'
import { type Fields, isCount, isFields } from '../validation/predicates.ts'
import { fieldsOf } from '../validation/read-fields.ts'

/** The artifacts, by the update that writes them. Their ids are their names. */
export const stateUpdates = {
  plan: 'plan',
  current_mode_update: 'mode',
  usage_update: 'usage',
  available_commands_update: 'commands',
  config_option_update: 'options',
  session_info_update: 'session',
} as const

export type StateUpdate = keyof typeof stateUpdates

export function isStateUpdate(type: string): type is StateUpdate {
  return Object.hasOwn(stateUpdates, type)
}

/** What updates leave out of the artifacts: the modes that there are, and the title of the session. */
export class SessionState {
  #modes: Fields = {}
  #info: Fields = {}

  /** Reads the `modes` and the `configOptions` that a session begins with. */
  begin({ modes, configOptions }: Fields): EventDraft[] {
    const drafts: EventDraft[] = []
    if (isFields(modes)) {
      this.#modes = { availableModes: modes.availableModes }
      drafts.push(this.read('current_mode_update', modes))
    }
    if (configOptions != null) drafts.push(this.read('config_option_update', { configOptions }))
    return drafts
  }

  read(type: StateUpdate, update: Fields): EventDraft {
    const artifactId = stateUpdates[type]
    return { kind: 'data-write', artifactId, name: artifactId, data: cleanObject(this.#stated(type, update)) }
  }

  #stated(type: StateUpdate, update: Fields): Fields {
    const { entries, currentModeId, used, size, cost, availableCommands, configOptions } = update
    switch (type) {
      case 'plan':
        return { items: listOf(entries) }
      case 'current_mode_update':
        return { currentModeId, ...this.#modes }
      case 'usage_update':
        return { used, size, ...(cost != null && { cost }) }
      case 'available_commands_update':
        return { availableCommands: listOf(availableCommands) }
      case 'config_option_update':
        return { configOptions: listOf(configOptions) }
      default: {
        const { title, updatedAt } = update
        this.#info = {
          ...this.#info,
          ...(title !== undefined && { title }),
          ...(updatedAt !== undefined && { updatedAt }),
        }
        return this.#info
      }
    }
  }
}

function listOf(value: unknown): unknown {
  return Array.isArray(value) ? value : []
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
