/** Servers of frameworks, with models that play a script: what is read is what the clients of their protocols show. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from '../../dialects/peers/compare.ts'
import type { Recording } from '../../dialects/peers/recording.ts'
import { pythonWith } from '../a2a/sdks.ts'
import type { Lab } from '../lab.ts'
import { Skipped, type Step } from '../step.ts'
import { type Case, cases } from './cases.ts'
import { type A2aMove, recordA2a, recordAgUi, recordChat } from './record.ts'

const packages = [
  'ag-ui-langgraph[fastapi]==0.0.47',
  'ag_ui_adk==0.11.0',
  'google-adk[a2a]==2.13.0',
  'langgraph==1.2.24',
  'pydantic-ai-slim[ag-ui]==2.68.0',
  'uvicorn==0.54.0',
]

/** The extension by which ADK streams over A2A. */
const ADK = 'https://google.github.io/adk-docs/a2a/a2a-extension/'

export const peerSteps: readonly Step[] = [
  { name: 'peers: LangGraph, ADK and pydantic-ai over AG-UI, the AI SDK and A2A', run: checkPython },
  { name: 'peers: Mastra over AG-UI', run: checkMastra },
]

async function checkPython(lab: Lab): Promise<string> {
  const python = await pythonWith(lab, 'peers', packages)
  const [server, ports] = await started(lab, python, ['serve.py'])
  try {
    const { '': all, ...agents } = ports as Record<string, number>
    const recordings = await recorded(all, ({ peer }) => peer !== 'mastra')
    for (const [mode, port] of Object.entries(agents))
      for (const extension of [undefined, ADK])
        for (const move of movesOf(mode))
          recordings.push(['adk-a2a', await recordA2a(`http://127.0.0.1:${port}/`, mode, extension, move)])
    return await checked(lab, recordings)
  } finally {
    server.kill()
  }
}

/** What a client does after the first response, in each of the conversations of a mode. */
function movesOf(mode: string): readonly (A2aMove | undefined)[] {
  if (mode === 'slow') return ['reconnect']
  return mode === 'approve' ? [undefined, 'answer'] : [undefined]
}

async function checkMastra(lab: Lab): Promise<string> {
  if (!existsSync(join(lab.root, 'test/all/peers/node_modules')))
    throw new Skipped('Mastra is missing: run `npm install` in test/all/peers')
  const [server, port] = await started(lab, process.execPath, ['mastra-peer.mjs'])
  try {
    return await checked(lab, await recorded(port as number, ({ peer }) => peer === 'mastra'))
  } finally {
    server.kill()
  }
}

/** Starts a server, which prints its ports as JSON. */
async function started(
  { root }: Lab,
  file: string,
  args: readonly string[],
): Promise<[ChildProcess, unknown]> {
  const cwd = join(root, 'test/all/peers')
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  const server = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, errors] = ['', '']
  server.stderr.on('data', (data) => (errors += String(data)))
  while (!out.includes('\n')) {
    const [data] = await Promise.race([
      once(server.stdout, 'data'),
      once(server, 'exit').then(() => [undefined]),
    ])
    if (data === undefined) throw new Error(`Expected the ports of ${args[0]}, got ${errors.slice(-2000)}`)
    out += String(data)
  }
  return [server, JSON.parse(out) as unknown]
}

type Named = [peer: string, recording: Recording]

async function recorded(port: number | undefined, isOne: (each: Case) => boolean): Promise<Named[]> {
  const all: Named[] = []
  for (const each of cases.filter(isOne)) {
    const url = `http://127.0.0.1:${port}/${each.peer}/${each.mode}`
    const record = each.peer === 'pydantic-ai-chat' ? recordChat : recordAgUi
    all.push([each.peer, await record(url, each)])
  }
  return all
}

/** Checks recordings. With `RECORD`, the fixtures are replaced by them. */
async function checked({ root }: Lab, recordings: readonly Named[]): Promise<string> {
  if (process.env.RECORD)
    for (const peer of new Set(recordings.map(([name]) => name))) {
      const own = recordings.filter(([name]) => name === peer)
      const lines = own.map(([, recording]) => `${JSON.stringify(recording)}\n`)
      writeFileSync(join(root, `test/fixtures/peers/${peer}.jsonl`), lines.join(''))
    }
  const failures: string[] = []
  for (const [peer, recording] of recordings)
    await check(peer, recording).catch(({ message }: Error) =>
      failures.push(`${peer} ${recording.name}: ${message}`),
    )
  if (failures.length > 0) throw new Error(`${failures.length} differ:\n${failures.slice(0, 5).join('\n')}`)
  return `${recordings.length} conversations`
}
