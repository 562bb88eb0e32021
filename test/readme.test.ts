// Proves that what the README and the other pages show is what is there, that their links lead somewhere, and that
// the README leaves out no export, kind or command.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createEmitter, eventKinds, eventSchemas } from 'agentwire'
import { encodeEvent } from 'agentwire/sse'
import { afterAll, describe, expect, it } from 'vitest'
import { chat } from '../examples/readme/client.ts'
import { decodeChunk } from '../examples/readme/machine.ts'
import { serve } from '../examples/readme/server.ts'
import packageJson from '../package.json' with { type: 'json' }
import { entryPoints, exportsOf } from '../scripts/entry-points.ts'
import { pages, renewed } from '../scripts/readme.ts'

const readme = readFileSync('README.md', 'utf8')

describe.each(pages)('%s', (page) => {
  const text = readFileSync(page, 'utf8')

  it('shows examples, exports and tables as they are', () => {
    expect(renewed(text)).toBe(text)
  })

  it('links to files and headings that are there', () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue
      const [path = '', heading] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      expect(existsSync(target), link).toBe(true)
      if (heading !== undefined) expect(headingsOf(readFileSync(target, 'utf8')), link).toContain(heading)
    }
  })
})

it.each(['readme', 'docs'])('examples/%s has nothing that no page shows', (folder) => {
  const shown = pages.map((page) => readFileSync(page, 'utf8')).join('')
  for (const file of readdirSync(`examples/${folder}`))
    expect(shown).toContain(`<!-- examples/${folder}/${file} -->`)
})

describe('the server and the client', () => {
  async function* model(): AsyncGenerator<string> {
    yield 'Let me <thin'
    yield 'king>two and two</thinking>see: '
    yield '4 🎉'
  }
  const server = serve(model)
  afterAll(() => void server.close())

  it('understand each other', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const shown = { speech: '', thought: '' }
    await chat(`http://127.0.0.1:${port}/`, (text, as) => {
      shown[as] += text
    })
    expect(shown).toEqual({ speech: 'Let me see: 4 🎉', thought: 'two and two' })
  })

  it.each(['server', 'client'])('the %s takes about twenty lines', (name) => {
    const lines = readFileSync(`examples/readme/${name}.ts`, 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
  })
})

it('goes on with a stored state, wherever the stream was cut', () => {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
  const event = emit({ kind: 'content-delta', delta: '4 🎉' })
  const bytes = new TextEncoder().encode(encodeEvent(event))
  for (let cut = 0; cut <= bytes.length; cut++) {
    const first = decodeChunk(bytes.subarray(0, cut))
    const rest = decodeChunk(bytes.subarray(cut), JSON.parse(JSON.stringify(first.state)))
    expect([...first.events, ...rest.events]).toEqual([event])
  }
})

it.each(eventKinds)('lists the fields of %s', (kind) => {
  const [, cell = ''] = new RegExp(`^\\| \`${kind}\` \\| [^|]* \\| (.*) \\|$`, 'm').exec(readme) ?? []
  const [fields = '', metadata] = cell.split('`metadata?`: ')
  const names = (text: string): string[] =>
    [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).sort()
  const { metadata: inner, ...shape } = shapeOf(eventSchemas[kind])
  const envelope = ['kind', 'timestamp']
  expect(names(fields)).toEqual(namesIn(shape).filter((name) => !envelope.includes(name)))
  expect(names(metadata ?? '')).toEqual(namesIn(inner === undefined ? {} : shapeOf(inner), false))
})

it.each(entryPoints)('lists every export of $name', ({ source }) => {
  const exported = exportsOf(source).map(({ name }) => name)
  expect(exported.length).toBeGreaterThan(3)
  const missing = exported.filter((name) => !new RegExp(`\`${name}(?:\`|\\()`).test(readme))
  expect(missing).toEqual([])
})

it('names commands that exist', () => {
  const scripts = Object.keys(packageJson.scripts)
  for (const [, command] of readme.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toContain(command)
})

interface Described {
  readonly _zod: {
    readonly def: {
      readonly type: string
      readonly innerType?: unknown
      readonly shape?: Readonly<Record<string, unknown>>
    }
  }
}

/** The fields a schema has a word for. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { innerType, shape = {} } = (schema as Described)._zod.def
  return innerType === undefined ? shape : shapeOf(innerType)
}

function namesIn(shape: Readonly<Record<string, unknown>>, isMarked = true): string[] {
  const isOptional = (schema: unknown): boolean => (schema as Described)._zod.def.type === 'optional'
  return Object.entries(shape)
    .map(([name, schema]) => (isMarked && isOptional(schema) ? `${name}?` : name))
    .sort()
}

/** What headings are called in links. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
