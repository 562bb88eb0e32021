// Proves that the packed package stays within its sizes: the tarball, and what esbuild keeps of one import.
// Needs `npm run build`; `npm test` builds first.
import { spawnSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { entryPoints } from '../scripts/entry-points.ts'
import { bundleSize, packProject } from '../scripts/package-sizes.ts'

const project = packProject()
afterAll(() => project.remove())

const KIB = 1024

it.each<[names: string, from: string, ceiling: number]>([
  ['encodeMessage', 'turnstream/sse', 0.7],
  ['encodeEvent', 'turnstream/sse', 8.6],
  ['*', 'turnstream/sse', 12.9],
  ['jsonDecoder', 'turnstream/sse', 3.5],
  ['isTaskEnd', 'turnstream', 0.5],
  ['schemas', 'turnstream/zod', 17.2],
  ['thoughtExtractor', 'turnstream/thoughts', 7.1],
  ['*', 'turnstream/thoughts', 8.5],
  ['decodeEvent', 'turnstream', 4],
  ['readEvents', 'turnstream', 10],
  ['*', 'turnstream', 14.9],
  ['partialJson', 'turnstream/json', 3.1],
  ['*', 'turnstream/json', 5.9],
  ['foldEvent, emptyView', 'turnstream/streams', 16],
  ['parseEventId', 'turnstream/streams', 0.5],
  ['createMemoryLog, follow, encodeBatch, readFilter', 'turnstream/streams', 15.4],
  ['watchStream', 'turnstream/streams', 30.2],
  ['watchStreamWith', 'turnstream/streams', 25.3],
  ['createRouter', 'turnstream/streams', 10.2],
  ['verifier', 'turnstream/streams', 22.1],
  ['*', 'turnstream/streams', 73.6],
  ['anthropicMessages', 'turnstream/providers', 14.7],
  ['bedrockConverse', 'turnstream/providers', 15.1],
  ['geminiContent', 'turnstream/providers', 19.3],
  ['openaiChat', 'turnstream/providers', 15.4],
  ['openaiResponses', 'turnstream/providers', 17],
  ['toA2a', 'turnstream/a2a', 27.3],
  ['cohereChat', 'turnstream/providers', 12.7],
  ['geminiInteractions', 'turnstream/providers', 13.9],
  ['decodeCommand, createCommand', 'turnstream/commands', 3.3],
  ['commandLedger', 'turnstream/commands', 23.6],
  ['memoryStore', 'turnstream/server', 82.2],
  ['agentHandler', 'turnstream/server', 22.1],
  ['acpAgent', 'turnstream/acp', 7.7],
  ['agentClient', 'turnstream/client', 29.6],
  ['useAgent', 'turnstream/react', 29.7],
  ['agentLoop, chatFormat', 'turnstream/agents', 21.6],
  ['*', 'turnstream/mcp', 9.4],
  ['fromA2a', 'turnstream/a2a', 26.3],
  ['a2a', 'turnstream/a2a', 42.8],
  ['toAgUi', 'turnstream/ag-ui', 24.4],
  ['agUi', 'turnstream/ag-ui', 56],
  ['fromAgUi', 'turnstream/ag-ui', 27.6],
  ['agUiVerifier', 'turnstream/ag-ui', 12.6],
  ['toFrames', 'turnstream/frames', 19.4],
  ['fromFrames', 'turnstream/frames', 12.6],
  ['toUiMessageStream', 'turnstream/ai-sdk', 30.1],
  ['fromUiMessageStream', 'turnstream/ai-sdk', 22.4],
  ['uiMessages', 'turnstream/ai-sdk', 40.5],
  ['aiSdk', 'turnstream/ai-sdk', 51.3],
  ['chatTransport', 'turnstream/ai-sdk', 2],
  ['toAgentEvents', 'turnstream/agent-event', 18.2],
  ['fromAgentEvents', 'turnstream/agent-event', 12.2],
  ['adaptToolEvent', 'turnstream/agent-event', 0.5],
  ['toSessionEvents', 'turnstream/session', 19.5],
  ['fromSessionEvents', 'turnstream/session', 16.4],
  ['toChatCompletions', 'turnstream/openai', 17.7],
  ['chatCompletions', 'turnstream/openai', 30.7],
  ['fromLooopy', 'turnstream/looopy', 11.8],
  ['traceEvents', 'turnstream/otel', 5],
])('{ %s } from %s takes at most %d KiB, minified and compressed', async (names, from, ceiling) => {
  const { gzip } = await bundleSize(project, { names, from })
  expect(gzip / KIB).toBeLessThanOrEqual(ceiling)
})

describe('without zod installed', () => {
  const zod = join(project.folder, 'node_modules/zod')
  const kinds = ['import', 'require'] as const
  const others = entryPoints.map(({ name }) => name).filter((name) => name !== 'turnstream/zod')
  /** Loads entry points in a process of its own. */
  const load = (kind: (typeof kinds)[number], names: readonly string[]): string => {
    const code = names.map((name) => `await ${kind}('${name}')`).join('; ')
    const args = ['--input-type=commonjs', '-e', `(async () => { ${code} })()`]
    return spawnSync(process.execPath, args, { cwd: project.folder, encoding: 'utf8' }).stderr
  }

  beforeAll(() => renameSync(zod, `${zod}-away`))
  afterAll(() => renameSync(`${zod}-away`, zod))

  it.each(kinds)('%s of all other entry points works', (kind) => {
    expect(load(kind, others)).toBe('')
  })

  it.each(kinds)('%s of turnstream/zod fails', (kind) => {
    expect(load(kind, ['turnstream/zod'])).toContain("Cannot find package 'zod'")
  })
})

it('the tarball takes at most 787.2 KB, and 3 MB unpacked in 200 files', () => {
  expect(project.files.length).toBeLessThanOrEqual(200)
  expect(project.tarball).toBeLessThanOrEqual(787_200)
  expect(project.unpacked).toBeLessThanOrEqual(3_000_000)
})

it('the examples of a version are one file, in which the binary finds them', () => {
  expect(project.files.filter((file) => /^schemas\/.*\/(examples|invalid)\//.test(file))).toEqual([])
  const main = join(project.folder, 'node_modules/turnstream', packageJson.bin.turnstream)
  const { status, stdout } = spawnSync(process.execPath, [main, 'schema', 'tool-start', '--example'], {
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'tool-start' })
})

it('the binary finds the conformance suites once their package is installed', () => {
  const main = join(project.folder, 'node_modules/turnstream', packageJson.bin.turnstream)
  const list = () =>
    spawnSync(process.execPath, [main, 'conformance', '--list'], { cwd: project.folder, encoding: 'utf8' })
  const before = list()
  expect(before.status).toBe(2)
  expect(before.stderr).toContain('Run "npm install --save-dev turnstream-conformance"')
  project.install('conformance')
  const { status, stdout, stderr } = list()
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.match(/^verify +must +\d+ /m)).not.toBeNull()
})

it('the tarball holds code, types, schemas and the example, and no source map', () => {
  const folders = new Set(project.files.map((file) => file.split('/')[0]))
  expect([...folders].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'examples', 'package.json', 'schemas'])
  expect(project.files.filter((file) => file.endsWith('.map'))).toEqual([])
})
