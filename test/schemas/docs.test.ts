// Proves that the pages for other languages show the code that is tested, and the commands that generate its types.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PROTOCOL_VERSION } from '../../src/events/version.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const clients = [
  ['python', 'client.py'],
  ['go', 'main.go'],
  ['rust', 'src/main.rs'],
  ['java', 'src/main/java/Client.java'],
  ['kotlin', 'Client.kt'],
] as const

describe.each(clients)('%s', (language, file) => {
  const page = read(`docs/languages/${language}.md`)
  const client = read(`test/languages/${language}/${file}`)

  test('shows the dispatch of the tested client', () => {
    const [, dispatch] = /--- dispatch\n([\s\S]*?)\n*[ \t]*(?:\/\/|#) --- end/.exec(client) ?? []
    expect(dispatch?.split('\n').length).toBeGreaterThan(10)
    expect(page).toContain(`\n${dispatch?.trimEnd()}\n\`\`\``)
  })

  test('shows the command that generates the types of the client', () => {
    const script = read('scripts/test-languages.mjs')
    const prepare = new RegExp(`function prepare${language}[\\s\\S]*?\\n}\\n`, 'i').exec(script)?.[0] ?? ''
    const generator = /(?:quicktype\(schemas|run\(tool), \[[\s\S]*?\]\)/.exec(prepare)?.[0] ?? ''
    const options = generator.match(/'--[a-z-]+'/g)?.map((option) => option.slice(1, -1)) ?? []
    expect(options.length).toBeGreaterThan(2)
    for (const option of options) expect(page).toContain(option)
  })
})

test.each([
  ['go', ['main', 'cursor', 'resume', 'serve', 'messages', 'conform'], 'go', 7],
  ['rust', ['src/main', 'src/cursor', 'src/messages'], 'rs', 4],
  ['java', ['Client', 'Cursor', 'Extent', 'Messages'].map((name) => `src/main/java/${name}`), 'java', 4],
  ['kotlin', ['Client', 'Cursor', 'Extent', 'Messages'], 'kt', 4],
] as const)('the page for %s shows all code that is marked', (language, files, extension, count) => {
  const page = read(`docs/languages/${language}.md`)
  const marked = files.flatMap((file) => [
    ...read(`test/languages/${language}/${file}.${extension}`).matchAll(
      /\/\/ --- (?!end)\w+\n([\s\S]*?)\n*[ \t]*\/\/ --- end/g,
    ),
  ])
  expect(marked).toHaveLength(count)
  for (const [, text] of marked) expect(page).toContain(`\n${text?.trimEnd()}\n\`\`\``)
})

test('the Python page shows the code that is tested', () => {
  const page = read('docs/languages/python.md')
  const marked = ['test/languages/python/event.py', 'test/languages/python/client.py'].flatMap((file) => [
    ...read(file).matchAll(/# --- (?!end)\w+\n([\s\S]*?)\n*# --- end/g),
  ])
  const functions = [
    /^def follow[\s\S]*?(?=\n\n\n)/m.exec(read('examples/python/client.py')),
    /^@app\.get[\s\S]*?(?=\n\n\n)/m.exec(read('examples/python/server.py')),
  ]
  const code = [...marked.map(([, text]) => text), ...functions.map((match) => match?.[0])]
  expect(code.length).toBe(5)
  for (const text of code) expect(page).toContain(`\n${text?.trimEnd()}\n\`\`\``)
})

test('the Python page lists the suites that are run, all that others must pass among them', () => {
  const { suites } = JSON.parse(read('conformance/manifest.json')) as {
    suites: { id: string; level: string }[]
  }
  const [, run = ''] = /PYTHON_SUITES = \[(.*)\]/.exec(read('scripts/test-languages.mjs')) ?? []
  const listed = [...read('docs/languages/python.md').matchAll(/^\| ([a-z-]+) \| \d+ \|$/gm)]
  expect(listed.map(([, id]) => `'${id}'`).sort()).toEqual(run.split(', ').sort())
  for (const { id } of suites.filter(({ level }) => level === 'must')) expect(run).toContain(`'${id}'`)
})

test('the overview names every published file', () => {
  const page = read('docs/json-schema.md')
  const meta = JSON.parse(read(`schemas/events/${PROTOCOL_VERSION}/meta.json`)) as {
    sha256: Record<string, string>
  }
  for (const file of Object.keys(meta.sha256)) expect(page).toContain(`\`${file}\``)
})
