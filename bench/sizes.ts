/** Sizes: what a bundler makes of each entry point when everything of it is used. */
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Row } from './harness.ts'

/** In KiB, minified and compressed. */
const entries = [
  { name: 'agentwire/sse', file: 'src/sse/index.ts', limit: 2 },
  { name: 'agentwire/thoughts', file: 'src/thoughts/index.ts', limit: 4 },
  { name: 'agentwire, validators included', file: 'src/index.ts', limit: 14 },
]

/** What an entry point adds to a bundle that holds the root already. */
const additions = [
  { name: 'agentwire/streams', file: 'src/streams/index.ts' },
  { name: 'agentwire/a2a', file: 'src/dialects/a2a/index.ts', limit: 8 },
  { name: 'agentwire/frames', file: 'src/dialects/frames/index.ts', limit: 8 },
  { name: 'agentwire/agent-event', file: 'src/dialects/agent-event/index.ts', limit: 8 },
  { name: 'agentwire/session', file: 'src/dialects/session/index.ts', limit: 8 },
]

export async function bench(): Promise<Row[]> {
  return Promise.all([...entries.map(rowOf), ...additions.map(additionOf)])
}

async function additionOf({ name, file, limit }: (typeof additions)[number]): Promise<Row> {
  const root = await bundle('src/index.ts', [])
  const both = await bundle('src/index.ts', [], file)
  const added = both.gzip - root.gzip
  return {
    what: `size of ${name}, on top of the root`,
    measured: `${kib(added)} min + gzip (${kib(both.min - root.min)} minified)`,
    ...(limit !== undefined && {
      budget: { figure: added / 1024, bound: 'at most' as const, limit, unit: 'KiB' as const },
    }),
  }
}

async function rowOf({ name, file, limit }: (typeof entries)[number]): Promise<Row> {
  const whole = await bundle(file, [])
  const own = await bundle(file, ['zod'])
  const zod =
    whole.zod === 0 ? 'no zod' : `${kib(whole.gzip - own.gzip)} of it zod, ${kib(whole.zod)} minified`
  return {
    what: `size of ${name}`,
    measured: `${kib(whole.gzip)} min + gzip (${kib(whole.min)} minified; ${zod})`,
    budget: { figure: whole.gzip / 1024, bound: 'at most', limit, unit: 'KiB' },
  }
}

/** Bytes of a bundle, and of it those that come from zod, before compression. */
async function bundle(
  file: string,
  external: string[],
  besides?: string,
): Promise<{ min: number; gzip: number; zod: number }> {
  const both = besides === undefined ? '' : `export * as besides from './${besides}'`
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export * from './${file}'\n${both}`, resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external,
    metafile: true,
    write: false,
    outdir: 'out',
  })
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  return {
    min: code.length,
    gzip: gzipSync(code, { level: 9 }).length,
    zod: inputs.reduce((sum, [path, part]) => sum + (path.includes('/zod/') ? part.bytesInOutput : 0), 0),
  }
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(2)} KiB`
}
