/**
 * `npm run docs:check`: builds the site and checks that every link on it leads to a page, a heading or a file of it.
 * Whether the code on the pages compiles is checked by `test/docs-code.test.ts`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = fileURLToPath(new URL('../site', import.meta.url))
const read = (path: string): string => readFileSync(join(site, path), 'utf8')
const pages = readdirSync(site, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html'))
  .sort()

const idsByPage = new Map(
  pages.map((page) => [
    page,
    new Set([...read(page).matchAll(/ (?:id|name)="([^"]+)"/g)].map(([, id]) => id)),
  ]),
)

/** What paths of the site begin with. */
const base = process.env.DOCS_BASE ?? '/'

/** The file of a path of the site, as any server finds it: by its name, or as the index of a folder. */
function fileOf(path: string): string | undefined {
  const file = path.endsWith('/') || path === '.' ? join(path, 'index.html') : path
  return existsSync(join(site, file)) && statSync(join(site, file)).isFile() ? file : undefined
}

function problemOf(link: string, page: string): string | undefined {
  const [path = '', heading = ''] = link.split('#')
  if (path.startsWith('/') && !path.startsWith(base)) return `no path below ${base}`
  const target = path.startsWith('/') ? path.slice(base.length) : join(dirname(page), path)
  const file = path === '' ? page : fileOf(normalize(target))
  if (file === undefined) return 'no such page'
  const id = decodeURIComponent(heading)
  return id === '' || !file.endsWith('.html') || idsByPage.get(file)?.has(id) ? undefined : 'no such heading'
}

let links = 0
const dead: string[] = []
for (const page of pages) {
  for (const [, name, raw = ''] of read(page).matchAll(/ (href|src)="([^"]*)"/g)) {
    const link = raw.replaceAll('&amp;', '&')
    if (/^[a-z]+:|^\/\//.test(link) || (name === 'href' && link === '')) continue
    links++
    const problem = problemOf(link, page)
    if (problem !== undefined) dead.push(`${page}: ${link}: ${problem}`)
  }
}
for (const line of new Set(dead)) console.error(line)
console.log(`${pages.length} pages, ${links} links, ${dead.length} dead`)
process.exitCode = dead.length === 0 ? 0 : 1
