/**
 * Builds the viewer: one HTML file with its script and style inside, and a policy that allows these alone.
 *
 * `npm run build` writes it to `dist/viewer.html.br`, for `turnstream viewer`; `npm run docs` to the site as `playground.html`.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build, transform } from 'esbuild'

const source = (path: string): string => fileURLToPath(new URL(`../src/viewer/${path}`, import.meta.url))

/** The viewer as HTML. */
export async function viewerPage(): Promise<string> {
  const [page, css, bundle] = await Promise.all([
    readFile(source('page.html'), 'utf8'),
    readFile(source('style.css'), 'utf8'),
    build({
      entryPoints: [source('main.ts')],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      legalComments: 'none',
    }),
  ])
  // The end of a script or style would end its element; esbuild escapes it in both.
  const script = (bundle.outputFiles[0]?.text ?? '').trim()
  const style = (await transform(css, { loader: 'css', minify: true, target: 'es2022' })).code.trim()
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'connect-src *',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return filled(filled(filled(page, 'content="', policy), '<style>', style), '<script>', script)
}

/** The page with a text after the first mark that has nothing between it and its end. */
function filled(page: string, mark: string, text: string): string {
  const end = mark.startsWith('<') ? mark.replace('<', '</') : '"'
  const at = page.indexOf(mark + end)
  if (at < 0) throw new Error(`src/viewer/page.html must have an empty ${mark}${end}.`)
  return page.slice(0, at + mark.length) + text + page.slice(at + mark.length)
}

/** Writes the viewer to a file: compressed, if its name ends in `.br`. */
export async function writeViewer(path: string): Promise<void> {
  const page = await viewerPage()
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, path.endsWith('.br') ? brotliCompressSync(page) : page)
}

/** The hash of a text, as a content security policy states it. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const [, program, path = 'dist/viewer.html.br'] = process.argv
if (program === fileURLToPath(import.meta.url)) await writeViewer(path)
