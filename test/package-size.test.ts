// Proves that the packed package stays within its sizes: the tarball, and what esbuild keeps of one import.
// Needs `npm run build`; `npm test` builds first.
import { afterAll, expect, it } from 'vitest'
import { bundleSize, packProject } from '../scripts/package-sizes.ts'

const project = packProject()
afterAll(() => project.remove())

const KIB = 1024

it.each<[names: string, from: string, ceiling: number]>([
  ['encodeEvent', 'agentwire/sse', 0.5],
  ['*', 'agentwire/sse', 2.6],
  ['isKind', 'agentwire', 0.1],
  ['readEvents', 'agentwire', 11.1],
  ['*', 'agentwire', 13.2],
  ['thoughtExtractor', 'agentwire/thoughts', 5.4],
  ['*', 'agentwire/thoughts', 6.5],
  ['foldEvent, emptyView', 'agentwire/streams', 8.5],
  ['parseEventId', 'agentwire/streams', 1],
  ['createMemoryLog, follow, encodeBatch, readFilter', 'agentwire/streams', 7.7],
  ['createRouter', 'agentwire/streams', 6],
  ['verifier', 'agentwire/streams', 19.2],
  ['*', 'agentwire/streams', 39.5],
  ['toA2a', 'agentwire/a2a', 14.1],
  ['fromA2a', 'agentwire/a2a', 18.2],
  ['toFrames', 'agentwire/frames', 17.5],
  ['fromFrames', 'agentwire/frames', 14.6],
  ['toAgentEvents', 'agentwire/agent-event', 8.7],
  ['fromAgentEvents', 'agentwire/agent-event', 7.9],
  ['adaptToolEvent', 'agentwire/agent-event', 0.2],
  ['toSessionEvents', 'agentwire/session', 8.7],
  ['fromSessionEvents', 'agentwire/session', 8.9],
])('{ %s } from %s takes at most %d KiB, minified and compressed', async (names, from, ceiling) => {
  const { gzip } = await bundleSize(project, { names, from })
  expect(gzip / KIB).toBeLessThanOrEqual(ceiling)
})

it.each(['agentwire', 'agentwire/sse', 'agentwire/thoughts', 'agentwire/streams', 'agentwire/agent-event'])(
  '%s loads no zod',
  async (from) => {
    expect((await bundleSize(project, { names: '*', from })).zod).toBe(0)
  },
)

it('agentwire/zod loads zod', async () => {
  expect((await bundleSize(project, { names: '*', from: 'agentwire/zod' })).zod).toBeGreaterThan(0)
})

it('the tarball takes at most 700 KB, and 5 MB unpacked', () => {
  expect(project.tarball).toBeLessThanOrEqual(700_000)
  expect(project.unpacked).toBeLessThanOrEqual(5_000_000)
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
