/** What `geminiInteractions` reads of a chunk. Objects of the SDK fit. */

/** A chunk of an Interactions stream. Which fields it has depends on `event_type`. */
export interface GeminiInteractionsChunk {
  /** `interaction.created`, `step.delta` and the like. */
  event_type: string
  /** Only in `interaction.created` and `interaction.completed`. */
  interaction?: GeminiInteraction
  /** Which step of the interaction it belongs to. */
  index?: number
  /** Only in `step.start`. */
  step?: { type: string }
  /** Only in `step.delta`. */
  delta?: { type: string }
  /** Only in `error`. */
  error?: { code?: string | number; message?: string } | null
}

/** An interaction, as far as it is read. */
export interface GeminiInteraction {
  id?: string
  model?: string
  /** `completed`, `requires_action`, `failed` and the like. */
  status?: string
  usage?: object | null
}
