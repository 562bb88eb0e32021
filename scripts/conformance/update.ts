/**
 * `npm run conformance:update -- <suite> …`: gives the cases of suites the outputs of this implementation, after a change
 * of what it does or of their inputs, and lists what changed. Review it: every other implementation follows these cases.
 */
import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { handlers } from '../../test/conformance/adapter/index.ts'
import { CONFORMANCE, casesIn } from './files.ts'
import { kits } from './suites.ts'

const ids = process.argv.slice(2)
const unknown = ids.filter((id) => handlers[id] === undefined)
if (ids.length === 0 || unknown.length > 0) {
  console.error(
    `Expected ids of suites, got ${unknown.join(', ') || 'none'}. There are ${Object.keys(handlers).join(', ')}.`,
  )
  process.exit(2)
}

const all = kits.flatMap(({ folder, suites }) =>
  suites.map(({ id, files }) => ({ id, files: files.map((file) => folder + file) })),
)
for (const { id, files } of all) {
  if (!ids.includes(id)) continue
  // The published examples state what is expected of them.
  for (const file of files.filter((path) => !path.endsWith('/examples.jsonl'))) {
    const cases = casesIn(file)
    for (const each of cases) {
      const expected: unknown = JSON.parse(
        JSON.stringify(await handlers[id]?.(structuredClone(each.input) as never)),
      )
      if (!isDeepStrictEqual(expected, each.expected)) console.log(`${id}: ${each.name}`)
      each.expected = expected
    }
    writeFileSync(CONFORMANCE + file, cases.map((each) => `${JSON.stringify(each)}\n`).join(''))
  }
}
