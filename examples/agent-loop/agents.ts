/** The same agent on four APIs for models. */
import type Anthropic from '@anthropic-ai/sdk'
import type { GoogleGenAI } from '@google/genai'
import type OpenAI from 'openai'
import { agentLoop, chatFormat, geminiFormat, messagesFormat, responsesFormat } from 'turnstream/agents'
import type { Agent } from 'turnstream/server'
import { chatTools, geminiTools, messagesOptions, responsesTools, tools } from './tools.ts'

export function chatAgent(client: OpenAI, model: string): Agent {
  return (task) =>
    agentLoop(task, {
      format: chatFormat,
      tools,
      model: (messages, signal) =>
        client.chat.completions.create({ model, messages, tools: chatTools, stream: true }, { signal }),
    })
}

export function responsesAgent(client: OpenAI, model: string): Agent {
  return (task) =>
    agentLoop(task, {
      format: responsesFormat,
      tools,
      model: (input, signal) =>
        client.responses.create({ model, input, tools: responsesTools, stream: true }, { signal }),
    })
}

export function messagesAgent(client: Anthropic, model: string): Agent {
  return (task) =>
    agentLoop(task, {
      format: messagesFormat,
      tools,
      model: (messages, signal) =>
        client.messages.create({ ...messagesOptions, model, messages, stream: true }, { signal }),
    })
}

export function geminiAgent(client: GoogleGenAI, model: string): Agent {
  return (task) =>
    agentLoop(task, {
      format: geminiFormat,
      tools,
      model: (contents, abortSignal) =>
        client.models.generateContentStream({ model, contents, config: { tools: geminiTools, abortSignal } }),
    })
}
