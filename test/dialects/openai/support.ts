/** Tasks to be written as Chat Completions, and what a client makes of the chunks. */
import OpenAI from 'openai'
import { type ContextAnyEvent, createEmitter, type EventDraft } from 'turnstream'
import { type ChatCompletionEvent, toChatCompletions } from 'turnstream/openai'
import { encodeJson } from 'turnstream/sse'
import type { ToChatCompletionsOptions } from '../../../src/dialects/openai/to/to-chat-completions.ts'
import { resultsOf } from '../../support/mapper-laws.ts'

/** The events of a task that begins. */
export function taskOf(drafts: readonly EventDraft[]): ContextAnyEvent[] {
  const { emit } = createEmitter({ contextId: 'c', taskId: 't', now: () => '2026-05-01T08:00:00.000Z' })
  return [{ kind: 'task-created', initiator: 'user' } as const, ...drafts].map((draft) => emit(draft))
}

/** What is written of events, and the codes of what is reported, with their reasons. */
export function written(
  events: readonly ContextAnyEvent[],
  options: ToChatCompletionsOptions = {},
): { readonly out: readonly ChatCompletionEvent[]; readonly codes: readonly string[] } {
  const results = resultsOf(toChatCompletions(options), events)
  return {
    out: results.flatMap(({ out }) => out),
    codes: results.flatMap(({ diagnostics }) =>
      diagnostics.map(({ code, detail }) => {
        const { reason } = (detail ?? {}) as { reason?: string }
        return reason === undefined ? code : `${code} ${reason}`
      }),
    ),
  }
}

/** A client of a server that answers with these chunks. */
export const clientOf = (chunks: readonly ChatCompletionEvent[]): OpenAI =>
  new OpenAI({ apiKey: 'none', maxRetries: 0, fetch: async () => answerOf(chunks) })

export function answerOf(chunks: readonly ChatCompletionEvent[]): Response {
  const body = `${chunks.map((chunk) => encodeJson(chunk)).join('')}data: [DONE]\n\n`
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** The message that a client assembles. */
export function completionOf(
  chunks: readonly ChatCompletionEvent[],
): Promise<OpenAI.Chat.Completions.ChatCompletion> {
  return clientOf(chunks).chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion()
}
