/** The command `turnstream validate`. */
import { rulesFor } from '../../inspect/check/checker.ts'
import type { Finding, Severity } from '../../inspect/check/finding.ts'
import type { Detection } from '../../inspect/detect/detect.ts'
import { recordingInspector } from '../../inspect/report/inspector.ts'
import type { Arguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { suggestion } from '../nearest.ts'
import { inputOf } from '../recording/input.ts'
import { NAME_FORMAT, requireKnown } from '../recording/known.ts'
import {
  choiceIn,
  colorOptions,
  dialectIn,
  formatNote,
  fromOption,
  modeIn,
  modeOption,
  styleIn,
} from '../recording/options.ts'
import { Output } from '../recording/output.ts'
import { withProgress } from '../recording/progress.ts'
import { UsageError } from '../usage-error.ts'
import { type Findings, severities } from './findings.ts'
import { formats } from './formats.ts'
import { findingLine } from './text.ts'

/** More findings are only counted by the formats that are one document. */
const MAX_FINDINGS = 10_000
export const validate: Command = {
  usage: '<file> [options]',
  about:
    'Checks a recording against the rules of its format; of a format that has none, what it is read as. Reports each fault with its line, and what was expected.',
  examples: [
    ['run.sse', 'All rules'],
    ['run.jsonl --format sarif > report.sarif', 'A report for code scanning'],
    ['- --format junit --fail-on warn', 'Warnings fail as well'],
    ['run.sse --rule timestamps=off --rule step-ends=warn', 'Other severities'],
  ],
  options: {
    ...fromOption,
    format: { type: 'string', value: 'FORMAT', about: 'Of the report: text (default), json, sarif or junit' },
    'fail-on': {
      type: 'string',
      value: 'LEVEL',
      about: 'Exit with 1 from this severity on: error (default), warn, info or never',
    },
    rule: {
      type: 'string',
      multiple: true,
      value: 'NAME=LEVEL',
      about: 'The severity of a rule or code: error, warn, info or off; may be repeated',
    },
    ...modeOption,
    ...colorOptions,
  },
  notes: [
    formatNote,
    'Reports quote short values of fields that break a rule: they may hold what is secret in the recording.',
    'Exit codes: 0 without findings, 1 with findings from --fail-on on, 2 if the recording cannot be read or the call is wrong.',
  ],
  async run(args, terminal) {
    const from = dialectIn(args, 'from')
    const format = choiceIn(args, 'format', ['text', 'json', 'sarif', 'junit'])
    const failOn = choiceIn(args, 'fail-on', ['error', 'warn', 'info', 'never'])
    const failing = failOn === 'never' ? [] : severities.slice(0, severities.indexOf(failOn) + 1)
    const changed = changedSeverities(args)
    const input = await inputOf(args)
    const style = styleIn(args, terminal)
    const found: Findings = {
      name: input.name,
      dialect: null,
      listed: [],
      counts: { error: 0, warn: 0, info: 0 },
    }
    let detection: Detection | undefined
    const output = new Output(terminal)
    const inspector = recordingInspector({
      ...(from !== undefined && { from }),
      mode: modeIn(args),
      findings: 'rules',
      onDetection: (each) => {
        detection = each
      },
      onFinding: (finding) => {
        const severity = changed.get(finding.rule ?? finding.code ?? '') ?? finding.severity
        if (severity === 'off') return
        found.counts[severity]++
        if (failing.includes(severity)) terminal.endEarlyWith?.(1)
        const own: Finding = severity === finding.severity ? finding : { ...finding, severity }
        if (format === 'text') output.add(findingLine(input.name, own, style))
        else if (found.listed.length < MAX_FINDINGS) found.listed.push(own)
      },
    })
    for await (const chunk of withProgress(input, terminal)) {
      await inspector.push(chunk)
      await output.continue()
    }
    const report = await inspector.end()
    if (report.dialect !== null) await requireRules([...changed.keys()], report.dialect)
    found.dialect = report.dialect
    output.add(await formats[format](found, report, detection ?? { isCertain: false }, style))
    await output.flush()
    requireKnown(input.name, report, NAME_FORMAT)
    return failing.some((severity) => found.counts[severity] > 0) ? 1 : 0
  },
}

/** What the option `--rule` states. */
function changedSeverities({ options }: Arguments): Map<string, Severity | 'off'> {
  const changed = new Map<string, Severity | 'off'>()
  for (const text of (options.rule ?? []) as readonly string[]) {
    const at = text.lastIndexOf('=')
    const level = text.slice(at + 1)
    const known = ([...severities, 'off'] as const).find((each) => each === level)
    if (at < 1 || known === undefined) {
      throw new UsageError(`Expected --rule NAME=error, warn, info or off, got ${text}.`)
    }
    changed.set(text.slice(0, at), known)
  }
  return changed
}

/** Codes are not listed anywhere; their names have these forms. */
const CODE =
  /^(?:invalid-\w+|incomplete|compressed|binary|too-large|too-deep|unknown-[\w-]+|state-evicted|gap|ended-early|\w+:.+)$/

async function requireRules(
  names: readonly string[],
  dialect: Parameters<typeof rulesFor>[0],
): Promise<void> {
  const rules = (await rulesFor(dialect)).map(({ rule }) => rule)
  for (const name of names) {
    if (rules.includes(name) || CODE.test(name)) continue
    throw new UsageError(`Unknown rule ${name} of ${dialect}.${suggestion(name, rules)}`)
  }
}
