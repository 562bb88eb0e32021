/** Claude on a model in place of a real one, which asks whether it may call a tool: itself, or by a subagent. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromClaudeAgent } from 'turnstream/agents'
import type { Agent } from 'turnstream/server'
import { installed, type Untyped } from '../frameworks/installed.ts'
import { fakeModel } from './fake-model.ts'

type Call = readonly [name: string, input: object]

const pay: Call = ['mcp__harbour__pay', { amount: 5 }]

/** A subagent that pays, and its call. */
export const payByAgent: readonly Call[] = [
  ['Agent', { description: 'Pay', prompt: 'Pay.', subagent_type: 'payer', run_in_background: false }],
  pay,
]

/** @param calls - The names and inputs of the calls: one for each response, before the text at the end. */
export async function claudeAgent(calls: readonly Call[] = [pay]): Promise<Agent> {
  const { createSdkMcpServer, query, tool } = await installed(
    '@anthropic-ai/claude-agent-sdk',
    'coding-agents',
  )
  const { z } = await installed('zod', 'coding-agents')
  const payTool = tool('pay', 'Pays', { amount: z.number() }, async ({ amount }: Untyped) => ({
    content: [{ type: 'text', text: `paid ${amount}` }],
  }))
  return async function* (task) {
    let turn = 0
    const model = await fakeModel(() => {
      const id = `msg_${++turn}`
      const [name, input] = calls[turn - 1] ?? []
      const usage = { input_tokens: 10, output_tokens: 1 }
      const message = { id, type: 'message', role: 'assistant', model: 'fake-1', content: [], usage }
      const call = { type: 'tool_use', id: `call_${turn}`, name, input: {} }
      const json = { type: 'input_json_delta', partial_json: JSON.stringify(input) }
      const text = { type: 'text_delta', text: 'Done.' }
      const stop_reason = name ? 'tool_use' : 'end_turn'
      return [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: name ? call : { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: name ? json : text },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ]
    })
    const folder = mkdtempSync(join(tmpdir(), 'claude-'))
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      CLAUDE_CONFIG_DIR: folder,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }
    const harbour = createSdkMcpServer({ name: 'harbour', tools: [payTool] })
    const options = {
      model: 'fake-1',
      cwd: folder,
      includePartialMessages: true,
      mcpServers: { harbour },
      tools: ['Agent'],
      allowedTools: calls.flatMap(([name]) => (name === 'Agent' ? [name] : [])),
      agents: { payer: { description: 'Pays', prompt: 'You pay.' } },
      env,
    }
    try {
      yield* fromClaudeAgent(
        (canUseTool) =>
          query({
            prompt: String(task.input),
            options: { ...options, canUseTool, settingSources: [], permissionMode: 'default' },
          }),
        { task },
      )
    } finally {
      model.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
