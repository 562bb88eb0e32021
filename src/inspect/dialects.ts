/** The formats of streams that are recognized. */

/** The formats that are recognized, by their names on the command line. */
export const dialects = [
  'core',
  'a2a',
  'ag-ui',
  'ai-sdk',
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'bedrock',
  'cohere',
  'frames',
  'agent-event',
  'session',
] as const

/** The format of a stream. */
export type Dialect = (typeof dialects)[number]

/** Whether a name is one of {@link dialects}. */
export function isDialect(name: string): name is Dialect {
  return (dialects as readonly string[]).includes(name)
}

/** The names of the formats for people. */
export const dialectTitles: Readonly<Record<Dialect, string>> = {
  core: 'turnstream events',
  a2a: 'A2A',
  'ag-ui': 'AG-UI',
  'ai-sdk': 'AI SDK UI message stream',
  'openai-chat': 'OpenAI Chat Completions',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  gemini: 'Gemini',
  bedrock: 'Amazon Bedrock Converse',
  cohere: 'Cohere Chat',
  frames: 'event frames',
  'agent-event': 'agent events',
  session: 'session protocol',
}

/** The dialects of model providers: the stream of one response. */
export const providerDialects: ReadonlySet<Dialect> = /* @__PURE__ */ new Set<Dialect>([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'bedrock',
  'cohere',
])

/** The dialects of responses: what ends with one does not go on in the next. */
export const responseDialects: ReadonlySet<Dialect> = /* @__PURE__ */ new Set<Dialect>([
  ...providerDialects,
  'ai-sdk',
  'agent-event',
])
