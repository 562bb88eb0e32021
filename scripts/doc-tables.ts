/** The tables that pages take from data of the library, by the name in their mark. */
import { readFileSync } from 'node:fs'
import { acpLosses } from '../src/acp/to/losses.ts'
import { agUiRules } from '../src/dialects/ag-ui/index.ts'
import {
  agentEventCoverage,
  agentEventLosses,
  agentEventRules,
  toolEventRules,
} from '../src/dialects/agent-event/index.ts'
import { frameRules } from '../src/dialects/frames/index.ts'
import { sessionRules } from '../src/dialects/session/index.ts'
import { errorCodes } from '../src/events/error-codes.ts'
import type { EventKind } from '../src/events/event.ts'
import { eventKinds } from '../src/events/kinds.ts'
import type { Rule } from '../src/rules/rule.ts'
import { audiences } from '../src/streams/access/audience.ts'
import { defaultThoughts, type Redaction } from '../src/streams/access/redactions.ts'
import { eventRules, parsePattern, redactions } from '../src/streams/index.ts'
import { backpressureRuleOf } from '../src/streams/log/backpressure.ts'
import { createPatternTrie } from '../src/streams/routing/pattern-trie.ts'
import { suitesIn } from './conformance/files.ts'
import { coverages, losses } from './coverages.ts'
import { code, markdownTable } from './markdown.ts'

/** Each as Markdown, made when it is asked for. */
export const docTables: Readonly<Record<string, () => string>> = {
  conformance() {
    const rows = suitesIn('').map(({ id, level, cases, about }) => [code(id), level, String(cases), about])
    return markdownTable(['suite', 'level', 'cases', 'about'], rows)
  },
  'conformance-formats'() {
    const rows = suitesIn('formats/').map(({ id, cases, about }) => [code(id), String(cases), about])
    return markdownTable(['suite', 'cases', 'about'], rows)
  },
  'python-suites'() {
    const script = readFileSync(new URL('test-languages.mjs', import.meta.url), 'utf8')
    const [, run = ''] = /PYTHON_SUITES = \[(.*)\]/.exec(script) ?? []
    const rows = suitesIn('').filter(({ id }) => run.includes(`'${id}'`))
    return markdownTable(
      ['suite', 'cases'],
      rows.map(({ id, cases }) => [id, String(cases)]),
    )
  },
  'error-codes': () => `${errorCodes.map(code).join(', ')}.`,
  coverage() {
    const names = Object.keys(coverages)
    const rows = eventKinds.map((kind) => [code(kind), ...names.map((name) => coverages[name]?.[kind] ?? '')])
    return markdownTable(['kind', ...names], rows)
  },
  redactions() {
    const others = audiences.filter((audience) => audience !== 'operator')
    const thoughts = others.map((audience) => `up to ${code(defaultThoughts[audience].maxVerbosity ?? '')}`)
    const rows = Object.entries(redactions).map(([kind, rule]) => [
      code(kind),
      ...others.map((audience) => hiddenFrom(audience, rule)),
    ])
    return markdownTable(['kind', ...others], [['`thought-stream`, by verbosity', ...thoughts], ...rows])
  },
  'event-rules'() {
    const rows = eventRules.map(({ id, rule, severity, checkedBy, summary }) => {
      const { strict, standard, lenient } = severity
      const isShown = checkedBy !== 'none'
      return [id, code(rule), ...(isShown ? [strict, standard, lenient] : ['–', '–', '–']), firstOf(summary)]
    })
    return markdownTable(['id', 'rule', 'strict', 'standard', 'lenient', 'requirement'], rows)
  },
  backpressure() {
    const kindsBy = new Map<string, EventKind[]>()
    for (const kind of eventKinds) {
      const how = backpressureOf(kind)
      kindsBy.set(how, [...(kindsBy.get(how) ?? []), kind])
    }
    const rows = [...kindsBy].map(([how, kinds]) => [how, kinds.map(code).join(', ')])
    return markdownTable(['under backpressure', 'kinds'], rows)
  },
  patterns() {
    const topics = ['ctx-1/task-1', 'ctx-1/task-1/task-2', 'ctx-1/task-1/task-2/task-3', 'ctx-2/task-1']
    const patterns = [
      'ctx-1/**',
      'ctx-1/*',
      'ctx-1/task-1',
      'ctx-1/task-1/**',
      'ctx-1/task-1/*',
      '*/task-1',
      'task-1/**',
      '**/task-1/**',
      '**/task-2',
      '**',
    ]
    const rows = patterns.map((pattern) => {
      const read = parsePattern(pattern)
      const trie = createPatternTrie<string>()
      if (read) trie.add(read, pattern)
      return [code(pattern), ...topics.map((topic) => (trie.find(topic.split('/')).length > 0 ? 'yes' : ''))]
    })
    return markdownTable(['pattern', ...topics.map(code)], rows)
  },
  'frame-rules': () => rulesTable(frameRules),
  ...Object.fromEntries(
    Object.entries(losses).map(([name, table]) => [`${name}-losses`, () => lossesTable(table)]),
  ),
  'acp-losses': () => lossesTable(acpLosses),
  'ag-ui-rules': () => rulesTable(agUiRules),
  'agent-event-rules': () => rulesTable(agentEventRules),
  'tool-event-rules': () => rulesTable(toolEventRules),
  'agent-event-losses'() {
    const kept = eventKinds.filter((kind) => agentEventCoverage[kind] !== 'omitted')
    const common = kept
      .map((kind) => agentEventLosses[kind])
      .reduce((all, losses) => all.filter((lost) => losses.includes(lost)))
    const ownOf = (kind: EventKind): readonly string[] =>
      agentEventLosses[kind].filter((lost) => !common.includes(lost))
    const rows = kept.map((kind) => [code(kind), ownOf(kind).map(code).join(', ')])
    return markdownTable(['kind', 'may lose'], [...rows, ['every kind', common.map(code).join(', ')]])
  },
  'session-rules': () => rulesTable(sessionRules),
}

/** The fields that each kind may lose, those of every kind first. */
function lossesTable(losses: Readonly<Record<EventKind, readonly string[]>>): string {
  const mapped = eventKinds.map((kind): [string, readonly string[]] => [code(kind), losses[kind]])
  const lossy = mapped.filter(([, fields]) => fields.length > 0)
  const isCommon = (field: string): boolean => lossy.every(([, fields]) => fields.includes(field))
  const common: [string, readonly string[]] = ['every kind', lossy[0]?.[1].filter(isCommon) ?? []]
  const own = lossy.map(([kind, fields]): [string, readonly string[]] => [
    kind,
    fields.filter((field) => !isCommon(field)),
  ])
  const rows = [common, ...own].map(([kind, fields]) => [kind, fields.map(code).join(', ')])
  return markdownTable(['kind', 'may lose'], rows)
}

/** What is hidden from an audience, or removed, of one kind. */
function hiddenFrom(audience: string, { hidden = [], removed = {} }: Redaction): string {
  if ((hidden as readonly string[]).includes(audience)) return 'hidden'
  const pointers = Object.entries(removed).filter(([, from]) =>
    (from as readonly string[]).includes(audience),
  )
  return pointers.length === 0 ? '' : `without ${pointers.map(([pointer]) => code(pointer)).join(', ')}`
}

function backpressureOf(kind: EventKind): string {
  const { merge, drop } = backpressureRuleOf(kind)
  const how = [
    merge === 'append'
      ? 'merged into the previous event'
      : merge === 'replace'
        ? 'replaced by a later one'
        : '',
    drop === true ? 'dropped and counted' : '',
  ].filter((each) => each !== '')
  return how.length === 0 ? 'always delivered' : how.join(', or ')
}

/** Rules with their severity in each mode. */
function rulesTable(rules: readonly Rule[]): string {
  const rows = rules.map(({ id, rule, severity: { strict, standard, lenient }, summary }) => [
    id,
    code(rule),
    strict,
    standard,
    lenient,
    summary,
  ])
  return markdownTable(['id', 'rule', 'strict', 'standard', 'lenient', 'requirement'], rows)
}

/** The first sentence of a rule. */
function firstOf(summary: string): string {
  return /^.*?\.(?= |$)/.exec(summary)?.[0] ?? summary
}
