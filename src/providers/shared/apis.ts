/** The APIs of models, by what their chunks have. */

import type { Fields } from './fields.ts'

/** Type of a chunk → API. Types such as `error` and `ping` are those of several. */
const types: readonly (readonly [api: string, type: RegExp])[] = [
  ['OpenAI Responses', /^response\./],
  ['Anthropic Messages', /^(message|content_block)_(start|delta|stop)$/],
  ['Cohere', /^(message|content|tool-call|tool-plan|citation)-(start|delta|end)$/],
  ['Gemini Interactions', /^(interaction|step|content)\./],
  ['AG-UI', /^(RUN|STEP|TEXT_MESSAGE|REASONING|TOOL_CALL|STATE)_/],
]

/** A member that all chunks of an API have, or one of them. */
const members: readonly (readonly [api: string, ...members: readonly string[]])[] = [
  ['Chat Completions', 'choices'],
  ['Gemini', 'candidates', 'usageMetadata'],
  [
    'Bedrock Converse',
    'messageStart',
    'contentBlockStart',
    'contentBlockDelta',
    'contentBlockStop',
    'messageStop',
  ],
  ['Ollama', 'done'],
  ['A2A or MCP', 'jsonrpc'],
]

/** The API whose chunk it is; empty if it may be that of any. */
export function apiOf(chunk: Fields): string {
  for (const [api, ...names] of members) if (names.some((name) => name in chunk)) return api
  const { event_type, type = event_type } = chunk
  return typeof type === 'string' ? (types.find(([, known]) => known.test(type))?.[0] ?? '') : ''
}
