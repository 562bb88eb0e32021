// Proves that docs/cli.md and docs/reference/inspect.md show what `inspect` prints, for a recording of each dialect.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dialects } from '../../src/inspect/index.ts'
import { recordingPath, recordings } from '../support/recordings.ts'
import { run } from './run.ts'

const pages = ['docs/cli.md', 'docs/reference/inspect.md']
  .map((page) => readFileSync(page, 'utf8'))
  .join('\n')
const shown = [...pages.matchAll(/```text\n\$ turnstream inspect (\S+)\n([\s\S]*?)```/g)].map(
  ([, file = '', out = '']) => [file, out] as const,
)

it('shows each dialect', () => {
  expect(new Set(shown.map(([file]) => recordings[file]))).toEqual(new Set(dialects))
})

it.each(shown)('%s', async (file, printed) => {
  const { out } = await run('inspect', recordingPath(file))
  expect(printed).toBe(out.replaceAll(recordingPath(file), file))
})
