// The examples of docs/json.md give what the page says.
import { readFileSync } from 'node:fs'
import type { PartialJson } from 'turnstream/json'
import { describe, expect, it } from 'vitest'
import { failed, merged, patched } from '../../examples/docs/patches.ts'
import { readArguments } from '../../examples/docs/tool-arguments.ts'

async function* deltas(...pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

describe('docs/json.md', () => {
  it('shows arguments while they are written', async () => {
    const shown: PartialJson[] = []
    const table = readFileSync('docs/json.md', 'utf8').matchAll(/^\| `(.+)` \| `(.+)` \| `(.+)` \|$/gm)
    const rows = [...table].map(([, delta = '', value = '', path = '']) => ({ delta, value, path }))
    expect(rows.length).toBeGreaterThan(5)
    const value = await readArguments(deltas(...rows.map(({ delta }) => delta)), (each) => shown.push(each))
    expect(shown.map((each) => [JSON.stringify(each.value), JSON.stringify(each.openPath)])).toEqual(
      rows.map(({ value, path }) => [value, path]),
    )
    expect(value).toEqual(shown.at(-1)?.value)
  })

  it.each(['{"path":"a', '{"path":a}'])('never returns arguments that are not complete: %s', async (text) => {
    await expect(readArguments(deltas(text), () => {})).rejects.toThrow(/^The arguments are in\w+ JSON\.$/)
  })

  it('gives the results of patches in its comments', () => {
    const source = readFileSync('examples/docs/patches.ts', 'utf8')
    const results = [
      ...source.matchAll(/export const (\w+): Patched = [^\n]*(?:\n(?!\/\/)[^\n]*)*\n\/\/ (.+)/g),
    ]
    const json = results.map(([, , result = '']) => result.replaceAll("'", '"').replace(/(\w+):/g, '"$1":'))
    expect(json.map((each) => JSON.parse(each))).toEqual([patched, failed, merged])
  })
})
