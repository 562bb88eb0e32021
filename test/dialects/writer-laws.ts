/** The laws of every writer, over a stream with any faults. */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Diagnostic, Machine } from '../../src/core/machine.ts'
import type { ContextAnyEvent, EventKind } from '../../src/events/event.ts'
import { ambiguousItems, codedItems, itemsIn, wholesOf } from '../support/faulty-streams.ts'
import {
  expectLeavesKept,
  expectSentences,
  missedIn,
  type Result,
  resultsOf,
} from '../support/mapper-laws.ts'
import type { Format } from './formats.ts'

type Fields = Readonly<Record<string, unknown>>
type AnyMachine = Machine<unknown, unknown, never, never>

/** The texts, thoughts and arguments that events have, as far as they have come. */
function textsOf(events: readonly ContextAnyEvent[]): string[] {
  const items: {
    readonly key: string
    readonly response: string
    text: string
    isOpen: boolean
    isStarted?: boolean
  }[] = []
  for (const event of events) {
    const { taskId, iteration, thoughtId, toolCallId, contentId } = event as unknown as Fields
    const key = JSON.stringify([taskId, thoughtId, toolCallId, contentId])
    const response = `${taskId} ${iteration}`
    const open = items.findLast((item) => item.key === key && item.isOpen)
    const set = (text: string, isOpen: boolean, known = open): void => {
      if (known === undefined) items.push({ key, response, text, isOpen })
      else Object.assign(known, { text, isOpen })
    }
    switch (event.kind) {
      case 'content-delta':
      case 'thought-delta':
      case 'tool-arguments-delta':
        set((open?.text ?? '') + event.delta, true)
        break
      case 'content-replace':
        set(
          event.content,
          true,
          items.findLast((item) => item.key === key),
        )
        break
      case 'content-complete':
      case 'thought-stream':
        set(event.content, false)
        break
      case 'tool-start':
        set(JSON.stringify(event.arguments), false)
        Object.assign(items.findLast((item) => item.key === key) ?? {}, { isStarted: true })
        break
      case 'iteration-reset':
        for (const item of items) if (item.response === response && !item.isStarted) item.text = ''
        break
      default:
    }
  }
  return items.map(({ text }) => text)
}

/** What is wrong with what a page has: of each item the beginning, once; of those that came whole and are not reported, all. */
function faultsOf(
  texts: readonly string[],
  wholes: readonly string[],
  ambiguous: ReadonlySet<number>,
): unknown[] {
  const shown = codedItems(texts)
  const faults: unknown[] = []
  for (const [item, lists] of shown) {
    const places = lists.flat()
    if (ambiguous.has(item)) continue
    if (places.some((place, i) => place !== i)) faults.push({ item, lists })
  }
  for (const [item, [places = []]] of codedItems(wholes)) {
    const has = shown.get(item)?.flat().length ?? 0
    if (has < places.length) faults.push({ item, has, of: places.length })
  }
  return faults
}

/** The wholes of a stream that no report of their step is about. */
function unreported(
  { coverage }: Format,
  events: readonly ContextAnyEvent[],
  results: readonly Result<unknown>[],
): string[] {
  return [...wholesOf(events)].flatMap(([i, text]) => {
    if (coverage[events[i]?.kind as EventKind] === 'omitted') return []
    const isReported = results[i]?.diagnostics.some(({ code }) =>
      /^(dropped:(content-complete|thought-stream|tool-start)|invalid-event|lossy:(content|arguments))$/.test(
        code,
      ),
    )
    return isReported === true ? [] : [text]
  })
}

const joined = ({ isJoined }: Format, texts: readonly string[]): readonly string[] =>
  isJoined === true ? [texts.join('')] : texts

/**
 * Checks that nothing throws; that what is written is legal for the verifier of the format and for its peers; that pages have a text, a
 * thought or the arguments of a call whole, or a beginning of it and a report; that nothing is lost without a report, and
 * nothing is reported twice.
 */
export async function expectWriterLaws(format: Format, events: readonly ContextAnyEvent[]): Promise<void> {
  const results = resultsOf(format.writer() as AnyMachine, events)
  const out = JSON.parse(JSON.stringify(results.flatMap((step) => step.out))) as never[]
  expectReports(format, events, results)
  if (out.length === 0) return
  if (format.verifier !== undefined) {
    const found = resultsOf(format.verifier() as AnyMachine, out).flatMap(
      (step) => step.out as readonly Fields[],
    )
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  }
  // A subtask of a format with one task has one text, which its result replaces.
  const subtasks =
    format.hasOneTask === true ? itemsIn(events.filter(({ parentTaskId }) => parentTaskId)) : []
  const ambiguous = new Set([...ambiguousItems(events), ...subtasks])
  const read = resultsOf(format.reader() as AnyMachine, out)
  // What comes too late, again or changed, as a reader sees it, is reported by that.
  const isReported = read.some(({ diagnostics }) => diagnostics.some(isTooLate))
  // With the extension, the event itself reaches the reader.
  const wholes = isReported || format.isCarried === true ? [] : unreported(format, events, results)
  const texts = textsOf(read.flatMap((step) => step.out))
  expect(faultsOf(joined(format, texts), wholes, ambiguous)).toEqual([])
  if (format.peer === undefined) return
  const page = await format.peer(out)
  expect(page.errors).toEqual([])
  expect(faultsOf(joined(format, page.texts), [], ambiguous)).toEqual([])
}

/** Whether a leaf is part of an item: its text is looked for in what readers have of it. */
const isOfItem = (path: string, { kind }: ContextAnyEvent): boolean =>
  IS_ITEM.test(kind) &&
  /^\/(delta|content|arguments|contentId|thoughtId|toolCallId|toolName|thoughtType|verbosity|indexEnd|timestampEnd)(\/|$)/.test(
    path,
  )

const IS_ITEM = /^(content|thought)-|^tool-(arguments-delta|start)$/

const isOfOther = (detail: unknown): boolean =>
  ['id', 'artifactId'].some((name) => name in ((detail ?? {}) as object))

const isTooLate = ({ code, detail }: Diagnostic): boolean =>
  /^lossy:(toolName|input)$/.test(code) ||
  ['after-end', 'repeated'].includes(String((detail as Fields | undefined)?.reason))

/** Checks that nothing is lost without a report, and that nothing is reported twice. */
function expectReports(
  { isForm, isCarried }: Format,
  events: readonly ContextAnyEvent[],
  results: readonly Result<unknown>[],
): void {
  const twice = results.flatMap(({ diagnostics }, step) => {
    const kind = events[step]?.kind
    const again = diagnostics.filter((one, i) =>
      diagnostics.slice(0, i).some((two) => isDeepStrictEqual(one, two)),
    )
    // Another event may end what is dropped then.
    const own = diagnostics.filter(({ code, detail }) => code === `dropped:${kind}` && !isOfOther(detail))
    return [...again, ...own.slice(1)]
  })
  expect(twice).toEqual([])
  expectSentences(results)
  if (isCarried === true) return
  // A request may be dropped later. What is not written of an item waits for the whole.
  const ids = results.flatMap(({ diagnostics }) =>
    diagnostics.map(({ detail }) => String((detail as Fields | undefined)?.id)),
  )
  const isTold = new Set(
    events.filter((event, i) => {
      const { inputId, authId = inputId } = event as unknown as Fields
      return (
        (authId !== undefined && ids.some((id) => id.startsWith(String(authId)))) ||
        (IS_ITEM.test(event.kind) && (event.kind.endsWith('-delta') || results[i]?.out.length === 0))
      )
    }),
  )
  const missed = missedIn(results, events)
  expectLeavesKept(results, events, (path, value, event) => {
    if (missed.has(event)) return true
    if (value === null || value === '' || path === '/metadata') return true
    if (event.kind === 'content-replace' && event.content === '') return true
    return isTold.has(event) || isOfItem(path, event) || isForm(path, value, event)
  })
}
