/** `codex exec --json` on a model in place of a real one: reasoning, two commands, of which one fails, and an answer. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Skipped } from '../step.ts'
import { fakeModel } from './fake-model.ts'

const program = fileURLToPath(new URL('node_modules/.bin/codex', import.meta.url))

const done = (output_index: number, item: object): { type: string } =>
  ({ type: 'response.output_item.done', output_index, item }) as { type: string }
const commandOf = (index: number, cmd: string): { type: string } => {
  const call = { call_id: `call_${index}`, name: 'exec_command', arguments: JSON.stringify({ cmd }) }
  return done(index, { type: 'function_call', id: `fc_${index}`, status: 'completed', ...call })
}
const content = [{ type: 'output_text', text: 'At 14:20.', annotations: [] }]
const responses = [
  [
    done(0, { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'The tide table.' }] }),
    commandOf(1, 'echo 14:20'),
    commandOf(2, 'echo gone; exit 3'),
  ],
  [done(0, { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content })],
]

/** @returns The lines that it prints. */
export async function* runCodex(): AsyncGenerator<string> {
  if (!existsSync(program))
    throw new Skipped('coding agents are missing: run `npm install` in test/all/coding-agents')
  let turn = 0
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const model = await fakeModel(() => {
    const response = { id: `resp_${++turn}`, model: 'fake-1', status: 'completed', output: [], usage }
    return [
      { type: 'response.created', response } as { type: string },
      ...(responses[turn - 1] ?? []),
      { type: 'response.completed', response } as { type: string },
    ]
  })
  const folder = mkdtempSync(join(tmpdir(), 'codex-'))
  const provider = `{ name = "fake", base_url = "${model.url}/v1", wire_api = "responses" }`
  const settings = ['model_provider="fake"', `model_providers.fake=${provider}`, 'model="fake-1"']
  const child = spawn(
    program,
    [
      ...['exec', '--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access'],
      ...settings.flatMap((setting) => ['-c', setting]),
      'When is high tide?',
    ],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  try {
    yield* createInterface({ input: child.stdout })
  } finally {
    child.kill()
    model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
