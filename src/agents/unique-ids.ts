/** Ids of calls that no other call of the conversation has: some servers count them anew in each response. */

import type { EventDraft } from '../emitter/event-draft.ts'
import type { AssistantTurn, Turn, TurnToolCall } from '../turns/index.ts'

/** Gives the calls of a response ids of their own, and keeps those that their provider knows them by. */
export class UniqueIds {
  readonly #used: Set<string>
  readonly #own = new Map<string, string>()

  constructor(turns: readonly Turn[]) {
    this.#used = new Set(
      turns.flatMap((turn) =>
        (turn.role === 'assistant' ? (turn.calls ?? []) : []).map((call) => call.toolCallId),
      ),
    )
  }

  /** A draft of the response with the ids of its calls. */
  ofDraft(draft: EventDraft): EventDraft {
    if (draft.kind === 'task-error' && draft.error.toolCallId !== undefined) {
      return { ...draft, error: { ...draft.error, toolCallId: this.#idOf(draft.error.toolCallId) } }
    }
    if (!('toolCallId' in draft) || draft.toolCallId === undefined) return draft
    return { ...draft, toolCallId: this.#idOf(draft.toolCallId) }
  }

  /** The response with the ids of its calls. */
  ofTurn(turn: AssistantTurn): AssistantTurn {
    if (turn.calls === undefined) return turn
    const calls = turn.calls.map((call): TurnToolCall => {
      const toolCallId = this.#idOf(call.toolCallId)
      return toolCallId === call.toolCallId ? call : { ...call, toolCallId, providerId: call.toolCallId }
    })
    return { ...turn, calls }
  }

  #idOf(given: string): string {
    const known = this.#own.get(given)
    if (known !== undefined) return known
    let id = given
    for (let count = 2; this.#used.has(id); count++) id = `${given}-${count}`
    this.#used.add(id)
    this.#own.set(given, id)
    return id
  }
}
