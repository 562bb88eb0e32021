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
  ['encodeEvent', 'agentwire/sse', 0.8],
  ['*', 'agentwire/sse', 3.9],
  ['jsonDecoder', 'agentwire/sse', 2.7],
  ['isKind', 'agentwire', 0.1],
  ['thoughtExtractor', 'agentwire/thoughts', 6.9],
  ['*', 'agentwire/thoughts', 8.2],
  ['readEvents', 'agentwire', 13.3],
  ['*', 'agentwire', 18.2],
  ['partialJson', 'agentwire/json', 3.2],
  ['*', 'agentwire/json', 6],
  ['foldEvent, emptyView', 'agentwire/streams', 14.1],
  ['parseEventId', 'agentwire/streams', 0.5],
  ['createMemoryLog, follow, encodeBatch, readFilter', 'agentwire/streams', 9.1],
  ['watchStream', 'agentwire/streams', 31.4],
  ['createRouter', 'agentwire/streams', 5.3],
  ['verifier', 'agentwire/streams', 23.2],
  ['*', 'agentwire/streams', 68.6],
  ['anthropicMessages', 'agentwire/providers', 21.9],
  ['bedrockConverse', 'agentwire/providers', 22.1],
  ['geminiContent', 'agentwire/providers', 23.9],
  ['openaiChat', 'agentwire/providers', 22.3],
  ['openaiResponses', 'agentwire/providers', 24.3],
  ['toA2a', 'agentwire/a2a', 22.3],
  ['cohereChat', 'agentwire/providers', 19.6],
  ['geminiInteractions', 'agentwire/providers', 21],
  ['decodeCommand, createCommand', 'agentwire/commands', 4.2],
  ['commandLedger', 'agentwire/commands', 18.7],
  ['createLedger', 'agentwire/commands', 21.6],
  ['*', 'agentwire/mcp', 2.4],
  ['fromA2a', 'agentwire/a2a', 21.2],
  ['toAgUi', 'agentwire/ag-ui', 17.7],
  ['fromAgUi', 'agentwire/ag-ui', 20.3],
  ['agUiVerifier', 'agentwire/ag-ui', 12.5],
  ['toFrames', 'agentwire/frames', 14.5],
  ['fromFrames', 'agentwire/frames', 10.9],
  ['toUiMessageStream', 'agentwire/ai-sdk', 24.1],
  ['fromUiMessageStream', 'agentwire/ai-sdk', 21.5],
  ['uiMessages', 'agentwire/ai-sdk', 33.8],
  ['toAgentEvents', 'agentwire/agent-event', 13.5],
  ['fromAgentEvents', 'agentwire/agent-event', 10.8],
  ['adaptToolEvent', 'agentwire/agent-event', 0.4],
  ['toSessionEvents', 'agentwire/session', 12.7],
  ['fromSessionEvents', 'agentwire/session', 14.2],
  ['fromLooopy', 'agentwire/looopy', 10.6],
])('{ %s } from %s takes at most %d KiB, minified and compressed', async (names, from, ceiling) => {
  const { gzip } = await bundleSize(project, { names, from })
  expect(gzip / KIB).toBeLessThanOrEqual(ceiling)
})

describe('without zod installed', () => {
  const zod = join(project.folder, 'node_modules/zod')
  const kinds = ['import', 'require'] as const
  /** Loads an entry point in a process of its own. */
  const load = (kind: (typeof kinds)[number], from: string): number | null =>
    spawnSync(process.execPath, ['--input-type=commonjs', '-e', `Promise.resolve(${kind}('${from}'))`], {
      cwd: project.folder,
    }).status

  beforeAll(() => renameSync(zod, `${zod}-away`))
  afterAll(() => renameSync(`${zod}-away`, zod))

  const others = entryPoints.map(({ name }) => name).filter((name) => name !== 'agentwire/zod')
  const cases = others.flatMap((name) => kinds.map((kind) => [kind, name] as const))

  it.each(cases)('%s of %s works', (kind, name) => {
    expect(load(kind, name)).toBe(0)
  })

  it.each(kinds)('%s of agentwire/zod fails', (kind) => {
    expect(load(kind, 'agentwire/zod')).toBe(1)
  })
})

it('the tarball takes at most 1260 KB, and 7.1 MB unpacked', () => {
  expect(project.tarball).toBeLessThanOrEqual(1_260_000)
  expect(project.unpacked).toBeLessThanOrEqual(7_100_000)
})

it('the binary finds the conformance suites', () => {
  const main = join(project.folder, 'node_modules/agentwire', packageJson.bin.agentwire)
  const { status, stdout } = spawnSync(process.execPath, [main, 'conformance', '--list'], {
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  expect(stdout.match(/^verify +must +\d+ /m)).not.toBeNull()
})

it('the tarball holds code, types, schemas, and conformance suites, and no source map', () => {
  const folders = new Set(project.files.map((file) => file.split('/')[0]))
  expect([...folders].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'conformance',
    'dist',
    'package.json',
    'schemas',
  ])
  expect(project.files.filter((file) => file.endsWith('.map'))).toEqual([])
})
