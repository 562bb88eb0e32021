/** Claude on a model in place of a real one: thinking, two tools, of which one fails, and a subagent that it leaves in the background. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installed } from '../frameworks/installed.ts'
import { fakeModel } from './fake-model.ts'

type Event = { readonly type: string }

const blockOf = (index: number, start: object, ...deltas: readonly object[]): Event[] => [
  { type: 'content_block_start', index, content_block: start } as Event,
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index } as Event,
]
const say = (index: number, said: string): Event[] =>
  blockOf(index, { type: 'text', text: '' }, { type: 'text_delta', text: said })
const callOf = (index: number, name: string, input: object): Event[] =>
  blockOf(
    index,
    { type: 'tool_use', id: `call_${index}`, name, input: {} },
    { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  )
const first = [
  ...blockOf(
    0,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: 'The tide table.' },
    { type: 'signature_delta', signature: 'c2ln' },
  ),
  ...callOf(1, 'mcp__harbour__tide', { port: 'Brest' }),
  ...callOf(2, 'mcp__harbour__broken', {}),
  ...callOf(3, 'Agent', { description: 'Look', prompt: 'Look it up.', subagent_type: 'looker' }),
]

/** @returns The messages of the run. The program ends with it. */
export async function* runClaude(): AsyncGenerator<unknown> {
  const { createSdkMcpServer, query, tool } = await installed(
    '@anthropic-ai/claude-agent-sdk',
    'coding-agents',
  )
  let turn = 0
  const model = await fakeModel(() => {
    const id = `msg_${++turn}`
    const isFirst = turn === 1
    const counts = { input_tokens: 10, output_tokens: 1 }
    const message = { id, type: 'message', role: 'assistant', model: 'fake-1', content: [], usage: counts }
    const delta = { stop_reason: isFirst ? 'tool_use' : 'end_turn', stop_sequence: null }
    return [
      { type: 'message_start', message } as Event,
      ...(isFirst ? first : say(0, `Answer ${turn}.`)),
      { type: 'message_delta', delta, usage: { output_tokens: 5 } } as Event,
      { type: 'message_stop' },
    ]
  })
  const harbour = createSdkMcpServer({
    name: 'harbour',
    tools: [
      tool('tide', 'High tide', {}, async () => ({ content: [{ type: 'text', text: '14:20' }] })),
      tool('broken', 'Broken', {}, async () => {
        throw new Error('No connection.')
      }),
    ],
  })
  const folder = mkdtempSync(join(tmpdir(), 'claude-'))
  const tools = ['mcp__harbour__tide', 'mcp__harbour__broken', 'Agent']
  try {
    yield* query({
      prompt: 'When is high tide?',
      options: {
        model: 'fake-1',
        cwd: folder,
        includePartialMessages: true,
        mcpServers: { harbour },
        tools: ['Agent', 'Task'],
        allowedTools: tools,
        agents: { looker: { description: 'Looks up tides', prompt: 'You look up tides.', tools: [] } },
        settingSources: [],
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          CLAUDE_CONFIG_DIR: folder,
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: 'none',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        },
      },
    })
  } finally {
    model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
