// Proves that the code on pages and in TSDoc compiles. Files of examples/ that pages show are compiled with the rest.
import { expect, it } from 'vitest'
import { codeBlocks, codeErrors } from '../scripts/doc-code.ts'

const mistakes = {
  argument: "createEmitter({ contextId: 'ctx-1', taskID: 'task-1' })",
  field:
    "for await (const event of readEvents(response)) if (event.kind === 'content-delta') show(event.text)",
  import: "import { fold } from 'turnstream/streams'\nfold(view, event)",
}

// The compiler runs twice, and takes minutes on a machine that does much else.
it('compiles on every page and in TSDoc, and would not with a mistake', { timeout: 240_000 }, () => {
  const blocks = codeBlocks()
  expect(blocks.length).toBeGreaterThan(90)
  const wrong = Object.entries(mistakes).map(([place, code]) => ({ place, code }))
  const errors = codeErrors([...blocks, ...wrong])
  expect(errors.filter(({ place }) => !/^(?:argument|field|import) /.test(place))).toEqual([])
  expect([...new Set(errors.map(({ place }) => place.replace(/ .*/, '')))]).toEqual(Object.keys(mistakes))
})

// The compiler reports nothing else until the syntax is right.
it('does not compile with a mistake in its syntax', () => {
  const errors = codeErrors([{ place: 'syntax', code: 'for (const event of) show(event)' }])
  expect(errors.length).toBeGreaterThan(0)
})
