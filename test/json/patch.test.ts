// Proves JSON Patch with the shared test suite, JSON Merge Patch with the cases of its RFC, both with edge cases.
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyJsonPatch, applyMergePatch } from '../../src/json/index.ts'
import { casesOf } from '../support/conformance.ts'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'

type Patch = Parameters<typeof applyJsonPatch>[1]

interface SharedCase {
  readonly comment?: string
  readonly doc: unknown
  readonly patch: Patch
  readonly expected?: unknown
  readonly error?: string
  readonly disabled?: boolean
}

type Expected = { readonly value: unknown } | { readonly error: string; readonly operation: number }
const patches = casesOf<{ document: unknown; patch: Patch }, Expected>('json-patch')
const require = createRequire(import.meta.url)
/** The test suite shared by implementations. A case with `error` must be rejected. */
const shared = ['spec_tests', 'tests'].flatMap((file) => {
  const cases = require(`json-patch-test-suite/${file}.json`) as readonly SharedCase[]
  return cases
    .filter(({ patch, disabled }) => patch !== undefined && disabled !== true)
    .map((each, i) => ({ ...each, what: `${file} ${i} ${each.comment ?? each.error ?? ''}`.trimEnd() }))
})

const merges = casesOf<{ document: unknown; patch: unknown }, { value: unknown }>('merge-patch')

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

describe('JSON Patch', () => {
  it.each(patches)('$name', ({ input: { document, patch }, expected }) => {
    const patched = applyJsonPatch(freeze(document), freeze(patch))
    if ('error' in expected)
      expect(patched).toMatchObject({ ok: false, code: expected.error, operation: expected.operation })
    else expect(patched).toEqual({ ok: true, value: expected.value })
    expect({}).not.toHaveProperty('polluted')
  })

  it('runs the whole shared test suite', () => {
    expect(shared.length).toBeGreaterThanOrEqual(91)
  })

  it.each(shared)('$what', ({ doc, patch, error, ...rest }) => {
    const patched = applyJsonPatch(freeze(doc), freeze(patch))
    if (error !== undefined) expect(patched).toMatchObject({ ok: false })
    else if (Object.hasOwn(rest, 'expected')) expect(patched).toEqual({ ok: true, value: rest.expected })
    else expect(patched).toMatchObject({ ok: true })
  })

  it('treats __proto__ as an own member', () => {
    const value = JSON.parse('{"__proto__":1}') as unknown
    const patched = applyJsonPatch(value, [{ op: 'add', path: '/a', value: 2 }])
    expect(JSON.stringify(patched.ok && patched.value)).toBe('{"__proto__":1,"a":2}')
    const added = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: 1 }])
    expect(JSON.stringify(added.ok && added.value)).toBe('{"__proto__":1}')
  })

  it('shares unchanged parts', () => {
    const doc = { a: { b: 1 }, c: { d: 2 } }
    const patched = applyJsonPatch(doc, [{ op: 'replace', path: '/a/b', value: 3 }])
    expect(patched.ok && (patched.value as typeof doc).c).toBe(doc.c)
  })

  it('restores the document if an operation is followed by its inverse', () => {
    const json = fc.dictionary(fc.string({ maxLength: 3 }), jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
    fc.assert(
      fc.property(json, fc.string({ maxLength: 3 }), jsonValue(), (given, name, value) => {
        const doc = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
        fc.pre(!Object.hasOwn(doc, name))
        const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
        expect(
          applyJsonPatch(doc, [
            { op: 'add', path, value },
            { op: 'remove', path },
          ]),
        ).toEqual({ ok: true, value: doc })
      }),
      { numRuns: runs(300) },
    )
  })

  it('never throws for any patch', () => {
    const field = fc.oneof(fc.constantFrom('', '/a', '/a/0', '/-', '/a/b', 'x'), jsonValue({ maxDepth: 1 }))
    const operation = fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'odd'),
        path: field,
        from: field,
        value: jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(jsonValue({ maxDepth: 3 }), fc.array(operation, { maxLength: 5 }), (doc, patch) => {
        const before = structuredClone(doc)
        const patched = applyJsonPatch(doc, patch as unknown as Patch)
        expect(typeof patched.ok).toBe('boolean')
        expect(doc).toEqual(before)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('depth', () => {
  const nest = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  const path = '/a'.repeat(20_000)

  it('is limited, so that the stack does not overflow', () => {
    const deep = nest(20_000)
    for (const op of ['add', 'remove', 'replace', 'test', 'move', 'copy'] as const) {
      const patched = applyJsonPatch(deep, [{ op, path: op === 'copy' ? '/b' : path, from: path, value: 1 }])
      expect(patched).toMatchObject({ ok: false, code: 'too-deep' })
    }
    const test = applyJsonPatch({ a: deep }, [{ op: 'test', path: '/a', value: nest(20_000) }])
    expect(test).toMatchObject({ ok: false, code: 'test-failed' })
    expect(applyMergePatch(nest(20_000), deep)).toEqual({ ok: false, code: 'too-deep' })
  })
})

describe('JSON Merge Patch', () => {
  it.each(merges)('$name', ({ input: { document, patch }, expected: { value } }) => {
    expect(applyMergePatch(freeze(document), freeze(patch))).toEqual({ ok: true, value })
    expect({}).not.toHaveProperty('polluted')
  })

  it('shares unchanged parts', () => {
    const document = { a: { b: 1 }, c: { d: 2 } }
    const merge = (patch: unknown): unknown => {
      const patched = applyMergePatch(document, patch)
      return patched.ok && patched.value
    }
    const changed = merge({ a: { b: 2 }, c: {} }) as typeof document
    expect(changed).toEqual({ a: { b: 2 }, c: { d: 2 } })
    expect(changed.c).toBe(document.c)
    for (const patch of [{}, { a: { b: 1 } }, { x: null, a: { x: null } }])
      expect(merge(patch)).toBe(document)
  })

  it('processes large patches in linear time', () => {
    const patch = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`member ${n}`, n]))
    expect(applyMergePatch({}, patch)).toEqual({ ok: true, value: patch })
    const none = Object.fromEntries(Object.keys(patch).map((name) => [name, null]))
    expect(applyMergePatch(patch, none)).toEqual({ ok: true, value: {} })
  })
})
