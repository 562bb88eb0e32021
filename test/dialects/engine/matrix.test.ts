// Proves that each fault of a stream has one report, the same in every format: the table of docs/reference/faults.md.
import { readFileSync } from 'node:fs'
import { a2aCoverage, toA2a } from 'turnstream/a2a'
import { agUiCoverage, toAgUi } from 'turnstream/ag-ui'
import { agentEventCoverage, toAgentEvents } from 'turnstream/agent-event'
import { aiSdkCoverage, toUiMessageStream } from 'turnstream/ai-sdk'
import { framesCoverage, toFrames } from 'turnstream/frames'
import { openaiCoverage, toChatCompletions } from 'turnstream/openai'
import { sessionCoverage, toSessionEvents } from 'turnstream/session'
import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import type { ContextAnyEvent, EventKind } from '../../../src/events/event.ts'
import { faults, streamsOf, variants } from '../../support/faults.ts'
import { resultsOf } from '../../support/mapper-laws.ts'

interface Format {
  readonly writer: () => unknown
  readonly coverage: Readonly<Record<EventKind, string>>
  /** Whether it has one task, so that events of subtasks are not part of it. */
  readonly hasOneTask?: true
  readonly canReplace?: true
  readonly isCarried?: true
  /** Whether events after the end of the task are carried as well. */
  readonly isCarriedAfterEnd?: true
}

const viewer = { audience: 'operator' } as const
const formats: Readonly<Record<string, Format>> = {
  frames: {
    writer: () => toFrames({ version: 'v2', sessionId: 's', newId: () => 'id' }),
    coverage: framesCoverage,
  },
  session: { writer: () => toSessionEvents({ viewer }), coverage: sessionCoverage, hasOneTask: true },
  openai: { writer: () => toChatCompletions({ viewer }), coverage: openaiCoverage, hasOneTask: true },
  'agent-event': {
    writer: () => toAgentEvents({ viewer, toolCallIds: true }),
    coverage: agentEventCoverage,
    hasOneTask: true,
  },
  'AI SDK 6': {
    writer: () => toUiMessageStream({ version: 6, viewer }),
    coverage: aiSdkCoverage,
    hasOneTask: true,
  },
  'AI SDK 7': {
    writer: () => toUiMessageStream({ viewer }),
    coverage: aiSdkCoverage,
    hasOneTask: true,
    canReplace: true,
  },
  'AI SDK with the extension': {
    writer: () => toUiMessageStream({ viewer, extension: true }),
    coverage: aiSdkCoverage,
    hasOneTask: true,
    canReplace: true,
    isCarried: true,
    isCarriedAfterEnd: true,
  },
  'AG-UI': { writer: () => toAgUi({ viewer }), coverage: agUiCoverage },
  'AG-UI with the extension': {
    writer: () => toAgUi({ viewer, extension: true, messages: [] }),
    coverage: agUiCoverage,
    canReplace: true,
    isCarried: true,
    isCarriedAfterEnd: true,
  },
  'A2A 0.3': {
    writer: () => toA2a({ version: '0.3', viewer }),
    coverage: a2aCoverage,
    hasOneTask: true,
    canReplace: true,
  },
  'A2A 1.0': {
    writer: () => toA2a({ version: '1.0', viewer }),
    coverage: a2aCoverage,
    hasOneTask: true,
    canReplace: true,
  },
  'A2A with the extension': {
    writer: () => toA2a({ version: '1.0', viewer, extension: true }),
    coverage: a2aCoverage,
    hasOneTask: true,
    canReplace: true,
    isCarried: true,
  },
}

/** The codes of what a writer reports, with their reasons, but for what its format does not have. */
function codesOf({ writer }: Format, events: readonly ContextAnyEvent[]): string[] {
  const results = resultsOf(writer() as Machine<unknown, ContextAnyEvent, unknown, never>, events)
  return results
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ code, detail }) => `${code} ${(detail as { reason?: string } | undefined)?.reason ?? ''}`.trim())
    .filter((code) => !/no-equivalent|other-task$/.test(code))
}

/** Fault → its report, from the page. */
const page = readFileSync(new URL('../../../docs/reference/faults.md', import.meta.url), 'utf8')
const rows = new Map(
  [...page.matchAll(/^\| (?!fault|---)(.+?) \|(.*?)\|(.*?)\|$/gm)].map(
    ([, fault = '', code = '', reason = '']) => [
      fault,
      `${code} ${reason}`.replaceAll('`', '').trim().replace(/\s+/, ' '),
    ],
  ),
)

it('the page has every fault', () => {
  expect([...rows.keys()]).toEqual(Object.keys(faults))
})

/** The items of the first list that the second one does not have, each as often. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return list.filter((item) => {
    const at = left.indexOf(item)
    if (at < 0) return true
    left.splice(at, 1)
    return false
  })
}

describe.each(Object.entries(formats))('%s', (_, format) => {
  const cases = Object.entries(faults).flatMap(([fault, { kinds }]) =>
    kinds.every((kind) => format.coverage[kind as EventKind] !== 'omitted')
      ? variants
          .filter((variant) => variant !== 'in a subtask' || format.hasOneTask !== true)
          .map((variant) => [fault, variant] as const)
      : [],
  )
  it.each(cases)('reports once that %s, %s', (fault, variant) => {
    const row = rows.get(fault) as string
    const isGone =
      (format.isCarried === true && /^(dropped|lossy)(?!.*after-end)/.test(row)) ||
      (format.isCarriedAfterEnd === true && row.endsWith('after-end')) ||
      (format.canReplace === true && row === 'lossy:content')
    const [faulty, sound] = streamsOf(fault, variant).map((events) => codesOf(format, events)) as [
      string[],
      string[],
    ]
    // A kind of event may lose fields each time that it occurs.
    const more = without(faulty, sound).filter((code) => !/^lossy:(?!content$|arguments$)/.test(code))
    expect(more).toEqual(row === '' || isGone ? [] : [row])
  })
})
