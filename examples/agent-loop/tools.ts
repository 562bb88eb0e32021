/** The tool of the agents, and how it is described to each model. */
import type Anthropic from '@anthropic-ai/sdk'
import type { Tool } from '@google/genai'
import type OpenAI from 'openai'

export const tools: { weather(args: { city: string }): Promise<{ city: string; celsius: number }> } = {
  weather: async ({ city }) => ({ city, celsius: 21 }),
}

const name = 'weather'
const description = 'The weather of a city.'
const parameters = {
  ...{ type: 'object' as const, properties: { city: { type: 'string' } } },
  ...{ required: ['city'], additionalProperties: false },
}

export const chatTools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name, description, parameters } },
]
export const responsesTools: OpenAI.Responses.Tool[] = [
  { type: 'function', name, description, parameters, strict: true },
]
export const messagesOptions: { max_tokens: number; tools: Anthropic.ToolUnion[] } = {
  max_tokens: 4096,
  tools: [{ name, description, input_schema: parameters }],
}
export const geminiTools: Tool[] = [
  { functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] },
]
