/**
 * Part of `npm run gen`: writes the generated files under `conformance/`. `--check` fails if they are out of date.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CONFORMANCE, generatedFiles } from './files.ts'

for (const [path, text] of generatedFiles()) {
  const file = CONFORMANCE + path
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  if (process.argv.includes('--check')) {
    console.error(`conformance/${path} is stale: run \`npm run gen\`.`)
    process.exitCode = 1
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
