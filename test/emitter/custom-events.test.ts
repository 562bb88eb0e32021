// Custom events: typed by declaration, validated by the application, kept as they are everywhere else.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { createEmitter, decodeEvent } from 'turnstream'
import { emptyView, foldEvent, taskOf } from 'turnstream/streams'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { EmitterOptions } from '../../src/emitter/emitter.ts'
import tsconfig from '../../tsconfig.json' with { type: 'json' }
import { jsonValue } from '../support/json.ts'

const options: EmitterOptions = {
  contextId: 'ctx-1',
  taskId: 'task-1',
  now: () => '2026-03-14T08:00:00Z',
  custom: { 'acme.citation': z.object({ url: z.url(), at: z.array(z.number()).optional() }) },
}

describe('emit', () => {
  const { emit } = createEmitter(options)

  it('emits data that passes its validator, as given', () => {
    const data = { url: 'https://example.com', extra: 1 }
    expect(emit({ kind: 'custom', name: 'acme.citation', data })).toMatchObject({ data })
  })

  it('refuses data that fails its validator, with the path of each fault', () => {
    const wrong = { kind: 'custom', name: 'acme.citation', data: { url: 'x', at: [1, 'two'] } } as const
    expect(() => emit(wrong)).toThrow(TypeError)
    expect(() => emit(wrong)).toThrow(
      /^Invalid custom event "acme.citation"\. \/data\/url: .*\/data\/at\/1: /,
    )
  })

  it('emits any JSON under a name without a validator', () => {
    fc.assert(
      fc.property(jsonValue(), (data) => {
        expect(emit({ kind: 'custom', name: 'acme.other', data })).toMatchObject({ data })
      }),
    )
  })

  it.each([
    ['without data', { name: 'acme.other' }],
    ['with data that JSON leaves out', { name: 'acme.other', data: undefined }],
    ['without a namespace', { name: 'other', data: null }],
    ['with an empty part of the name', { name: 'acme.', data: null }],
    ['with a name that inherits', { name: '__proto__', data: null }],
  ])('refuses a draft %s', (_, fields) => {
    expect(() => emit({ kind: 'custom', ...fields } as never)).toThrow(TypeError)
  })

  it('validates in subtasks too', () => {
    const { emit: emitInChild } = createEmitter(options).child({ taskId: 'task-2' })
    expect(() => emitInChild({ kind: 'custom', name: 'acme.citation', data: 1 })).toThrow('acme.citation')
  })

  it('refuses a validator that returns a promise, also a rejected one', () => {
    const validate = () => Promise.reject(new Error('late'))
    const slow = { '~standard': { version: 1, vendor: 'test', validate } } as const
    const { emit: emitSlow } = createEmitter({ ...options, custom: { 'acme.slow': slow } })
    const draft = { kind: 'custom', name: 'acme.slow', data: 'x' } as const
    expect(() => emitSlow(draft)).toThrow('"custom["acme.slow"]" must validate synchronously, got a promise.')
  })

  it.each([[null], ['x'], [{ 'acme.x': null }], [{ 'acme.x': () => true }]])(
    'refuses validators %o',
    (custom) => {
      expect(() => createEmitter({ ...options, custom: custom as never })).toThrow(/^"custom/)
    },
  )
})

describe('decodeEvent', () => {
  it('keeps any data', () => {
    fc.assert(
      fc.property(jsonValue(), (data) => {
        const { emit } = createEmitter(options)
        const event = JSON.parse(JSON.stringify(emit({ kind: 'custom', name: 'acme.other', data })))
        expect(decodeEvent(event)).toEqual({ status: 'known', event })
      }),
    )
  })
})

describe('foldEvent', () => {
  const { emit } = createEmitter(options)
  const marker = (customId: string | undefined, data: string, more = {}) =>
    emit({
      kind: 'custom',
      name: 'acme.marker',
      data,
      ...(customId === undefined ? {} : { customId }),
      ...more,
    })
  const shown = (events: readonly ReturnType<typeof marker>[]) => {
    const task = taskOf(events.reduce(foldEvent, emptyView), 'task-1')
    return (task?.parts ?? []).map((part) => 'data' in part && part.data)
  }

  it('shows the latest event of each id in the place of its first one', () => {
    const ids = fc.array(fc.option(fc.constantFrom('a', 'b', 'c', '__proto__'), { nil: undefined }))
    fc.assert(
      fc.property(ids, (customIds) => {
        const expected: { id: string | undefined; data: string }[] = []
        const events = customIds.map((id, i) => {
          const known = expected.find((part) => id !== undefined && part.id === id)
          if (known === undefined) expected.push({ id, data: String(i) })
          else known.data = String(i)
          return marker(id, String(i))
        })
        expect(shown(events)).toEqual(expected.map(({ data }) => data))
      }),
    )
  })

  it('leaves out transient events', () => {
    expect(shown([marker('a', '1'), marker('a', '2', { transient: true }), marker('b', '3')])).toEqual([
      '1',
      '3',
    ])
  })
})

/** The compiler's messages for modules that use the library, by name. */
function compile(modules: Readonly<Record<string, string>>): Record<string, string[]> {
  const sources = new Map(
    Object.entries(modules).map(([name, text]) => [`${process.cwd()}/${name}.virtual.ts`, text]),
  )
  const { options: compilerOptions } = ts.convertCompilerOptionsFromJson(
    { ...tsconfig.compilerOptions, noEmit: true, types: [], incremental: false, isolatedDeclarations: false },
    process.cwd(),
  )
  const host = ts.createCompilerHost(compilerOptions)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (file) => sources.has(file) || fileExists(file)
  host.readFile = (file) => sources.get(file) ?? readFile(file)
  host.getSourceFile = (file, languageVersion) => {
    const text = sources.get(file)
    return text === undefined
      ? getSourceFile(file, languageVersion)
      : ts.createSourceFile(file, text, languageVersion)
  }
  const program = ts.createProgram([...sources.keys()], compilerOptions, host)
  const messagesOf = (name: string) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(`${process.cwd()}/${name}.virtual.ts`))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  return Object.fromEntries(Object.keys(modules).map((name) => [name, messagesOf(name)]))
}

describe('docs/custom-events.md', () => {
  const page = readFileSync('docs/custom-events.md', 'utf8')
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? '')
  const emits = (draft: string) => `
    import { createEmitter } from 'turnstream'
    createEmitter({ contextId: 'c', taskId: 't' }).emit(${draft})`
  const messages = compile({
    page: blocks.join('\n'),
    right: emits("{ kind: 'custom', name: 'acme.price', data: { amount: 1, currency: 'EUR' } }"),
    undeclared: emits("{ kind: 'custom', name: 'acme.pirce', data: { amount: 1, currency: 'EUR' } }"),
    other: emits("{ kind: 'custom', name: 'acme.price', data: { url: '', title: '' } }"),
    missing: emits("{ kind: 'custom', name: 'acme.price' }"),
  })

  it.each(['page', 'right'])('the compiler accepts %s', (module) => {
    expect(blocks).toHaveLength(3)
    expect(messages[module]).toEqual([])
  })

  it.each(['undeclared', 'other', 'missing'])('the compiler refuses a name or data that is %s', (module) => {
    expect(messages[module]?.length).toBeGreaterThan(0)
  })
})
