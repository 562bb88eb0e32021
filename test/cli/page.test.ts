// Proves that docs/cli.md shows what `inspect` prints, for a recording of each dialect.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dialects } from '../../src/inspect/index.ts'
import { recordingPath, recordings } from '../support/recordings.ts'
import { run } from './run.ts'

const page = readFileSync('docs/cli.md', 'utf8')
const shown = [...page.matchAll(/```text\n\$ turnstream inspect (\S+)\n([\s\S]*?)```/g)].map(
  ([, file = '', out = '']) => [file, out] as const,
)

it('shows each dialect', () => {
  expect(new Set(shown.map(([file]) => recordings[file]))).toEqual(new Set(dialects))
})

it.each(shown)('%s', async (file, printed) => {
  const { out } = await run('inspect', recordingPath(file))
  expect(printed).toBe(out.replaceAll(recordingPath(file), file))
})
