// Proves that the packed package stays within its sizes: the tarball, and what esbuild keeps of one import.
// Needs `npm run build`; `npm test` builds first.
import { spawnSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryPoints } from '../scripts/entry-points.ts'
import { bundleSize, packProject } from '../scripts/package-sizes.ts'

const project = packProject()
afterAll(() => project.remove())

const KIB = 1024

it.each<[names: string, from: string, ceiling: number]>([
  ['encodeEvent', 'agentwire/sse', 0.8],
  ['*', 'agentwire/sse', 3.5],
  ['jsonDecoder', 'agentwire/sse', 2.8],
  ['isKind', 'agentwire', 0.1],
  ['thoughtExtractor', 'agentwire/thoughts', 6.8],
  ['*', 'agentwire/thoughts', 8.2],
  ['readEvents', 'agentwire', 13.1],
  ['*', 'agentwire', 16.3],
  ['partialJson', 'agentwire/json', 3.2],
  ['*', 'agentwire/json', 5.9],
  ['foldEvent, emptyView', 'agentwire/streams', 14.1],
  ['parseEventId', 'agentwire/streams', 0.9],
  ['createMemoryLog, follow, encodeBatch, readFilter', 'agentwire/streams', 9.2],
  ['watchStream', 'agentwire/streams', 31.1],
  ['createRouter', 'agentwire/streams', 5.4],
  ['verifier', 'agentwire/streams', 21.8],
  ['*', 'agentwire/streams', 67.2],
  ['anthropicMessages', 'agentwire/providers', 18.7],
  ['bedrockConverse', 'agentwire/providers', 18.7],
  ['geminiContent', 'agentwire/providers', 20.8],
  ['openaiChat', 'agentwire/providers', 17.9],
  ['openaiResponses', 'agentwire/providers', 19.9],
  ['toA2a', 'agentwire/a2a', 22.8],
  ['fromA2a', 'agentwire/a2a', 19.2],
  ['toFrames', 'agentwire/frames', 15.3],
  ['fromFrames', 'agentwire/frames', 9.1],
  ['toAgentEvents', 'agentwire/agent-event', 14.3],
  ['fromAgentEvents', 'agentwire/agent-event', 9.4],
  ['adaptToolEvent', 'agentwire/agent-event', 0.2],
  ['toSessionEvents', 'agentwire/session', 13.1],
  ['fromSessionEvents', 'agentwire/session', 12],
  ['fromLooopy', 'agentwire/looopy', 10],
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

it('the tarball takes at most 955 KB, and 5.1 MB unpacked', () => {
  expect(project.tarball).toBeLessThanOrEqual(955_000)
  expect(project.unpacked).toBeLessThanOrEqual(5_100_000)
})

it('the tarball holds code, types, schemas and pages, and no source map', () => {
  const folders = new Set(project.files.map((file) => file.split('/')[0]))
  expect([...folders].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'docs',
    'package.json',
    'schemas',
  ])
  expect(project.files.filter((file) => file.endsWith('.map'))).toEqual([])
})
