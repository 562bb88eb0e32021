// Proves that this implementation passes every case of the conformance kit, and that the kit is complete and in order.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import Ajv from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { CONFORMANCE, generatedFiles } from '../../scripts/conformance/files.ts'
import { kits } from '../../scripts/conformance/suites.ts'
import { kitFolder, suitesFolder } from '../../src/cli/conformance/kit.ts'
import { readCases, readManifest } from '../../src/cli/conformance/suites.ts'
import { eventRules } from '../../src/streams/index.ts'
import type { View, ViewDiagnosticCode } from '../../src/streams/view/view.ts'
import { casesOf } from '../support/conformance.ts'
import { handlers } from './adapter/index.ts'

const folders = ['', 'formats/'] as const
const manifests = await Promise.all(
  folders.map(async (folder) => {
    const url = suitesFolder(kitFolder(), folder === 'formats/')
    return { folder, url, suites: await readManifest(url) }
  }),
)
const all = manifests.flatMap(({ folder, url, suites }) =>
  suites.map((suite) => [suite.id, { suite, folder, url }] as const),
)

describe.each(all)('%s', async (id, { suite, folder, url }) => {
  const cases = await readCases(suite, url)

  it.each(cases)('$name', async ({ input, expected }) => {
    const before = JSON.stringify(input)
    const output = await handlers[id]?.(input as never)
    expect(JSON.parse(JSON.stringify(output))).toEqual(expected)
    expect(JSON.stringify(input)).toBe(before)
  })

  it('has cases with names of their own', () => {
    expect(cases.length).toBe(suite.cases)
    expect(cases.length).toBeGreaterThan(0)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })

  it('has the digest of the manifest', () => {
    const texts = suite.files.map((file) => readFileSync(CONFORMANCE + folder + file, 'utf8'))
    expect(createHash('sha256').update(texts.join('')).digest('hex')).toBe(suite.sha256)
  })
})

describe('the kit', () => {
  const files = readdirSync(CONFORMANCE, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) =>
      `${file.parentPath.replaceAll('\\', '/').replace(/\/?$/, '/')}${file.name}`.replace(CONFORMANCE, ''),
    )

  it('has generated files that are up to date', () => {
    for (const [path, text] of generatedFiles())
      expect(readFileSync(CONFORMANCE + path, 'utf8') === text, `conformance/${path}: npm run gen`).toBe(true)
  })

  it('lists every file', () => {
    const others = ['FOLDING.md', 'LICENSE', 'package.json', 'rules.json', 'view.schema.json']
    others.push(...folders.flatMap((folder) => [`${folder}README.md`, `${folder}manifest.json`]))
    const listed = [
      ...all.flatMap(([, { suite, folder }]) => suite.files.map((file) => folder + file)),
      ...others,
    ]
    expect(files.sort()).toEqual(listed.sort())
    expect(manifests.map(({ folder, suites }) => [folder, suites.map(({ id }) => id)])).toEqual(
      kits.map(({ folder, suites }) => [folder, suites.map(({ id }) => id)]),
    )
    expect(new Set(all.map(([id]) => id)).size).toBe(all.length)
  })

  it('has a schema that every view of a case matches', async () => {
    const validate = new Ajv({ strict: false, logger: false, code: { optimize: false } }).compile(
      JSON.parse(readFileSync(`${CONFORMANCE}view.schema.json`, 'utf8')),
    )
    for (const { name, expected } of casesOf<unknown, View>('fold')) {
      const diagnostics = expected.diagnostics.map((each) => ({ ...each, message: '' }))
      expect([name, validate({ ...expected, diagnostics }), validate.errors]).toEqual([name, true, null])
    }
    expect(validate({ contextId: null, tasks: [{ taskId: 't' }], artifacts: [], diagnostics: [] })).toBe(
      false,
    )
  })

  it.each(manifests)('has a section of $folder for every suite', ({ folder, suites }) => {
    const readme = readFileSync(`${CONFORMANCE}${folder}README.md`, 'utf8')
    const sections = [...readme.matchAll(/^### (.+)$/gm)].flatMap(([, title = '']) => title.split(', '))
    expect(sections).toEqual(suites.map(({ id }) => id))
  })

  it('takes at most 150 KB, compressed', () => {
    const text = files.map((file) => readFileSync(CONFORMANCE + file, 'utf8')).join('')
    expect(gzipSync(text).length).toBeLessThanOrEqual(150_000)
  })

  it('has compact JSON lines', () => {
    for (const file of files.filter((path) => path.endsWith('.jsonl'))) {
      const lines = readFileSync(CONFORMANCE + file, 'utf8').split('\n')
      expect(lines.pop()).toBe('')
      for (const line of lines) expect(JSON.stringify(JSON.parse(line))).toBe(line)
    }
  })
})

describe('the suite verify', () => {
  it('breaks every rule that can be checked, and lists them', () => {
    const checked = eventRules.filter(({ checkedBy }) => checkedBy !== 'none').map(({ rule }) => rule)
    expect(casesOf('verify/rules').map(({ name }) => name)).toEqual(checked)
    const listed = JSON.parse(readFileSync(`${CONFORMANCE}rules.json`, 'utf8')) as {
      rule: string
      case?: string
    }[]
    expect(listed.map(({ rule }) => rule)).toEqual(eventRules.map(({ rule }) => rule))
    expect(listed.flatMap((rule) => rule.case ?? [])).toEqual(checked)
  })

  it('has at least 30 legal streams, which break no rule in any mode', () => {
    const legal = casesOf('verify/legal')
    expect(legal.length).toBeGreaterThanOrEqual(30)
    for (const { expected } of legal) expect(expected).toEqual({ strict: [], standard: [], lenient: [] })
  })

  it('has streams that break several rules', () => {
    const several = casesOf<unknown, { strict: { rule: string }[] }>('verify/several')
    const rules = several.map(({ expected }) => new Set(expected.strict.map(({ rule }) => rule)).size)
    expect(rules.filter((count) => count > 1).length).toBeGreaterThan(5)
  })
})

it('the suite fold has a case for every diagnostic', () => {
  // Only a view without the code for patches ignores them.
  const codes: Record<Exclude<ViewDiagnosticCode, 'patch-ignored'>, true> = {
    'after-end': true,
    'bad-base64': true,
    'content-mismatch': true,
    'digest-mismatch': true,
    'incomplete-write': true,
    'abandoned-write': true,
    'patch-failed': true,
    'started-call': true,
    'too-many-streams': true,
    'unknown-artifact': true,
    'version-conflict': true,
    'wrong-type': true,
    gap: true,
    repeated: true,
  }
  const views = casesOf<unknown, { diagnostics: { code: string }[] }>('fold')
  const found = new Set(views.flatMap(({ expected }) => expected.diagnostics.map(({ code }) => code)))
  expect([...found].sort()).toEqual(Object.keys(codes).sort())
})
