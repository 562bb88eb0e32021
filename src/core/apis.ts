/** The APIs of models and agents, by what their chunks and events have. */

/** Type of a chunk → API. Types such as `error` and `ping` are those of several. */
const types: readonly (readonly [api: string, type: RegExp])[] = [
  ['OpenAI Responses', /^response\./],
  ['Anthropic Messages', /^(message|content_block)_(start|delta|stop)$/],
  ['Cohere', /^(message|content|tool-call|tool-plan|citation)-(start|delta|end)$/],
  [
    'Cohere v1',
    /^(stream-(start|end)|search-results|tool-calls-chunk|(text|citation|search-queries|tool-calls)-generation)$/,
  ],
  ['Anthropic Text Completions', /^completion$/],
  ['Gemini Interactions', /^(interaction|step|content)\./],
  ['AG-UI', /^(RUN|STEP|TEXT_MESSAGE|REASONING|THINKING|TOOL_CALL|STATE|MESSAGES|ACTIVITY|SUBAGENT)_/],
  [
    'AI SDK',
    /^(start|finish|(start|finish)-step|(text|reasoning)-(start|delta|end)|tool-(input|output)-.+)$/,
  ],
  ['Codex', /^(item|turn|thread)\./],
  ['OpenAI Agents SDK', /^(raw_model|run_item|agent_updated)_stream_event$/],
]

/** A member that all chunks of an API have, or one of them. */
const members: readonly (readonly [api: string, ...members: readonly string[]])[] = [
  ['A2A', 'task', 'statusUpdate', 'artifactUpdate'],
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
export function apiOf(chunk: Readonly<Record<string, unknown>>): string {
  const { event_type, type = event_type } = chunk
  const known = typeof type === 'string' && types.find(([, pattern]) => pattern.test(type))
  if (known) return known[0]
  return members.find(([, ...names]) => names.some((name) => name in chunk))?.[0] ?? ''
}

/**
 * What an input is that is no chunk or event of the API that is read: `one of <api>`, or its form. `own` if it is one, empty if it may
 * be that of any.
 */
export function foreignForm(input: unknown, own: readonly string[]): string {
  if (typeof input === 'string') return /^\s*</.test(input) ? 'HTML or XML' : 'text'
  if (typeof input !== 'object' || input === null) return ''
  if (ArrayBuffer.isView(input) || input instanceof ArrayBuffer) return 'bytes'
  const api = apiOf(input as Readonly<Record<string, unknown>>)
  return own.includes(api) ? 'own' : api && `one of ${api}`
}

/** Whether a form is that of a chunk of another API. */
export const isOfApi = (form: string): boolean => form.startsWith('one of ')

/** Whether a form is that of a body that is not decoded. */
export const isRaw = (form: string): boolean => form !== '' && !isOfApi(form)
