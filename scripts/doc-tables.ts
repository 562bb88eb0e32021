/** The tables that pages take from data of the library, by the name in their mark. */
import { agentEventRules, toolEventRules } from '../src/dialects/agent-event/index.ts'
import { frameRules, framesLossyFields } from '../src/dialects/frames/index.ts'
import { sessionMappedFields, sessionRules } from '../src/dialects/session/index.ts'
import { errorCodes } from '../src/events/error-codes.ts'
import type { EventKind } from '../src/events/event.ts'
import { eventKinds } from '../src/events/kinds.ts'
import { audiences } from '../src/streams/access/audience.ts'
import { defaultThoughts, type Redaction } from '../src/streams/access/redactions.ts'
import { eventRules, parsePattern, redactions } from '../src/streams/index.ts'
import { backpressureRuleOf } from '../src/streams/log/backpressure-rules.ts'
import { matchesPattern } from '../src/streams/routing/pattern.ts'
import { coverages } from './coverages.ts'
import { code, markdownTable } from './markdown.ts'

/** Each as Markdown, made when it is asked for. */
export const docTables: Readonly<Record<string, () => string>> = {
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
      return [
        code(pattern),
        ...topics.map((topic) => (read && matchesPattern(read, topic.split('/')) ? 'yes' : '')),
      ]
    })
    return markdownTable(['pattern', ...topics.map(code)], rows)
  },
  'frame-rules': () => markdownTable(['id', 'rule', 'severity', 'requirement'], frameRules.map(ruleRow)),
  'frame-losses'() {
    const rows = Object.entries(framesLossyFields).map(([kind, fields]) => [
      kind === '*' ? 'every kind' : code(kind),
      fields.map(code).join(', '),
    ])
    return markdownTable(['kind', 'may lose'], rows)
  },
  'agent-event-rules': () =>
    markdownTable(['id', 'rule', 'severity', 'requirement'], agentEventRules.map(ruleRow)),
  'tool-event-rules': () =>
    markdownTable(['id', 'rule', 'severity', 'requirement'], toolEventRules.map(ruleRow)),
  'session-rules'() {
    const rows = Object.entries(sessionRules).map(([rule, { id, severity, summary, ...more }]) => [
      id,
      code(rule),
      severity,
      'strictOnly' in more ? 'strict' : 'both',
      summary,
    ])
    return markdownTable(['id', 'rule', 'severity', 'mode', 'requirement'], rows)
  },
  'session-mapped-fields'() {
    const rows = Object.entries(sessionMappedFields).map(([name, fields]) => [
      code(name),
      fields === '' ? 'its occurrence only' : fields.split(' ').map(code).join(', '),
    ])
    return markdownTable(['event', 'mapped fields'], rows)
  },
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

function ruleRow(rule: { id: string; rule: string; severity: string; summary: string }): string[] {
  return [rule.id, code(rule.rule), rule.severity, rule.summary]
}

/** The first sentence of a rule. */
function firstOf(summary: string): string {
  return /^.*?\.(?= |$)/.exec(summary)?.[0] ?? summary
}
