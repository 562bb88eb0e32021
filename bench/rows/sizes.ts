/** Sizes of the packed package: what a bundler keeps of an import. Needs `npm run build`. */
import { bundleSize, type Import, packProject } from '../scripts/package-sizes.ts'
import type { Row } from './harness.ts'

/** Budgets in KiB, minified and compressed. */
const budgets: readonly (Import & { readonly limit?: number })[] = [
  { names: 'encodeEvent', from: 'agentwire/sse', limit: 0.7 },
  { names: '*', from: 'agentwire/sse', limit: 2.3 },
  { names: 'readEvents', from: 'agentwire', limit: 6.5 },
  { names: '*', from: 'agentwire', limit: 11 },
  { names: 'thoughtExtractor', from: 'agentwire/thoughts', limit: 4.9 },
  { names: '*', from: 'agentwire/thoughts' },
  { names: 'foldEvent, emptyView', from: 'agentwire/streams', limit: 8 },
  { names: 'parseEventId', from: 'agentwire/streams', limit: 1 },
  { names: '*', from: 'agentwire/streams' },
  { names: '*', from: 'agentwire/zod' },
  { names: 'toA2a', from: 'agentwire/a2a', limit: 8 },
  { names: 'fromA2a', from: 'agentwire/a2a', limit: 8 },
  { names: 'toFrames', from: 'agentwire/frames', limit: 8 },
  { names: 'fromFrames', from: 'agentwire/frames', limit: 8 },
  { names: 'toAgentEvents', from: 'agentwire/agent-event', limit: 8 },
  { names: 'fromAgentEvents', from: 'agentwire/agent-event', limit: 8 },
  { names: 'toSessionEvents', from: 'agentwire/session', limit: 8 },
  { names: 'fromSessionEvents', from: 'agentwire/session', limit: 8 },
]

export async function bench(): Promise<Row[]> {
  const project = packProject()
  const rows: Row[] = []
  for (const { limit, ...imported } of budgets) {
    const { min, gzip, zod } = await bundleSize(project, imported)
    rows.push({
      what: `size of { ${imported.names} } from ${imported.from}`,
      measured: `${kib(gzip)} min + gzip (${kib(min)} minified, of which zod ${kib(zod)})`,
      ...(limit !== undefined && {
        budget: { figure: gzip / 1024, bound: 'at most' as const, limit, unit: 'KiB' as const },
      }),
    })
  }
  rows.push({
    what: 'size of the tarball',
    measured: `${kib(project.tarball)} packed, ${kib(project.unpacked)} unpacked, ${project.files.length} files`,
  })
  project.remove()
  return rows
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(2)} KiB`
}
