/** Converts an OpenAI-compatible chat stream (`chat.completion.chunk`) to event drafts. */
import type { EventDraft, Machine } from 'agentwire'
import type { SseMessage } from 'agentwire/sse'
import { type ThoughtEventOptions, thoughtEvents } from 'agentwire/thoughts'
import {
  addText,
  type ChatState,
  type ChatStep,
  endReasoning,
  fail,
  reportIgnored,
  stepFrom,
} from './chat.ts'
import { type Fields, fields, isText, list, parseFields } from './loose-json.ts'
import { addPiece, startTool } from './tool-calls.ts'

/**
 * Converts a chat stream. Content passes through {@link thoughtEvents}; `reasoning_content` (DeepSeek,
 * Qwen) or `reasoning` (Groq, OpenRouter) is one thought until content or a tool call follows.
 *
 * Parts without an equivalent event are reported as `left-out`, with a JSON Pointer into the chunk.
 */
export function openaiAdapter(options: ThoughtEventOptions = {}): Machine<ChatState, SseMessage, EventDraft> {
  const thoughts = thoughtEvents(options)
  const initial: ChatState = { phase: 'waiting', text: thoughts.initial, reasoning: '', calls: [] }

  function readChunk(chat: ChatStep, data: string): void {
    const { error, choices, usage } = parseFields(data) ?? {}
    if (error) {
      fail(chat, fields(error))
      chat.phase = 'finished'
    } else if (!Array.isArray(choices)) reportIgnored(chat, '', data)
    if (usage) reportIgnored(chat, '/usage', usage)
    for (const [i, choice] of list(choices).entries()) {
      const { index = 0, delta, finish_reason: reason } = choice
      if (index === 0) {
        if (chat.phase === 'waiting') chat.phase = 'speaking'
        readDelta(chat, fields(delta), `/choices/${i}/delta`)
        if (typeof reason === 'string') finish(chat, reason)
      } else reportIgnored(chat, `/choices/${i}`, choice)
    }
  }

  function readDelta(chat: ChatStep, delta: Fields, path: string): void {
    const { role: _, content, tool_calls: pieces, reasoning_content: a, reasoning: b, ...rest } = delta
    // Servers that send both fields repeat the same text in both.
    const reasoning = a || b
    if (isText(reasoning)) {
      chat.reasoning += reasoning
      chat.out.push({ kind: 'thought-delta', delta: reasoning })
    } else if (reasoning) reportIgnored(chat, `${path}/reasoning`, reasoning)

    if (content || list(pieces).length > 0) endReasoning(chat, true)
    if (typeof content === 'string') addText(chat, thoughts.step(chat.text, content))
    else if (content) reportIgnored(chat, `${path}/content`, content)

    if (pieces && !Array.isArray(pieces)) reportIgnored(chat, `${path}/tool_calls`, pieces)
    for (const piece of list(pieces)) {
      const added = addPiece(chat.calls, piece)
      if (added === undefined) reportIgnored(chat, `${path}/tool_calls`, piece)
      else {
        chat.calls = added.calls
        chat.out.push(...added.drafts)
      }
    }
    for (const [name, value] of Object.entries(rest)) if (value) reportIgnored(chat, `${path}/${name}`, value)
  }

  function finish(chat: ChatStep, finishReason: string): void {
    endReasoning(chat, finishReason !== 'length')
    addText(chat, thoughts.end(chat.text, { finishReason }))
    chat.out.push(...chat.calls.map(startTool))
    Object.assign(chat, initial, { phase: 'finished' })
  }

  function breakOff(chat: ChatStep): void {
    endReasoning(chat, false)
    addText(chat, thoughts.end(chat.text))
    for (const call of chat.calls) reportIgnored(chat, '/choices/0/delta/tool_calls', call)
    if (chat.phase === 'waiting') fail(chat, { message: 'The stream contains no chat.completion.chunk.' })
    if (chat.phase === 'speaking') fail(chat, { message: 'The stream ended without a finish reason.' })
    Object.assign(chat, initial, { phase: chat.phase })
  }

  return {
    initial,
    step: (state, { data }) => stepFrom(state, (chat) => data !== '[DONE]' && readChunk(chat, data)),
    end: (state) => stepFrom(state, breakOff),
  }
}
