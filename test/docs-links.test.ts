// Proves that every link in TSDoc leads to a page and heading that exist, and that the sidebar of the site has every page.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sidebar } from '../docs/.vitepress/sidebar.ts'
import { entryPoints, exportsOf } from '../scripts/entry-points.ts'
import { anchorsOf } from '../scripts/markdown.ts'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file}`)
  .sort()

interface Reference {
  readonly at: string
  readonly target: string
}

const references: Reference[] = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/@see[ \t]+([^\n]*)/g)].map(([, target = '']) => ({
    at: file,
    target: target.trim(),
  })),
)

describe('@see', () => {
  it('names a page of docs/, a public URL or a symbol', () => {
    expect(references.length).toBeGreaterThan(100)
    const others = references.filter(
      ({ target }) => !/^(?:docs\/\S+|https:\/\/\S+|\{@link \w+\})$/.test(target),
    )
    expect(others).toEqual([])
  })

  it('resolves to a file and a heading', () => {
    const broken = references.filter(({ target }) => target.startsWith('docs/') && !resolves(target))
    expect(broken).toEqual([])
  })
})

describe('{@link} in the TSDoc of an export', () => {
  // Editors and the site show the types of options as well, which no entry point exports.
  const declared = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /^export (?:async )?(?:interface|type|class|const|function\*?) (\w+)/gm,
      ),
    ].map(([, name]) => name),
  )
  const names = new Set(declared)

  it.each(entryPoints)('$name names what is declared', ({ source }) => {
    const exports = exportsOf(source)
    const unknown = exports.flatMap(({ name, documentation }) =>
      [...documentation.matchAll(/\{@link\s+(\w+)/g)]
        .filter(([, target = '']) => !names.has(target))
        .map(([, target]) => `${name} → ${target}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('the sidebar of the site', () => {
  // The reference pages are listed by docs/reference/README.md, the API by TypeDoc, pages for maintainers by CONTRIBUTING.md,
  // formats of few by docs/which.md. What they were made from is not on the site.
  const isListedElsewhere =
    /^(?:index|architecture|decisions|frames|agent-event|session|looopy|spec\/.*|reference\/.*|api\/.*|\.vitepress\/.*)$/
  const links = sidebar.flatMap(({ items = [] }) => items.map(({ link = '' }) => link.slice(1)))

  it('has every page', () => {
    const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replace(/\.md$/, '').replace(/\/README$/, '/'))
    const missing = pages.filter((page) => !isListedElsewhere.test(page) && !links.includes(page))
    expect(missing).toEqual([])
  })

  it('has no page that does not exist', () => {
    const files = links
      .filter((link) => !link.startsWith('api/'))
      .map((link) => link.replace(/\/$/, '/README'))
    expect(files.filter((file) => !existsSync(`docs/${file}.md`))).toEqual([])
  })
})

function resolves(target: string): boolean {
  const [path = '', anchor] = target.split('#')
  if (!existsSync(path)) return false
  return anchor === undefined || anchorsOf(readFileSync(path, 'utf8')).includes(anchor)
}
