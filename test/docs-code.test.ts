// Proves that the code on pages and in TSDoc compiles. Files of examples/ that pages show are compiled with the rest.
import { expect, it } from 'vitest'
import { codeBlocks, codeErrors } from '../scripts/doc-code.ts'

it('compiles on every page and in TSDoc', () => {
  const blocks = codeBlocks()
  expect(blocks.length).toBeGreaterThan(90)
  expect(codeErrors(blocks)).toEqual([])
})

it('does not compile with a mistake', () => {
  const mistakes = {
    argument: "createEmitter({ contextId: 'ctx-1', taskID: 'task-1' })",
    field:
      "for await (const event of readEvents(response)) if (event.kind === 'content-delta') show(event.text)",
    import: "import { fold } from 'agentwire/streams'\nfold(view, event)",
    syntax: 'for (const event of) show(event)',
  }
  const blocks = Object.entries(mistakes).map(([place, code]) => ({ place, code }))
  const places = codeErrors(blocks).map(({ place }) => place.replace(/ .*/, ''))
  expect([...new Set(places)]).toEqual(Object.keys(mistakes))
})
