/** The command `turnstream conformance`. */
import type { Arguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { suggestion } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { writePrivate } from '../write-file.ts'
import { junitReport } from './junit.ts'
import { kitFolder, suitesFolder, versionWarning } from './kit.ts'
import { PeerError } from './peer.ts'
import { isMissing, Session, type SuiteResult } from './run-suite.ts'
import { type Level, levels, readCases, readManifest, type SuiteEntry } from './suites.ts'
import { failureList, headingRow, suiteRow, totalRow } from './table.ts'

const DEFAULT_TIMEOUT = 10_000

export const conformance: Command = {
  usage: '[options] -- <command> [arguments]',
  about:
    'Sends the cases of the conformance suites to a program, one line of JSON each, and compares its answers. The protocol and the suites are described in the README of the package turnstream-conformance, which has them.',
  examples: [
    ['-- python3 adapter.py', 'All suites of events'],
    ['--level must -- ./adapter', 'What every implementation needs'],
    ['--suite verify --suite fold -- ./adapter --fast', 'Two suites'],
    ['--junit report.xml -- ./adapter', 'A report for CI'],
  ],
  options: {
    suite: { type: 'string', multiple: true, value: 'ID', about: 'Run only this suite; may be repeated' },
    level: {
      type: 'string',
      value: 'LEVEL',
      about: 'Run suites up to this level: must, should or may (default)',
    },
    junit: { type: 'string', value: 'FILE', about: 'Also write a report as JUnit XML' },
    timeout: {
      type: 'string',
      value: 'MS',
      about: `Time for an answer in milliseconds (default ${DEFAULT_TIMEOUT})`,
    },
    formats: {
      type: 'boolean',
      about: 'Run the second kit: frames, session, AgentEvents, ToolEvents and A2A',
    },
    all: { type: 'boolean', about: 'List all failures, not only ten of each suite' },
    list: { type: 'boolean', about: 'List the suites and exit' },
    kit: { type: 'string', value: 'DIR', about: 'The folder of the cases (default: turnstream-conformance)' },
  },
  notes: [
    'Exit code: 0 if no case failed and all must suites were answered, 1 otherwise, 2 if the suites could not be run.',
  ],
  async run(args, terminal) {
    const both = kitFolder(args.options.kit as string | undefined)
    const kit = suitesFolder(both, args.options.formats === true)
    const all = await readManifest(kit)
    const warning = await versionWarning(both)
    if (warning !== undefined) terminal.err(`${warning}\n`)
    const suites = selected(all, args)
    const width = Math.max(...suites.map(({ id }) => id.length))
    if (args.options.list === true) {
      for (const { id, level, cases, about } of suites)
        terminal.out(`${id.padEnd(width)}  ${level.padEnd(6)}  ${String(cases).padStart(4)}  ${about}\n`)
      return 0
    }
    const [operand] = args.operands
    if (operand !== undefined) {
      throw new UsageError(`Unexpected argument ${operand}. Write the command after "--".`)
    }
    if (args.rest.length === 0) throw new UsageError('Expected a command after "--", got none.')
    const timeoutMs = timeoutIn(args)
    const session = new Session(args.rest, timeoutMs)
    const results: SuiteResult[] = []
    terminal.out(headingRow(width))
    try {
      for (const suite of suites) {
        const result = await session.run(suite, await readCases(suite, kit))
        results.push(result)
        if (!isGood(result)) terminal.endEarlyWith?.(1)
        terminal.out(suiteRow(result, width))
      }
    } catch (error) {
      if (error instanceof PeerError) throw new UsageError(error.message)
      throw error
    } finally {
      await session.close()
    }
    terminal.out(totalRow(results, width))
    terminal.out(failureList(results, args.options.all === true))
    if (typeof args.options.junit === 'string') await writePrivate(args.options.junit, junitReport(results))
    return results.every(isGood) ? 0 : 1
  },
}

/** Whether nothing failed, and nothing is unsupported that every implementation needs. */
function isGood(suite: SuiteResult): boolean {
  return suite.results.every((result) => result.outcome !== 'failed' && !isMissing(suite, result))
}

/** The suites that the options select. */
function selected(all: readonly SuiteEntry[], { options }: Arguments): readonly SuiteEntry[] {
  const { level = 'may', suite: ids } = options as { level?: string; suite?: readonly string[] }
  const most = levels.indexOf(level as Level)
  if (most < 0) throw new UsageError(`Expected --level ${levels.join(', ')}, got ${level}.`)
  for (const id of ids ?? []) {
    if (all.some((suite) => suite.id === id)) continue
    const known = all.map((suite) => suite.id)
    throw new UsageError(
      `Unknown suite ${id}.${suggestion(id, known) || ` Expected one of ${known.join(', ')}.`}`,
    )
  }
  const chosen = all.filter(({ id, level }) => levels.indexOf(level) <= most && (ids?.includes(id) ?? true))
  if (chosen.length === 0) throw new UsageError(`Expected a suite of level ${level}, got ${ids?.join(', ')}.`)
  return chosen
}

function timeoutIn({ options: { timeout } }: Arguments): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT
  const ms = Number(timeout)
  if (!Number.isInteger(ms) || ms < 1 || ms > 2 ** 31 - 1) {
    throw new UsageError(`Expected --timeout in milliseconds, an integer >= 1, got ${String(timeout)}.`)
  }
  return ms
}
