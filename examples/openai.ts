/** An OpenAI-compatible chat stream (`chat.completion.chunk`) as event drafts. */
import type { EventDraft, Machine } from 'agentwire'
import type { SseMessage } from 'agentwire/sse'
import { type ThoughtEventOptions, thoughtEvents } from 'agentwire/thoughts'
import { addText, type Chat, type ChatState, endReasoning, fail, leaveOut, stepFrom } from './chat.ts'
import { type Fields, fields, isText, list, parseFields } from './loose-json.ts'
import { addPiece, startTool } from './tool-calls.ts'

/**
 * Reads a chat stream. Content goes through {@link thoughtEvents}; `reasoning_content` (DeepSeek,
 * Qwen) or `reasoning` (Groq, OpenRouter) is a thought until something else follows.
 *
 * What no event tells of is a diagnostic `left-out` with a pointer into the chunk.
 */
export function openaiAdapter(options: ThoughtEventOptions = {}): Machine<ChatState, SseMessage, EventDraft> {
  const thoughts = thoughtEvents(options)
  const initial: ChatState = { phase: 'waiting', text: thoughts.initial, reasoning: '', calls: [] }

  function readChunk(chat: Chat, data: string): void {
    const { error, choices, usage } = parseFields(data) ?? {}
    if (error) {
      fail(chat, fields(error))
      chat.phase = 'finished'
    } else if (!Array.isArray(choices)) leaveOut(chat, '', data)
    if (usage) leaveOut(chat, '/usage', usage)
    for (const [i, choice] of list(choices).entries()) {
      const { index = 0, delta, finish_reason: reason } = choice
      if (index === 0) {
        if (chat.phase === 'waiting') chat.phase = 'speaking'
        readDelta(chat, fields(delta), `/choices/${i}/delta`)
        if (typeof reason === 'string') finish(chat, reason)
      } else leaveOut(chat, `/choices/${i}`, choice)
    }
  }

  function readDelta(chat: Chat, delta: Fields, path: string): void {
    const { role: _, content, tool_calls: pieces, reasoning_content: a, reasoning: b, ...rest } = delta
    // Who sends both kinds of reasoning says the same in both.
    const reasoning = a || b
    if (isText(reasoning)) {
      chat.reasoning += reasoning
      chat.out.push({ kind: 'thought-delta', delta: reasoning })
    } else if (reasoning) leaveOut(chat, `${path}/reasoning`, reasoning)

    if (content || list(pieces).length > 0) endReasoning(chat, true)
    if (typeof content === 'string') addText(chat, thoughts.step(chat.text, content))
    else if (content) leaveOut(chat, `${path}/content`, content)

    if (pieces && !Array.isArray(pieces)) leaveOut(chat, `${path}/tool_calls`, pieces)
    for (const piece of list(pieces)) {
      const added = addPiece(chat.calls, piece)
      if (added === undefined) leaveOut(chat, `${path}/tool_calls`, piece)
      else {
        chat.calls = added.calls
        chat.out.push(...added.drafts)
      }
    }
    for (const [name, value] of Object.entries(rest)) if (value) leaveOut(chat, `${path}/${name}`, value)
  }

  function finish(chat: Chat, finishReason: string): void {
    endReasoning(chat, finishReason !== 'length')
    addText(chat, thoughts.end(chat.text, { finishReason }))
    chat.out.push(...chat.calls.map(startTool))
    Object.assign(chat, initial, { phase: 'finished' })
  }

  function breakOff(chat: Chat): void {
    endReasoning(chat, false)
    addText(chat, thoughts.end(chat.text))
    for (const call of chat.calls) leaveOut(chat, '/choices/0/delta/tool_calls', call)
    if (chat.phase === 'waiting') fail(chat, { message: 'There is no chat.completion.chunk in the stream.' })
    if (chat.phase === 'speaking') fail(chat, { message: 'The stream ended before the model was done.' })
    Object.assign(chat, initial, { phase: chat.phase })
  }

  return {
    initial,
    step: (state, { data }) => stepFrom(state, (chat) => data !== '[DONE]' && readChunk(chat, data)),
    end: (state) => stepFrom(state, breakOff),
  }
}
