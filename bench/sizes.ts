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

export async function bench(): Promise<Row[]> {
  return Promise.all(entries.map(rowOf))
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
async function bundle(file: string, external: string[]): Promise<{ min: number; gzip: number; zod: number }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
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
