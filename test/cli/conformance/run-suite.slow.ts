// Proves that the runner detects wrong, missing and invalid answers, crashes and hangs, and that it always ends.
import { describe, expect, it } from 'vitest'
import { StartError } from '../../../src/cli/conformance/peer.ts'
import { type CaseResult, Session } from '../../../src/cli/conformance/run-suite.ts'
import type { Case, SuiteEntry } from '../../../src/cli/conformance/suites.ts'
import { program } from './program.ts'

const suite: SuiteEntry = { id: 'echo', level: 'must', about: '', files: [], cases: 0, sha256: '' }
const caseOf = (name: string, input: unknown = { n: 1 }): Case => ({ name, input, expected: input })
const three = [caseOf('first'), caseOf('second', [1, { a: null }]), caseOf('third', 'é🙂\u2028')]

async function outcomes(command: readonly string[], cases: readonly Case[] = three, timeoutMs = 20_000) {
  const session = new Session(command, timeoutMs)
  try {
    const { results } = await session.run(suite, cases)
    return results.map(({ name, outcome }) => `${name} ${outcome}`)
  } finally {
    await session.close()
  }
}

async function reasonsOf(command: readonly string[], timeoutMs?: number): Promise<string> {
  const session = new Session(command, timeoutMs ?? 20_000)
  const { results } = await session.run(suite, [caseOf('only')])
  await session.close()
  return (results[0] as CaseResult).reasons?.join('\n') ?? ''
}

const echo = '({ name, input }) => ({ name, output: input })'
/** Answers all but the second case. */
const except = (second: string): string =>
  `(each, line) => each.name === 'second' ? ${second} : (${echo})(each)`

describe('a command', () => {
  it('passes if it gives what is expected', async () => {
    expect(await outcomes(program(echo))).toEqual(['first passed', 'second passed', 'third passed'])
  })

  it.each<[what: string, second: string, reason: RegExp]>([
    ['a wrong answer', '({ name: each.name, output: [1, { a: 2 }] })', /^\/1\/a: expected null, got 2$/],
    [
      'a member too many',
      '({ name: each.name, output: [1, { a: null, b: 1 }] })',
      /^\/1\/b: expected nothing, got 1$/,
    ],
    ['a member too few', '({ name: each.name, output: [1, {}] })', /^\/1\/a: expected null, got nothing$/],
    [
      'an item too many',
      '({ name: each.name, output: [1, { a: null }, 2] })',
      /^\/2: expected nothing, got 2$/,
    ],
    [
      'an object instead of an array',
      '({ name: each.name, output: { 0: 1, 1: { a: null } } })',
      /^the output: expected/,
    ],
    ['an answer without an output', '({ name: each.name })', /^Expected "output"/],
    ['the answer of another case', "({ name: 'first', output: 1 })", /^Expected the answer of "second", got/],
    ['text that is not JSON', "'Traceback: oops'", /^Expected a line of JSON, got Traceback: oops$/],
    ['JSON that is no answer', "'null'", /^Expected the answer of/],
    ['nothing, and exits', 'process.exit(7)', /^The command exited with code 7 before it answered\.$/],
    ['nothing, and is killed', "process.kill(process.pid, 'SIGTERM')", /^The command was ended by SIGTERM/],
  ])('fails the case for which it gives %s, and no other', async (_, second, reason) => {
    const session = new Session(program(except(second)), 20_000)
    const { results } = await session.run(suite, three)
    await session.close()
    expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'passed'])
    expect(results[1]?.reasons?.[0]).toMatch(reason)
  })

  it('fails the case that it does not answer in time, and is started again', async () => {
    // The first process hangs; the time is enough for the next one to start.
    const command = program(except('undefined'))
    expect(await outcomes(command, three, 1500)).toEqual(['first passed', 'second failed', 'third passed'])
  })

  it('may not support a case', async () => {
    const command = program(except('({ name: each.name, unsupported: true })'))
    expect(await outcomes(command)).toEqual(['first passed', 'second unsupported', 'third passed'])
  })

  it('may leave out half surrogate pairs', async () => {
    const inputs = ['\ud83d', 'a\udc00', '🙂', '\\ud83d', '\\\ud83d']
    const cases = inputs.map((input, n) => caseOf(`case ${n}`, input))
    const session = new Session(program('({ name }) => ({ name, unsupported: true })'), 20_000)
    const { results } = await session.run(suite, cases)
    await session.close()
    expect(results.map(({ optional = false }) => optional)).toEqual([true, true, false, false, true])
  })

  it('is shown with the end of its standard error', async () => {
    const command = program('() => process.exit(3)', "console.error('x'.repeat(5000) + ' the last line')")
    const reasons = await reasonsOf(command)
    expect(reasons).toMatch(/^The command exited with code 3/)
    expect(reasons).toMatch(/ the last line$/)
    expect(reasons.length).toBeLessThan(2200)
  })

  it('is started only a few times if it never answers', async () => {
    const cases = Array.from({ length: 40 }, (_, n) => caseOf(`case ${n}`))
    const session = new Session([process.execPath, '-e', 'process.exit(1)'], 20_000)
    const { results } = await session.run(suite, cases)
    await session.close()
    expect(results.map(({ outcome }) => outcome)).toEqual(cases.map(() => 'failed'))
    const started = results.filter(({ reasons }) => reasons?.[0]?.includes('exited'))
    expect(started).toHaveLength(10)
    expect(results.at(-1)?.reasons?.[0]).toMatch(/^Not run/)
  })

  it('is not compared with an answer that is far too large', async () => {
    const wide = 'Object.fromEntries(Array.from({ length: 3e5 }, (_, n) => ["k".concat(n), n]))'
    const reasons = await reasonsOf(program(`({ name }) => ({ name, output: ${wide} })`))
    expect(reasons).toMatch(/^The command wrote a line of more than 1048576 characters\.$/)
  })

  it('may not answer in time a few times only, also between other answers', async () => {
    const cases = Array.from({ length: 30 }, (_, n) => caseOf(`case ${n}`))
    const isSlow = 'Number(each.name.slice(5)) % 2 === 1'
    const command = program(`(each, line) => ${isSlow} ? undefined : (${echo})(each)`)
    const session = new Session(command, 400)
    const { results } = await session.run(suite, cases)
    await session.close()
    expect(results.filter(({ reasons }) => reasons?.[0]?.includes('within')).length).toBeLessThanOrEqual(10)
    expect(results.at(-1)?.outcome).toBe('failed')
    expect(results.at(-1)?.reasons?.[0]).toMatch(/^Not run/)
  })

  it('that writes a line too many fails the next case, which shows the line', async () => {
    const command = program("({ name, input }) => JSON.stringify({ name, output: input }) + '\\nDone.'")
    const session = new Session(command, 20_000)
    const { results } = await session.run(suite, three)
    await session.close()
    expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'passed'])
    expect(results[1]?.reasons).toEqual(['Expected one line for each case, got another one: Done.'])
  })

  it.each([
    ['arrays', "'['.repeat(n) + ']'.repeat(n)"],
    ['objects', "'{\"a\":'.repeat(n) + 1 + '}'.repeat(n)"],
  ])('may answer with %s that are nested deeper than a stack', async (_, deep) => {
    const command = program(
      `({ name }) => { const n = 100_000; return '{"name":' + JSON.stringify(name) + ',"output":' + ${deep} + '}' }`,
    )
    const session = new Session(command, 20_000)
    const { results } = await session.run(suite, three)
    await session.close()
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed'])
    expect(results[0]?.reasons?.join('')).toMatch(/nested too deeply/)
  })

  it('that answers in many pieces causes no warning', async () => {
    const warnings: Error[] = []
    const listener = (warning: Error): number => warnings.push(warning)
    process.on('warning', listener)
    const command = program("({ name }) => ({ name, output: 'x'.repeat(2 ** 22) })")
    expect(await outcomes(command)).toEqual(['first failed', 'second failed', 'third failed'])
    process.off('warning', listener)
    expect(warnings).toEqual([])
  })

  it('that does not exist is an error', async () => {
    await expect(reasonsOf(['./no-such-command'])).rejects.toThrow(StartError)
  })

  it('that writes a line without an end is stopped', async () => {
    const command = program(
      "() => { const write = () => process.stdout.write('x'.repeat(2 ** 20), write); write() }",
    )
    expect(await reasonsOf(command)).toMatch(/^The command wrote a line of more than 1048576 characters\.$/)
  })

  it('that stays after the end of its input is ended', async () => {
    expect(await outcomes(program(echo, 'setInterval(() => {}, 1000)'), three, 1500)).toHaveLength(3)
  })
})
