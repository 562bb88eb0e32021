// No regular expression of the library overflows the stack: some engines keep a frame for each repetition of a group.

import ts from 'typescript'
import { expect, it } from 'vitest'
import { sourceFiles, walk } from './support/sources.ts'

const REPEATED = /\)(?:[*+]|\{\d+,\})/

/** Where repeated groups are, which read one character or a text of bounded length. */
const harmless = [
  'encoding/percent.ts',
  'providers/gemini-content/json-path.ts',
  'thoughts/attributes.ts',
  'viewer/model/json-tokens.ts',
]

it('no regular expression repeats a group without end', () => {
  const found = new Set<string>()
  for (const file of sourceFiles()) {
    if (!REPEATED.test(file.text)) continue
    walk(file, (node) => {
      if (!ts.isRegularExpressionLiteral(node)) return
      const bare = node.text.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
      if (REPEATED.test(bare)) found.add(file.path)
    })
  }
  // The schema of zod has it, as JSON Schema has no other way to say it.
  expect([...found].sort()).toEqual([...harmless, 'events/records/custom.ts'].sort())
})
