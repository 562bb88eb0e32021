// Proves that the binary lists its commands, helps in 80 columns, and suggests what was meant.
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { commands } from '../../src/cli/commands.ts'
import { nearest } from '../../src/cli/nearest.ts'
import { run, shell } from './run.ts'

describe('the binary', () => {
  it.each([['--help'], ['-h'], ['help']])('lists its commands with %s', async (flag) => {
    const { code, out, err } = await run(flag)
    expect([code, err]).toEqual([0, ''])
    for (const { name, summary } of commands)
      expect(out).toMatch(new RegExp(`^ {2}${name} +${summary}$`, 'm'))
  })

  it('lists them without arguments too, which is an error', async () => {
    expect(await run()).toEqual({ ...(await run('--help')), code: 2 })
  })

  it('helps with a command', async () => {
    expect(await run('help', 'inspect')).toEqual(await run('inspect', '--help'))
    expect((await run('help', 'inspct')).err).toContain('Did you mean inspect?')
  })

  it('shows its version', async () => {
    const version = { code: 0, out: `${packageJson.version}\n`, err: '' }
    expect([await run('--version'), await run('-v')]).toEqual([version, version])
  })

  it.each([
    ['conformence', ' Did you mean conformance?'],
    ['frobnicate', ''],
    ['--quiet', ''],
    ['--versoin', ' Did you mean --version?'],
    ['-V', ' Did you mean --version?'],
    ['INSPECT', ' Did you mean inspect?'],
  ])('refuses the command %s', async (name, hint) => {
    const { code, out, err } = await run(name)
    expect([code, out]).toEqual([2, ''])
    expect(err).toBe(
      `turnstream: Unknown ${name.startsWith('-') ? 'option' : 'command'} ${name}.${hint}\nRun "turnstream --help" for the commands.\n`,
    )
  })

  it('runs as a program, also if its reader closes early', () => {
    const whole = shell('turnstream conformance --list')
    expect([whole.status, whole.stderr]).toEqual([0, ''])
    const closed = shell('turnstream conformance --list | head -n 1')
    expect(closed.stderr).toBe('')
    expect(closed.stdout).toBe(`${whole.stdout.split('\n')[0]}\n`)
  })
})

describe.each(commands)('the help of $name', async ({ name }) => {
  const { code, out } = await run(name, '--help')
  const lines = out.split('\n')

  it('has at most 80 columns', () => {
    expect(code).toBe(0)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  it('begins with examples', () => {
    expect(lines[0]).toBe('Examples:')
    expect(out).toMatch(new RegExp(`^ {2}turnstream ${name} `, 'm'))
  })

  it('names every option', () => {
    const { command } = commands.find((each) => each.name === name) ?? {}
    for (const option of Object.keys(command?.options ?? {}))
      expect(out).toMatch(new RegExp(`^ {2}(?:-\\w, )?--${option} `, 'm'))
  })
})

describe('nearest', () => {
  it.each([
    ['--suit', '--suite'],
    ['--jnuit', '--junit'],
    ['--time', '--timeout'],
    ['--sui', '--suite'],
    ['--SUITE', '--suite'],
    ['-t', '--timeout'],
    ['--x', undefined],
    ['', undefined],
  ])('of %j is %j', (name, expected) => {
    expect(nearest(name, ['--suite', '--junit', '--timeout'])).toBe(expected)
  })
})
