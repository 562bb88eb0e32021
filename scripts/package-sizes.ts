/** What the packed package weighs: the tarball, and what a bundler keeps of single imports. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The package as npm would publish it, unpacked into a project with its dependencies. */
export interface PackedProject {
  /** The folder of the project. */
  readonly folder: string
  /** Bytes of the tarball. */
  readonly tarball: number
  /** Bytes of all files in it. */
  readonly unpacked: number
  /** Paths of all files in it, sorted. */
  readonly files: readonly string[]
  /** Packs another package of the repository, and unpacks it into the project. */
  install(path: string): void
  /** Deletes the project. */
  remove(): void
}

/**
 * Packs what `npm run build` has built.
 *
 * @throws Error when the package is not built.
 */
export function packProject(): PackedProject {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('dist is missing: run `npm run build` first.')
  const folder = mkdtempSync(join(tmpdir(), 'turnstream-packed-'))
  /** Installs a package, and returns its tarball and its folder. */
  const install = (path: string): [tarball: string, installed: string] => {
    const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    execFileSync('npm', ['pack', join(root, path), '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      stdio: 'ignore',
    })
    const tarball = join(folder, `${name}-${version}.tgz`)
    const installed = join(folder, 'node_modules', name)
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
    return [tarball, installed]
  }
  const [tarball, installed] = install('.')
  // Its dependency, and the peer of one entry.
  for (const name of ['zod', 'react'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(installed, file)).isFile())
    .sort()
  return {
    folder,
    tarball: statSync(tarball).size,
    unpacked: files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0),
    files,
    install,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What to bundle: names of one entry point, or all of them. */
export interface Import {
  /** Names separated by commas, or `*`. */
  readonly names: string
  /** The entry point, such as `turnstream/sse`. */
  readonly from: string
}

/** Bytes of a bundle with one import, minified, as esbuild makes it with its default settings. */
export async function bundleSize(
  { folder }: Pick<PackedProject, 'folder'>,
  { names, from }: Import,
): Promise<{ readonly min: number; readonly gzip: number; readonly zod: number }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export ${names === '*' ? '*' : `{ ${names} }`} from '${from}'`, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    external: ['react'],
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    write: false,
    outdir: 'out',
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return {
    min: code.length,
    gzip: gzipSync(code, { level: 9 }).length,
    zod: inputs.reduce((sum, [path, part]) => sum + (path.includes('/zod/') ? part.bytesInOutput : 0), 0),
  }
}
