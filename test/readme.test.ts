// Proves that what the README and the other pages show is what is there, that their links lead somewhere, and that
// the README leaves out no export, kind or command.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { eventKinds } from 'agentwire'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { chat } from '../examples/readme/client.ts'
import { serve } from '../examples/readme/server.ts'
import packageJson from '../package.json' with { type: 'json' }
import { pages, renewed } from '../scripts/readme.ts'

const readme = readFileSync('README.md', 'utf8')

describe.each(pages)('%s', (page) => {
  const text = readFileSync(page, 'utf8')

  it('shows examples, exports and tables as they are', () => {
    expect(renewed(text)).toBe(text)
  })

  it('links to files and headings that are there', () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue
      const [path = '', heading] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      expect(existsSync(target), link).toBe(true)
      if (heading !== undefined) expect(headingsOf(readFileSync(target, 'utf8')), link).toContain(heading)
    }
  })
})

it.each(['readme', 'docs'])('examples/%s has nothing that no page shows', (folder) => {
  const shown = pages.map((page) => readFileSync(page, 'utf8')).join('')
  for (const file of readdirSync(`examples/${folder}`))
    expect(shown).toContain(`<!-- examples/${folder}/${file} -->`)
})

describe('the server and the client', () => {
  async function* model(): AsyncGenerator<string> {
    yield 'Let me <thin'
    yield 'king>two and two</thinking>see: '
    yield '4 🎉'
  }
  const server = serve(model)
  afterAll(() => void server.close())

  it('understand each other', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const shown = { speech: '', thought: '' }
    await chat(`http://127.0.0.1:${port}/`, (text, as) => {
      shown[as] += text
    })
    expect(shown).toEqual({ speech: 'Let me see: 4 🎉', thought: 'two and two' })
  })

  it.each(['server', 'client'])('the %s takes about twenty lines', (name) => {
    const lines = readFileSync(`examples/readme/${name}.ts`, 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
  })
})

it('lists every kind', () => {
  for (const kind of eventKinds) expect(readme).toContain(`| \`${kind}\` |`)
})

describe('lists every export', () => {
  const entries = Object.keys(packageJson.exports).filter(
    (path) => !path.includes('*') && !path.endsWith('.json'),
  )
  const source = (entry: string): string =>
    entry === '.'
      ? 'src/index.ts'
      : ([`src/${entry.slice(2)}/index.ts`, `src/dialects/${entry.slice(2)}/index.ts`].find(
          ts.sys.fileExists,
        ) ?? '')

  it.each(entries)('of %s', (entry) => {
    const exported = exportsOf(source(entry))
    expect(exported.length).toBeGreaterThan(3)
    const missing = exported.filter((name) => !new RegExp(`\`${name}(?:\`|\\()`).test(readme))
    expect(missing).toEqual([])
  })
})

it('names commands that exist', () => {
  const scripts = Object.keys(packageJson.scripts)
  for (const [, command] of readme.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toContain(command)
})

/** What headings are called in links. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The names a module exports, read from its text. */
function exportsOf(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  return file.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map((element) => element.name.text)
      : [],
  )
}
