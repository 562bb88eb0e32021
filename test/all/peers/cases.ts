/** What is asked of each peer. */

/** What a page does next. */
export type Move =
  | { readonly prompt: string }
  /** Answers all that is asked. */
  | { readonly answer: unknown }
  | { readonly decline: true }
  /** Posts the results of the calls that it has run. */
  | { readonly results: unknown }

export interface Case {
  readonly peer: 'langgraph' | 'adk' | 'pydantic-ai' | 'mastra' | 'pydantic-ai-chat'
  readonly mode: string
  readonly moves: readonly Move[]
  /** The tools that the page has. */
  readonly tools?: readonly string[]
  /** Closes the connection after so many items. */
  readonly cut?: number
}

const prompt = 'What is the weather?'
const once: readonly Move[] = [{ prompt }]
const again: readonly Move[] = [{ prompt }, { prompt: 'And tomorrow?' }]
const of = (peer: Case['peer'], modes: readonly string[]): Case[] =>
  modes.map((mode) => ({ peer, mode, moves: once }))
const common = [
  'text',
  'think',
  'parallel',
  'fails',
  'mixed',
  'chain',
  'long',
  'error',
  'late',
  'state',
  'empty',
]
const answered = (...answers: readonly unknown[]): readonly Move[] => [
  ...once,
  ...answers.map((answer) => ({ answer })),
]
const ran: readonly Move[] = [...once, { results: { city: 'Lyon' } }]

/** What a case is called. */
export const nameOf = ({ mode, moves, cut }: Case): string =>
  [
    mode,
    ...moves
      .slice(1)
      .map((move) => ('answer' in move ? `answer ${JSON.stringify(move.answer)}` : Object.keys(move)[0])),
    ...(cut === undefined ? [] : ['cut']),
  ].join(', ')

export const cases: readonly Case[] = [
  ...of('langgraph', [...common, 'quiet', 'beside', 'forgets', 'rewrites', 'manual', 'static', 'below']),
  { peer: 'langgraph', mode: 'parallel', moves: again },
  { peer: 'langgraph', mode: 'static', moves: again },
  { peer: 'langgraph', mode: 'approve', moves: answered('yes') },
  { peer: 'langgraph', mode: 'approve', moves: answered('never') },
  { peer: 'langgraph', mode: 'outcome', moves: answered({ approved: true }) },
  { peer: 'langgraph', mode: 'outcome', moves: [...once, { decline: true }] },
  { peer: 'langgraph', mode: 'twice', moves: answered('Lyon', 'yes') },
  { peer: 'langgraph', mode: 'client', moves: ran, tools: ['locate'] },
  { peer: 'langgraph', mode: 'long', moves: once, cut: 30 },
  ...of('adk', [...common, 'below']),
  { peer: 'adk', mode: 'parallel', moves: again },
  { peer: 'adk', mode: 'approve', moves: [...once, { results: { approved: true } }], tools: ['pay'] },
  { peer: 'adk', mode: 'client', moves: ran, tools: ['locate'] },
  ...of('pydantic-ai', [...common, 'silent']),
  { peer: 'pydantic-ai', mode: 'chain', moves: again },
  { peer: 'pydantic-ai', mode: 'approve', moves: answered({ approved: true }) },
  { peer: 'pydantic-ai', mode: 'approve', moves: [...once, { decline: true }] },
  { peer: 'pydantic-ai', mode: 'client', moves: ran, tools: ['locate'] },
  ...of('pydantic-ai-chat', common),
  { peer: 'pydantic-ai-chat', mode: 'approve', moves: answered({ approved: true }) },
  { peer: 'pydantic-ai-chat', mode: 'approve', moves: [...once, { decline: true }] },
  ...of('mastra', common),
  { peer: 'mastra', mode: 'parallel', moves: again },
  { peer: 'mastra', mode: 'approve', moves: answered({ approved: true }) },
  { peer: 'mastra', mode: 'approve', moves: [...once, { decline: true }] },
  { peer: 'mastra', mode: 'suspend', moves: answered({ ok: true }) },
]
