/** The viewer: one HTML file with its script and style inside, and a policy that allows these alone. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { visible } from '../escape.ts'
import { packageFolder } from '../package.ts'
import { UsageError } from '../usage-error.ts'
import { linkModules } from './link-modules.ts'

/**
 * Assembles the viewer from the files of the package: a page of its own would have much of them a second time.
 *
 * @param dist - The folder of the built package.
 */
export async function viewerPage(dist: URL): Promise<string> {
  const read = (url: URL): Promise<string> => readFile(url, 'utf8')
  const file = (name: string): URL => new URL(`viewer/${name}`, dist)
  const [page, style, script] = await Promise.all([
    read(file('page.html')),
    read(file('style.css')),
    linkModules(file('main.js'), read),
  ])
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

/**
 * The viewer, as this installation has it.
 *
 * @throws UsageError if a file of it is missing.
 */
export async function builtPage(): Promise<string> {
  const dist = new URL('dist/', packageFolder)
  try {
    return await viewerPage(dist)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(
      `The viewer is incomplete in this installation: ${code ?? message} in ${visible(fileURLToPath(dist))}.`,
    )
  }
}

/** The page with a text after the first mark that has nothing between it and its end. */
function filled(page: string, mark: string, text: string): string {
  const end = mark.startsWith('<') ? mark.replace('<', '</') : '"'
  const at = page.indexOf(mark + end)
  if (at < 0) throw new TypeError(`The page of the viewer must have an empty ${mark}${end}.`)
  return page.slice(0, at + mark.length) + text + page.slice(at + mark.length)
}

/** The hash of a text, as a content security policy states it. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
