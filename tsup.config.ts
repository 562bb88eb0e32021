import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { defineConfig, type Options } from 'tsup'
import { entryPoints } from './scripts/entry-points.ts'
import { markPure } from './scripts/mark-pure.ts'
import { shortenLocals } from './scripts/shorten-locals.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Output path without extension → source, for every entry point. */
const entry = Object.fromEntries(
  entryPoints.map(({ source }) => [source.replace(/^src\//, '').replace(/\.ts$/, ''), source]),
)

/** What runs by itself: the binary, and the page that it assembles from the files of the package. */
const programs = { 'cli/main': 'src/cli/main.ts', 'viewer/main': 'src/viewer/main.ts' }

/** What an entry point exports as a namespace: a file of its own, so that bundlers keep what is used of it. */
const namespaces = { 'zod/schemas': 'src/zod/schemas.ts' }

/** Of the library, the programs reach what `inspect` does and these: the same, so that it is in the same chunks. */
const reached = ['sse/index.ts', 'streams/view/fold/index.ts', 'streams/watch/backoff.ts']

const fileOf = (source: string): string => join(root, source)
/** Source → what it reaches besides what it imports. */
const alsoReached = new Map<string, readonly string[]>([
  ...Object.values(entry).map((source) => [fileOf(source), ['src/index.ts']] as const),
  ...Object.values(programs).map((source) => [fileOf(source), reached.map((path) => `src/${path}`)] as const),
])
/** Entry points that are a few files and stay it. */
const light = ['index.ts', 'json/index.ts', 'thoughts/index.ts', 'zod/index.ts'].map((path) =>
  fileOf(`src/${path}`),
)
/** A chunk of fewer bytes takes longer to load than its code as a part of another, also for those that do not need it. */
const SMALL = 1600

/** The folder of the entry point that has a file. */
const entryFolder = /\/src\/(dialects\/[^/]+|providers|streams)\//

/**
 * Decides which modules share a chunk: those that the same entry points reach.
 *
 * - What the binary loads when it is needed is the entry point that has it, and what the page of the viewer uses of entry points
 *   it imports from their files. Each file that is loaded by itself would be an entry of its own, and split the chunks of all others.
 * - All entry points reach all of `turnstream`, so that few chunks have it: loading another file takes as long as 20 KB more of one.
 *   For the same reason all but the light ones reach what would be in small chunks. Nothing is left of these imports.
 */
const chunks: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'chunks',
  setup(build) {
    build.initialOptions.logOverride = { 'ignored-bare-import': 'silent' }
    build.onResolve({ filter: /^\.\.?\// }, ({ path, kind, importer, resolveDir }) => {
      if (kind !== 'entry-point' && Object.values(namespaces).map(fileOf).includes(join(resolveDir, path)))
        return { path: path.replace(/\.ts$/, '.js'), external: true }
      const [, folder] = entryFolder.exec(join(resolveDir, path)) ?? []
      if (folder === undefined) return undefined
      if (kind === 'dynamic-import') return { path: fileOf(`src/${folder}/index.ts`) }
      const isOfPage = importer.startsWith(fileOf('src/viewer/')) && path.endsWith('/index.ts')
      return isOfPage ? { path: `../${folder}/index.js`, external: true } : undefined
    })
    build.onResolve({ filter: /^also:/ }, ({ path }) => ({ path: path.slice('also:'.length) }))
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const also = alsoReached.get(path)
      if (also === undefined) return undefined
      const imports = also.map((source) => `import ${JSON.stringify(`also:${fileOf(source)}`)}`)
      return { contents: [await readFile(path, 'utf8'), ...imports].join('\n'), loader: 'ts' }
    })
    // Of scripts and statements, no database needs what is for people.
    build.onLoad({ filter: /\/src\/(?:redis|sql)\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/^ +/gm, '').replace(/(^| )-- .*/gm, ''),
      loader: 'ts',
    }))
  },
}

/** Makes all but the light entry points reach the modules that would be in small chunks. */
async function joinSmallChunks(): Promise<void> {
  const { metafile } = await build({
    ...({ bundle: true, splitting: true, format: 'esm', platform: 'node', packages: 'external' } as const),
    ...({ minify: true, metafile: true, write: false, outdir: 'dist', plugins: [chunks] } as const),
    entryPoints: { ...entry, ...programs },
  })
  const reach = (file: string, found: Set<string>): Set<string> => {
    if (found.has(file)) return found
    found.add(file)
    for (const { path, external } of metafile.inputs[file]?.imports ?? []) if (!external) reach(path, found)
    return found
  }
  const common = reach('src/index.ts', new Set())
  const small = new Set(
    Object.values(metafile.outputs)
      .filter(({ entryPoint, bytes }) => entryPoint === undefined && bytes < SMALL)
      .flatMap(({ inputs }) => Object.keys(inputs)),
  )
  const sizes = new Map(
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput] as const),
    ),
  )
  // What needs much of a large chunk would bring it.
  const joined = [...small].flatMap((file) => {
    const more = [...reach(file, new Set())].filter((path) => !common.has(path) && !small.has(path))
    const size = more.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0)
    return size < SMALL ? [file, ...more] : []
  })
  for (const [file, also] of alsoReached)
    if (!light.includes(file)) alsoReached.set(file, [...also, ...joined])
}

/** Writes what the page of the viewer has besides its script. */
async function writePage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const style = await readFile(fileOf('src/viewer/style.css'), 'utf8')
  const { code } = await transform(style, { loader: 'css', minify: true, target: 'es2022' })
  await writeFile(join(folder, 'style.css'), code.trim())
  await writeFile(join(folder, 'page.html'), await readFile(fileOf('src/viewer/page.html')))
}

/** A file with all that it imports. */
async function reachedFrom(file: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(file)) return found
  found.add(file)
  const imports = (await readFile(file, 'utf8')).matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)
  for (const [, path = ''] of imports) await reachedFrom(join(file, '..', path), found)
  return found
}

/**
 * Shortens names: those within the functions of the library, and all of what nobody imports, which is only run. What both have
 * in common is of the library.
 */
async function shortenNames(folder: string): Promise<void> {
  const filesOf = async (paths: object): Promise<Set<string>> => {
    const found = new Set<string>()
    for (const path of Object.keys(paths)) await reachedFrom(join(folder, `${path}.js`), found)
    return found
  }
  const library = await filesOf(entry)
  const settings = { format: 'esm', target: 'es2022', minify: true, lineLimit: 400 } as const
  for (const file of new Set([...library, ...(await filesOf(programs))])) {
    const code = await readFile(file, 'utf8')
    // esbuild drops what marks calls as pure.
    const short = library.has(file)
      ? markPure(await shortenLocals(code))
      : (await transform(markPure(code), settings)).code
    await writeFile(file, short)
  }
}

/** Numbers the chunks: the digests in their names are in each import of them, and nothing compresses those. */
async function numberChunks(folder: string): Promise<void> {
  const chunks = (await readdir(join(folder, 'chunks'))).sort()
  const numbers = new Map(chunks.map((name, i) => [name, `${i + 1}.js`] as const))
  const numbered = (code: string): string =>
    code.replace(/\bchunk-\w+\.js\b/g, (name) => numbers.get(name) ?? name)
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name)
    if (!name.endsWith('.js')) continue
    await writeFile(file, numbered(await readFile(file, 'utf8')))
    await rename(file, join(folder, numbered(name)))
  }
}

/** Deletes the chunks of modules without code, such as lists of exports: nobody imports them. */
async function deleteEmpty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    if ((await stat(file)).size === 0) await rm(file)
  }
}

export default defineConfig(async ({ outDir = 'dist' }) => {
  await joinSmallChunks()
  return {
    // Code that entry points share is in chunks: few files load fast. The programs are more users of these chunks.
    entry: { ...entry, ...namespaces, ...programs },
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    splitting: true,
    sourcemap: false,
    esbuildPlugins: [chunks],
    esbuildOptions(options) {
      options.chunkNames = 'chunks/[name]-[hash]'
      // Names at the top level stay, and lines are short enough, for a stack trace to name a place.
      options.minifyWhitespace = true
      options.minifySyntax = true
      options.lineLimit = 400
    },
    async onSuccess() {
      // CommonJS loads the same files, so that a process never has two copies of a class.
      for (const path of Object.keys(entry)) {
        await writeFile(`${outDir}/${path}.cjs`, "module.exports = require('./index.js')\n")
      }
      await writePage(`${outDir}/viewer`)
      await shortenNames(outDir)
      await deleteEmpty(`${outDir}/chunks`)
      await numberChunks(outDir)
    },
  }
})
