/** Copies published example events into the TSDoc of their interfaces. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PROTOCOL_VERSION } from '../src/events/version.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const EXAMPLES = `schemas/events/${PROTOCOL_VERSION}/examples`
const NOUNS = 'src/events'

/** An interface of one kind, with its doc comment. */
const EVENT = /\/\*\*\n((?: \*[^\n]*\n)+) \*\/\nexport interface \w+(?:<[^\n]*>)? \{\n {2}kind: '([^']+)'/g

/** Path → content of each file with events, with the published examples. */
export function documentedFiles(): [string, string][] {
  return readdirSync(`${root}${NOUNS}`)
    .filter((file) => file.endsWith('.ts'))
    .map((file): [string, string] => [`${NOUNS}/${file}`, readFileSync(`${root}${NOUNS}/${file}`, 'utf8')])
    .filter(([, source]) => source.match(EVENT) !== null)
    .map(([path, source]) => [path, withExamples(source)])
}

function withExamples(source: string): string {
  return source.replace(EVENT, (whole, comment: string, kind: string) => {
    const others = comment.replace(/ \* @example [^\n]*\n(?: \* ?(?!@)[^\n]*\n)*/, '')
    return whole.replace(comment, `${others}${exampleOf(kind)}`)
  })
}

/** The first example of a kind that is not the minimal one. */
function exampleOf(kind: string): string {
  const path = `${EXAMPLES}/${kind.replace(':', '-')}`
  const folder = `${root}${path}`
  if (!existsSync(folder)) throw new Error(`Add ${path}/minimal.json and full.json.`)
  const files = readdirSync(folder).sort()
  const file = files.find((name) => name !== 'minimal.json') ?? files[0] ?? ''
  const json = readFileSync(`${folder}/${file}`, 'utf8').trimEnd()
  const lines = [
    `@example ${file.replace('.json', '').replaceAll('-', ' ')}`,
    '```json',
    ...json.split('\n'),
    '```',
  ]
  return lines.map((line) => ` * ${line}\n`).join('')
}
