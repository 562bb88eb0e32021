/** `validateA2aEvent` and the specification, on items with one or two mutations. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { validateA2aEvent } from 'turnstream/a2a'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { a2aStreams } from '../../dialects/a2a/a2a-streams.ts'
import { type Material, mutated } from '../../schemas/documents.ts'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import { stepSeed } from '../step.ts'
import { pythonWithSdk } from './sdks.ts'

/** The number of items of each version. */
const ITEMS = 20_000

/**
 * Judges items by both. Throws when `validateA2aEvent` accepts what the specification rejects, or rejects for a reason
 * that it does not state what the specification accepts.
 */
export async function judge(lab: Lab, version: A2aVersion): Promise<string> {
  const seed = stepSeed()
  const numRuns = Number(process.env.FC_RUNS ?? ITEMS)
  const items = fc.sample(mutants(version), { numRuns, seed }).map((item) => JSON.stringify(item))
  const list = join(lab.temporary, `a2a-items-${version}.jsonl`)
  writeFileSync(list, items.join('\n'))
  const python = await pythonWithSdk(lab, version)
  const script = join(lab.root, `test/all/a2a/judge_v${version.replace('.', '_')}.py`)
  const verdicts = (await command(python, [script, list], { cwd: lab.temporary })).trim()
  const wrong: string[] = []
  let valid = 0
  for (const [i, text] of items.entries()) {
    const issues = validateA2aEvent(version, JSON.parse(text))
    const isAccepted = verdicts[i] === '1'
    if (isAccepted) valid++
    if (issues.length === 0 && !isAccepted) wrong.push(`accepts ${text}`)
    if (issues.length === 0 || !isAccepted) continue
    const found = issues.map(({ path, message }) => `${path}: ${message}`)
    const isStated = found.some((issue) => stricter[version].some((known) => known.test(issue)))
    if (!isStated) wrong.push(`rejects with ${found.join(' ')} ${text}`)
  }
  if (wrong.length > 0) throw new Error(`Seed ${seed}: ${wrong.length}\n${wrong.slice(0, 8).join('\n')}`)
  return `${numRuns} items, ${valid} of them valid by the specification`
}

/** Issues of items that the judge accepts, for rules that the types of an SDK do not have. */
const stricter: Readonly<Record<A2aVersion, readonly RegExp[]>> = {
  '0.3': [
    /Unexpected field/,
    /got null\./,
    /non-empty string, got ""/,
    // The SDK fills a missing kind in.
    /\/kind: (?:Missing|.*got (?:undefined|nothing))/,
    /\/parts\/\d+(?:\/file)?: Expected one of the allowed forms/,
    /array of at least 1, got 0/,
    /matches Base64/,
    /\/final: Expected (?:true|false) in state/,
    /Expected the role of the agent/,
  ],
  '1.0': [
    /got null\./,
    /non-empty string, got ""/,
    /\/parts\/\d+: Expected (?:one of the allowed forms|exactly one of text)/,
    // Numbers of an enum, and booleans in Python, where `True` is 1.
    /\/(?:state|role): .*got (?:-?\d+|true)\./,
    // A second member that is null.
    /: Expected exactly one member/,
    /matches Base64/,
    /\/timestamp: Expected/,
    /Expected a message in state auth-required/,
    /Expected the role of the agent/,
  ],
}

function mutants(version: A2aVersion): fc.Arbitrary<unknown> {
  const items = a2aStreams(version).chain(({ items, tasks }) =>
    fc.constantFrom(...items, ...tasks.slice(-1)).map((item) => JSON.parse(JSON.stringify(item)) as unknown),
  )
  const once = mutated(items, material)
  return fc.oneof(
    { weight: 1, arbitrary: items },
    { weight: 3, arbitrary: once },
    { weight: 1, arbitrary: mutated(once, material) },
  )
}

const states = ['working', 'completed', 'input-required', 'auth-required', 'rejected', 'cancelled', 'unknown']
const instants = [
  '2026-03-04T05:06:07Z',
  '2026-03-04T05:06:07',
  '2026-03-04T05:06:07+02:00',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '',
]
const parts = [
  { kind: 'text', text: 'x' },
  { text: 'x' },
  { raw: 'AAAA' },
  { raw: 'A' },
  { text: 'x', raw: 'AAAA' },
  {},
  { data: null },
  { url: '' },
]

/** What fields are replaced by: near misses of both versions, and values of other types. */
const material: Material = {
  keys: [
    'kind',
    'final',
    'append',
    'lastChunk',
    'name',
    'data',
    'text',
    'raw',
    'url',
    'message',
    'timestamp',
    'added',
  ],
  values: [null, true, false, '', 'text', 0, -1, 0.5, 2 ** 53, 1e300, [], [null], ['text'], [{}], {}],
  valuesOf: new Map<string, readonly unknown[]>([
    ['kind', ['task', 'message', 'status-update', 'artifact-update', 'text', 'file', 'data', 'Text', '']],
    [
      'state',
      [...states, ...states.map((state) => `TASK_STATE_${state.toUpperCase().replace('-', '_')}`), 2, ''],
    ],
    ['role', ['user', 'agent', 'ROLE_USER', 'ROLE_AGENT', 'ROLE_UNSPECIFIED', 'system', 1]],
    ['final', [true, false, null, 'true', 0]],
    ['append', [true, false, null, 'true', 0]],
    ['lastChunk', [true, false, null, 'true', 0]],
    ['timestamp', instants],
    ['parts', [[], null, ...parts.map((part) => [part])]],
    ['raw', ['AAAA', 'AAA', 'A', '+/+/', '-_-_', '====', 'AAAA\n', null, 1]],
    ['bytes', ['AAAA', 'AAA', 'A', '+/+/', '-_-_', '====', null, 1]],
    ['data', [null, [], {}, 'text', 1, { a: null }]],
    ['metadata', [null, [], {}, 'text', { a: null }]],
    ['artifacts', [[], null, [{}]]],
    ['history', [[], null, [{}]]],
    ['contextId', ['', null, 1]],
    ['taskId', ['', null, 1]],
    ['artifactId', ['', null, 1]],
    ['messageId', ['', null, 1]],
  ]),
}
