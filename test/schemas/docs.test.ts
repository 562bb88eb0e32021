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

test('the overview names every published file', () => {
  const page = read('docs/json-schema.md')
  const meta = JSON.parse(read(`schemas/events/${PROTOCOL_VERSION}/meta.json`)) as {
    sha256: Record<string, string>
  }
  for (const file of Object.keys(meta.sha256)) expect(page).toContain(`\`${file}\``)
})
