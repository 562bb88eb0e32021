// Proves that what servers on the official SDKs have sent, one of each revision, is read: `npm run test:all -- "MCP 20"` runs them.
import { readFileSync } from 'node:fs'
import { fromMcp } from 'turnstream/mcp'
import { expect, it } from 'vitest'

const call = { toolCallId: 'c', toolName: 'book_berth' }
const [day, login] = ['Harbour asks: Which day?', 'Harbour asks: Log in.']

it.each([
  [
    '2025-11-25',
    [
      ['tool-progress', 0.5],
      ['input-required', day],
      ['auth-required', login],
    ],
  ],
  [
    '2026-07-28',
    [
      ['input-required', day],
      ['auth-required', login],
    ],
  ],
])('of the revision %s', (revision, expected) => {
  const text = readFileSync(new URL(`recordings/${revision}.jsonl`, import.meta.url), 'utf8')
  const read = text
    .trim()
    .split('\n')
    .map((line) => fromMcp(JSON.parse(line), { callOf: () => call, server: 'Harbour' }))
  expect(read.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  const found = read.flatMap(({ drafts }) =>
    drafts.map((draft) => {
      if (draft.kind === 'tool-progress') return [draft.kind, draft.progress]
      if (draft.kind === 'tool-complete') return [draft.kind, draft.success]
      return [draft.kind, 'prompt' in draft ? draft.prompt : undefined]
    }),
  )
  expect(found).toEqual([...expected, ['tool-complete', true]])
  expect(JSON.stringify(found)).not.toContain('For Lark')
})
