// Proves the bounds: what an open array, object or nesting shows, that the rest follows, and what is shared.

import { type Machine, run } from 'turnstream'
import { parsePartialJson, partialJson } from 'turnstream/json'
import { describe, expect, it } from 'vitest'

/** The values after each of `pieces`. */
function valuesOf(pieces: readonly string[]): unknown[] {
  const machine = run(partialJson())
  return pieces.map((piece) => machine.push(piece)[0]?.value)
}

const items = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const members = (count: number): Record<string, number> =>
  Object.fromEntries(items(count).map((i) => [`key ${i}`, i]))

describe('an open value', () => {
  it.each([1023, 1024, 1025, 1026, 3000])(
    'of %d items shows the first 1024, and all once it ends',
    (count) => {
      const text = JSON.stringify([items(count), 'next'])
      const end = text.indexOf(']')
      const [open, closed, whole] = valuesOf([
        text.slice(0, end),
        text.slice(end, end + 1),
        text.slice(end + 1),
      ])
      // The last number has not ended.
      expect(open).toEqual([items(Math.min(count - 1, 1024))])
      expect(closed).toEqual([items(count)])
      expect(whole).toEqual([items(count), 'next'])
    },
  )

  it.each([127, 128, 129, 130, 1000])('of %d members shows the first 128, and all once it ends', (count) => {
    const text = JSON.stringify({ a: members(count), b: 'next' })
    const end = text.indexOf('}')
    const [open, closed, whole] = valuesOf([
      text.slice(0, end),
      text.slice(end, end + 1),
      text.slice(end + 1),
    ])
    expect(open).toEqual({ a: members(Math.min(count - 1, 128)) })
    expect(closed).toEqual({ a: members(count) })
    expect(whole).toEqual({ a: members(count), b: 'next' })
    expect(Object.keys((whole as { a: object }).a)).toEqual(Object.keys(members(count)))
  })

  it('shows 64 levels, and all once it ends', () => {
    const depth = 70
    const text = `${'['.repeat(depth)}"x"${']'.repeat(depth)}`
    for (const end of [depth, depth + 3, depth + 3 + 5]) {
      expect(JSON.stringify(parsePartialJson(text.slice(0, end)).value)).toBe(
        `${'['.repeat(64)}${'[]'}${']'.repeat(64)}`,
      )
    }
    expect(parsePartialJson(text).value).toEqual(JSON.parse(text))
  })

  it('is the same however the hidden part is cut', () => {
    const text = JSON.stringify({
      list: [...items(1030), { a: [1, { b: '\\"]}' }], c: 'x' }, 1],
      object: members(140),
    })
    for (const size of [1, 2, 3, 17, 1000]) {
      const machine = run(partialJson())
      for (let at = 0; at < text.length; at += size) {
        machine.push(text.slice(at, at + size))
        // Stored and resumed.
        if (at % 7 === 0) run(partialJson(), { state: JSON.parse(JSON.stringify(machine.state)) })
      }
      expect(machine.state.value).toEqual(JSON.parse(text))
      expect(machine.end()[0]?.verdict).toBe('complete')
    }
  })

  it('has the path of what is written, also where it is hidden', () => {
    const text = `[${items(1030)},{"a":["x`
    expect(parsePartialJson(text).openPath).toBe('/1030/a/0')
    expect(parsePartialJson(`${text}\n`).diagnostics).toMatchObject([
      { path: '/1030/a/0', code: 'invalid-json' },
    ])
  })

  it('may be nested 1000 levels deep', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(parsePartialJson(nested(1000))).toMatchObject({ verdict: 'complete', diagnostics: [] })
    expect(parsePartialJson(nested(1001))).toMatchObject({
      verdict: 'invalid',
      diagnostics: [{ code: 'too-deep', detail: { position: 1000 } }],
    })
  })
})

describe('members', () => {
  it('that repeat a name replace the first one, in its place', () => {
    const text = '{"a":{"x":1},"b":2,"a":[3]}'
    expect(valuesOf(['{"a":{"x":1},"b":2,"a"', ':[', '3]}'])).toEqual([
      { a: { x: 1 }, b: 2 },
      { a: [], b: 2 },
      { a: [3], b: 2 },
    ])
    expect(JSON.stringify(parsePartialJson(text).value)).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('named __proto__ are own data', () => {
    for (const text of [
      '{"__proto__":{"polluted":1}}',
      `{${JSON.stringify(members(130)).slice(1, -1)},"__proto__":{"polluted":1}}`,
    ]) {
      const { value } = parsePartialJson(text)
      expect(JSON.stringify(value)).toBe(text)
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
    expect(
      valuesOf(['{"__proto__":{"a":"x', 'y', '"},"b":[', '1]}']).map((each) => JSON.stringify(each)),
    ).toEqual([
      '{"__proto__":{"a":"x"}}',
      '{"__proto__":{"a":"xy"}}',
      '{"__proto__":{"a":"xy"},"b":[]}',
      '{"__proto__":{"a":"xy"},"b":[1]}',
    ])
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('values of consecutive deltas', () => {
  it('share what did not change', () => {
    const [first, second] = valuesOf(['{"done":{"a":1},"open":["x', 'y']) as [
      { done: object; open: object },
      { done: object; open: object },
    ]
    expect(second.done).toBe(first.done)
    expect(second.open).not.toBe(first.open)
    expect(first).toEqual({ done: { a: 1 }, open: ['x'] })
  })

  it('are the same if nothing is added to them', () => {
    const machine: Machine<{ value?: unknown }, string, unknown> = partialJson()
    let { state } = machine.step(machine.initial, '{"a":"x')
    for (const piece of ['\\', 'u00', '', '\n']) {
      const next = machine.step(state, piece).state
      expect(next.value).toBe(state.value)
      state = next
    }
  })
})

describe('text that is not complete', () => {
  it.each<[string, string, number, string]>([
    ['', 'incomplete-json', 0, ''],
    [' {"a" ', 'incomplete-json', 6, '/a'],
    ['{"a":[1,-', 'incomplete-json', 9, '/a/1'],
    ['{"a":"\\u12', 'incomplete-json', 10, '/a'],
    ['{"a":1,}', 'invalid-json', 7, ''],
    ['{"a":[1 2]}', 'invalid-json', 8, '/a'],
    ['{"a":[01]}', 'invalid-json', 7, '/a'],
    ['{"a":1.}', 'invalid-json', 7, '/a'],
    ['{"a":"x\ty"}', 'invalid-json', 7, '/a'],
    ['{"a":"\\x"}', 'invalid-json', 7, '/a'],
    ['[nul]', 'invalid-json', 4, '/0'],
    ["{'a':1}", 'invalid-json', 1, ''],
    ['[1]]', 'invalid-json', 3, ''],
    ['[1}', 'invalid-json', 2, ''],
    ['\ufeff[]', 'invalid-json', 0, ''],
  ])('%j is %s at %d, path %j', (text, code, position, path) => {
    const { diagnostics, openPath, verdict } = parsePartialJson(text)
    expect(diagnostics).toMatchObject([{ code, path, detail: { position } }])
    expect(`${verdict}-json`).toBe(code)
    expect(openPath).toBe(verdict === 'invalid' ? null : path)
  })
})
