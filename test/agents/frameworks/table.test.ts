// Proves that each function in the table of docs/frameworks.md exists, and has tests.

import { readdirSync, readFileSync } from 'node:fs'
import * as a2a from 'turnstream/a2a'
import * as acp from 'turnstream/acp'
import * as agUi from 'turnstream/ag-ui'
import * as agentEvent from 'turnstream/agent-event'
import * as agents from 'turnstream/agents'
import * as aiSdk from 'turnstream/ai-sdk'
import * as frames from 'turnstream/frames'
import * as looopy from 'turnstream/looopy'
import * as mcp from 'turnstream/mcp'
import * as providers from 'turnstream/providers'
import * as session from 'turnstream/session'
import { expect, it } from 'vitest'

const [, table = ''] =
  /\| who speaks .*\n\| --- .*\n((?:\|.*\n)+)/.exec(readFileSync('docs/frameworks.md', 'utf8')) ?? []
const functions = [
  ...new Set([...table.matchAll(/`((?:from)?[a-zA-Z0-9]+)`(?=[^|]*\| \d)/g)].map(([, name = '']) => name)),
]

/** The entry points whose functions the table names. */
const entries: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  providers,
  agents,
  acp,
  'ai-sdk': aiSdk,
  'ag-ui': agUi,
  a2a,
  mcp,
  frames,
  'agent-event': agentEvent,
  session,
  looopy,
}
const entryOf = (name: string): [string, Readonly<Record<string, unknown>>] | undefined =>
  Object.entries(entries).find(([, exported]) => name in exported)

const tests = ['test/acp', 'test/agents', 'test/mcp', 'test/providers', 'test/dialects']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('table.test.ts'))
  .map((file) => readFileSync(file, 'utf8'))

it.each(functions)('%s', (name) => {
  expect(entryOf(name)?.[1][name]).toBeTypeOf('function')
  expect(tests.some((test) => test.includes(`${name}(`) || test.includes(`, ${name}`))).toBe(true)
})

it('has all readers of models and frameworks', () => {
  const readers = [
    ...Object.keys(providers),
    ...Object.keys(agents).filter((name) => name.startsWith('from')),
  ]
  expect(readers.filter((name) => name !== 'modelTurn' && !functions.includes(name))).toEqual([])
})

/** The lines of the body of a function, without blank ones. */
const linesOf = (text: string, name: string): number => {
  const [, body = ''] =
    new RegExp(`^export .*function\\*? ${name}\\([^]*?\\{\\n((?:  .*\\n|\\n)+)\\}\\n`, 'm').exec(text) ?? []
  return body.split('\n').filter((line) => line.trim() !== '').length
}

/** Each function of the table, and its lines. */
const rows = [...table.matchAll(/^\|.*\| \[?`(\w+)`[^|]*\| (\d+) \|$/gm)].map(([, name = '', lines]) => {
  return [name, Number(lines)] as const
})

it('has as many lines as each takes', () => {
  const text = readFileSync('examples/frameworks.ts', 'utf8')
  const counted = rows.map(([name]) => {
    return [name, linesOf(text, `with${name.charAt(0).toUpperCase()}${name.slice(1)}`)] as const
  })
  expect(rows.length).toBe(table.trim().split('\n').length)
  expect(rows).toEqual(counted)
})

it('has the entry points and the lines that the table of the README has', () => {
  const [, short = ''] =
    /\| who speaks .*\n\| --- .*\n((?:\|.*\n)+)/.exec(readFileSync('README.md', 'utf8')) ?? []
  const linked = (row: string): string[] =>
    [...row.matchAll(/\[`(?:turnstream\/)?([\w-]+)`\]\(docs\//g)].map(([, entry = '']) => entry)
  const ranges = short
    .trim()
    .split('\n')
    .map((row) => {
      const counts = rows.flatMap(([name, count]) =>
        linked(row).includes(entryOf(name)?.[0] ?? '') ? [count] : [],
      )
      const [least, most] = [Math.min(...counts), Math.max(...counts)]
      return [row, least === most ? `${least}` : `${least}–${most}`]
    })
  expect(ranges.map(([row = '']) => /\| ([\d–]+) \|$/.exec(row)?.[1])).toEqual(
    ranges.map(([, range]) => range),
  )
  expect(Object.keys(entries).filter((entry) => !linked(short).includes(entry))).toEqual([])
})

it('has readers of frameworks of at most 150 lines a file, without comments', () => {
  const folder = 'src/agents/frameworks'
  const long = readdirSync(folder).flatMap((file) => {
    const lines = readFileSync(`${folder}/${file}`, 'utf8').split('\n')
    const code = lines.filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length
    return code > 150 ? [`${file}: ${code}`] : []
  })
  expect(long).toEqual([])
})
