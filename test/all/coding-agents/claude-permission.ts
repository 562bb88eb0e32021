/** Claude on a model in place of a real one, which asks whether it may call a tool. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromClaudeAgent } from 'turnstream/agents'
import type { Agent } from 'turnstream/server'
import { installed, type Untyped } from '../frameworks/installed.ts'
import { fakeModel } from './fake-model.ts'

export async function claudeAgent(): Promise<Agent> {
  const { createSdkMcpServer, query, tool } = await installed(
    '@anthropic-ai/claude-agent-sdk',
    'coding-agents',
  )
  const { z } = await installed('zod', 'coding-agents')
  const pay = tool('pay', 'Pays', { amount: z.number() }, async ({ amount }: Untyped) => ({
    content: [{ type: 'text', text: `paid ${amount}` }],
  }))
  return async function* (task) {
    let turn = 0
    const model = await fakeModel(() => {
      const id = `msg_${++turn}`
      const isFirst = turn === 1
      const usage = { input_tokens: 10, output_tokens: 1 }
      const message = { id, type: 'message', role: 'assistant', model: 'fake-1', content: [], usage }
      const call = { type: 'tool_use', id: 'call_1', name: 'mcp__harbour__pay', input: {} }
      const json = { type: 'input_json_delta', partial_json: '{"amount":5}' }
      const text = { type: 'text_delta', text: 'Done.' }
      const stop_reason = isFirst ? 'tool_use' : 'end_turn'
      return [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: isFirst ? call : { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: isFirst ? json : text },
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
    const harbour = createSdkMcpServer({ name: 'harbour', tools: [pay] })
    const options = {
      model: 'fake-1',
      cwd: folder,
      includePartialMessages: true,
      mcpServers: { harbour },
      env,
    }
    try {
      yield* fromClaudeAgent(
        (canUseTool) =>
          query({
            prompt: String(task.input),
            options: { ...options, canUseTool, tools: [], settingSources: [], permissionMode: 'default' },
          }),
        { task },
      )
    } finally {
      model.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
