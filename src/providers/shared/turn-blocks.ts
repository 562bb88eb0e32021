/**
 * The types of what a turn consists of, by reader. Type aliases, which fit any object. They fit the parameters of the providers' SDKs. Blocks of further types are
 * passed on as the provider sent them.
 */

/** The message of the assistant, as Chat Completions has it. */
export type ChatMessage = {
  role: 'assistant'
  content: string
  tool_calls?: ChatToolCall[]
}

/** A call in a {@link ChatMessage}. */
export type ChatToolCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }

/** An output item of Responses. */
export type ResponsesItem =
  | {
      type: 'message'
      id: string
      role: 'assistant'
      status: 'completed' | 'incomplete' | 'in_progress'
      content: ResponsesPart[]
    }
  | {
      type: 'reasoning'
      id: string
      summary: { type: 'summary_text'; text: string }[]
      encrypted_content?: string | null
    }
  | { type: 'function_call'; id?: string; call_id: string; name: string; arguments: string }
  | { type: 'custom_tool_call'; id?: string; call_id: string; name: string; input: string }

/** A part of a message of Responses. */
export type ResponsesPart =
  | { type: 'output_text'; text: string; annotations: [] }
  | { type: 'refusal'; refusal: string }

/** A block of Anthropic Messages. */
export type AnthropicContentBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }

/** A part of Gemini. */
export type GeminiContentPart = {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  functionCall?: { id: string; name: string; args: Record<string, unknown> }
}

/** What the content of a turn consists of, by the function whose state it is. */
export interface TurnBlocks {
  anthropicMessages: AnthropicContentBlock
  bedrockConverse: Record<string, unknown>
  cohereChat: Record<string, unknown>
  geminiContent: GeminiContentPart
  geminiInteractions: Record<string, unknown>
  ollamaChat: Record<string, unknown>
  openaiChat: ChatMessage
  openaiResponses: ResponsesItem
}

/** A block of the content of a turn. An object, if it is not known which function read it. */
export type TurnBlock<Reader extends keyof TurnBlocks> = keyof TurnBlocks extends Reader
  ? Record<string, unknown>
  : TurnBlocks[Reader]
