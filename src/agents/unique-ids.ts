/** Ids of calls that no other call of the conversation has: some servers count them anew in each response. */

import type { EventDraft } from '../emitter/event-draft.ts'
import type { AssistantTurn, Turn, TurnToolCall } from '../turns/index.ts'

/** The ids of all calls of turns. */
export function callIdsOf(turns: readonly Turn[]): Set<string> {
  const calls = turns.flatMap((turn) => (turn.role === 'assistant' ? (turn.calls ?? []) : []))
  return new Set(calls.map(({ toolCallId }) => toolCallId))
}

/** Gives the calls of a response ids of their own, and keeps those that their provider knows them by. */
export class UniqueIds {
  readonly #used: Set<string>
  readonly #own = new Map<string, string>()

  /** @param used - The ids that others have: those of the response are added. */
  constructor(used: Set<string>) {
    this.#used = used
  }

  /** A draft of the response with the ids of its calls. */
  ofDraft(draft: EventDraft): EventDraft {
    if (draft.kind === 'task-error' && draft.error.toolCallId !== undefined) {
      return { ...draft, error: { ...draft.error, toolCallId: this.idOf(draft.error.toolCallId) } }
    }
    if (!('toolCallId' in draft) || draft.toolCallId === undefined) return draft
    return { ...draft, toolCallId: this.idOf(draft.toolCallId) }
  }

  /** The response with the ids of its calls. */
  ofTurn(turn: AssistantTurn): AssistantTurn {
    if (turn.calls === undefined) return turn
    const calls = turn.calls.map((call): TurnToolCall => {
      const toolCallId = this.idOf(call.toolCallId)
      return toolCallId === call.toolCallId ? call : { ...call, toolCallId, providerId: call.toolCallId }
    })
    return { ...turn, calls }
  }

  /** The id of a call of the response. */
  idOf(given: string): string {
    const known = this.#own.get(given)
    if (known !== undefined) return known
    let id = given
    for (let count = 2; this.#used.has(id); count++) id = `${given}-${count}`
    this.#used.add(id)
    this.#own.set(given, id)
    return id
  }
}
