// Proves what every format inherits: when an item is complete, a page has its whole, whichever deltas were lost, repeated, merged
// or late; a page never shows a text with a hole; each fault is reported once.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StepBuilder } from '../../../src/core/step-builder.ts'
import { calledItem, closeItems, endCall, takeItems } from '../../../src/dialects/engine/end-items.ts'
import { type Item, type Items, noItems } from '../../../src/dialects/engine/item.ts'
import { type ItemFormat, type ItemFormats, writeItem } from '../../../src/dialects/engine/write-item.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { runs } from '../../support/runs.ts'

/** What a page has of an item. */
interface Shown {
  text: string
  phase: 'open' | 'complete' | 'cut'
}

/** A format that is a page. */
class Page extends StepBuilder<{ items: Items }, never> {
  readonly shown = new Map<string, Shown>()
  count = 0
  canReplace = true
  constructor() {
    super({ items: noItems })
  }
}

const shownOf = (page: Page, { id }: Item): Shown => page.shown.get(id) as Shown

const format: ItemFormat<Page> = {
  id: (page, event) => `${event.kind.split('-')[0]} ${page.count++}`,
  open(page, item) {
    const known = page.shown.get(item.id)
    expect(known?.phase).toBe(item.phase === 'cut' ? 'cut' : undefined)
    page.shown.set(item.id, { text: known?.text ?? '', phase: 'open' })
  },
  append(page, item, text) {
    const shown = shownOf(page, item)
    expect(shown.phase).toBe('open')
    shown.text += text
  },
  close(page, item) {
    expect(shownOf(page, item).phase).toBe('open')
    shownOf(page, item).phase = 'complete'
  },
  cut(page, item) {
    expect(shownOf(page, item).phase).toBe('open')
    shownOf(page, item).phase = 'cut'
  },
}
const formats: ItemFormats<Page> = { text: format, thought: format, call: format }
const replacing: ItemFormats<Page> = {
  ...formats,
  text: {
    ...format,
    replace(page, item, content) {
      if (!page.canReplace) return false
      page.shown.set(item.id, { text: content, phase: 'open' })
      return true
    },
  },
}

function write(page: Page, event: ContextAnyEvent, by = formats): void {
  switch (event.kind) {
    case 'content-delta':
    case 'content-complete':
    case 'content-replace':
    case 'thought-delta':
    case 'thought-stream':
    case 'tool-arguments-delta':
    case 'tool-start':
      writeItem(page, by, event)
      break
    case 'tool-complete': {
      const call = calledItem(page, by, event)
      if (call !== undefined) endCall(page, by, call, event.timestamp)
      break
    }
    case 'task-status':
      closeItems(page, by, event.taskId, event.status === 'completed' ? 'success' : 'pause')
      break
    default:
  }
}

const eventOf = (fields: object): ContextAnyEvent =>
  ({ contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z', ...fields }) as ContextAnyEvent

/** The deltas and the whole of an item of each type. */
const series = {
  text: {
    delta: (delta: string, index: number, indexEnd: number) =>
      eventOf({ kind: 'content-delta', contentId: 'x', delta, index, indexEnd }),
    whole: (content: string) => eventOf({ kind: 'content-complete', contentId: 'x', content }),
  },
  thought: {
    delta: (delta: string, index: number, indexEnd: number) =>
      eventOf({ kind: 'thought-delta', thoughtId: 'x', delta, index, indexEnd }),
    whole: (content: string) => eventOf({ kind: 'thought-stream', thoughtId: 'x', content, index: 0 }),
  },
  call: {
    delta: (delta: string, index: number, indexEnd: number) =>
      eventOf({ kind: 'tool-arguments-delta', toolCallId: 'x', toolName: 'f', delta, index, indexEnd }),
    whole: (text: string) =>
      eventOf({ kind: 'tool-start', toolCallId: 'x', toolName: 'f', arguments: JSON.parse(text) }),
  },
} as const

const codesOf = ({ diagnostics }: Page): string[] =>
  diagnostics.map(({ code, detail }) => {
    const { reason } = (detail ?? {}) as { reason?: string }
    return reason === undefined ? code : `${code} ${reason}`
  })

/** The texts of the pieces; together they are JSON. */
const texts = fc
  .array(fc.constantFrom('a', 'bc', '1', '🌊', ''), { maxLength: 5 })
  .map((parts) => ['"', ...parts, '"'])
/** What becomes of each delta: from how many before it is merged, whether it is lost, how often it comes. */
const fate = fc.record({
  merges: fc.constantFrom(0, 0, 0, 1, 2, 9),
  copies: fc.constantFrom(1, 1, 1, 1, 0, 2),
})

describe.each(['text', 'thought', 'call'] as const)('a %s', (type) => {
  const { delta, whole } = series[type]
  const run = (pieces: readonly string[], fates: readonly { merges: number; copies: number }[]): Page => {
    const page = new Page()
    pieces.forEach((_, end) => {
      const { merges = 0, copies = 1 } = fates[end] ?? {}
      const index = Math.max(0, end - merges)
      for (let copy = 0; copy < copies; copy++) {
        write(page, delta(pieces.slice(index, end + 1).join(''), index, end))
        // A page never shows a text with a hole.
        for (const { text } of page.shown.values()) expect(pieces.join('').startsWith(text)).toBe(true)
      }
    })
    return page
  }

  it('is whole once it is complete, whatever became of its deltas', () => {
    fc.assert(
      fc.property(texts, fc.array(fate, { minLength: 7, maxLength: 7 }), (pieces, fates) => {
        const page = run(pieces, fates)
        const text = pieces.join('')
        write(page, whole(text))
        expect([...page.shown.values()]).toEqual([{ text, phase: 'complete' }])
        // One gap at most: what is missing is one fault.
        expect(codesOf(page).filter((code) => code === 'gap').length).toBeLessThanOrEqual(1)
        expect(codesOf(page).filter((code) => !/^(gap|dropped:.* repeated)$/.test(code))).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })

  it('states how many characters are lost if its whole does not come', () => {
    const page = run(
      ['"ab', 'cd', 'ef', 'g"'],
      [
        { merges: 0, copies: 1 },
        { merges: 0, copies: 0 },
      ],
    )
    write(page, eventOf({ kind: 'task-status', status: 'completed' }))
    expect([...page.shown.values()]).toEqual([{ text: '"ab', phase: 'cut' }])
    expect(page.diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
      ['gap', { expected: 1, actual: 2 }],
      ['gap', { type, id: `${type === 'text' ? 'content' : type === 'call' ? 'tool' : type} 0`, lost: 4 }],
    ])
  })

  it('goes on after it was cut, with the same id', () => {
    const page = run(['"ab'], [])
    write(page, eventOf({ kind: 'task-status', status: 'waiting-input' }))
    expect([...page.shown.values()]).toEqual([{ text: '"ab', phase: 'cut' }])
    write(page, whole('"abc"'))
    expect([...page.shown.values()]).toEqual([{ text: '"abc"', phase: 'complete' }])
    expect(codesOf(page)).toEqual([])
  })

  it('shows nothing to who joins late, until the whole', () => {
    const page = new Page()
    write(page, delta('c"', 2, 2))
    expect(page.shown.size).toBe(0)
    write(page, whole('"abc"'))
    expect([...page.shown.values()]).toEqual([{ text: '"abc"', phase: 'complete' }])
    expect(codesOf(page)).toEqual(['gap'])
  })

  it('is complete once', () => {
    const page = run(['"a', 'b"'], [])
    write(page, whole('"ab"'))
    write(page, whole('"ab"'))
    write(page, delta('b"', 1, 1))
    expect([...page.shown.values()]).toEqual([{ text: '"ab"', phase: 'complete' }])
    const [deltaKind, wholeKind] = [delta('', 0, 0).kind, whole('""').kind]
    const reason = type === 'call' ? 'out-of-order' : 'repeated'
    expect(codesOf(page)).toEqual([`dropped:${wholeKind} repeated`, `dropped:${deltaKind} ${reason}`])
  })

  it('keeps what was sent if the whole is another', () => {
    const page = run(['"ab"'], [])
    write(page, whole('"cd"'))
    expect([...page.shown.values()]).toEqual([{ text: '"ab"', phase: 'complete' }])
    expect(codesOf(page)).toEqual([type === 'call' ? 'lossy:arguments' : 'lossy:content'])
  })
})

describe('a call', () => {
  const start = series.call.whole('{"a":1}')
  const end = eventOf({ kind: 'tool-complete', toolCallId: 'x', toolName: 'f', success: true })

  it('has one result, after its start', () => {
    const page = new Page()
    for (const event of [end, start, end, end, start]) write(page, event)
    expect(codesOf(page)).toEqual([
      'dropped:tool-complete not-started',
      'dropped:tool-complete repeated',
      'dropped:tool-start repeated',
    ])
  })

  it.each([
    ['reported', formats, ['lossy:toolName']],
    ['kept', { ...formats, call: { ...formats.call, namesResults: true } } as const, []],
  ])('of another tool in a result is %s', (_, by, codes) => {
    const page = new Page()
    for (const event of [start, { ...end, toolName: 'other' }]) write(page, event as ContextAnyEvent, by)
    expect(codesOf(page)).toEqual(codes)
  })

  it('is neither running nor successful before its start', () => {
    const page = new Page()
    const progress = eventOf({ kind: 'tool-progress', toolCallId: 'x', progress: 0.5 })
    write(page, series.call.delta('{"a"', 0, 0))
    expect(calledItem(page, formats, progress as never)).toBeUndefined()
    for (const event of [end, start, end]) write(page, event)
    expect(codesOf(page)).toEqual(['dropped:tool-progress not-started', 'dropped:tool-complete not-started'])
    expect([...page.shown.values()]).toEqual([{ text: '{"a":1}', phase: 'complete' }])
  })

  it('without a result is reported if its task completes', () => {
    const page = new Page()
    for (const event of [start, eventOf({ kind: 'task-status', status: 'completed' })]) write(page, event)
    expect(codesOf(page)).toEqual(['gap'])
  })

  it('is cut off by a result before its arguments are complete', () => {
    const page = new Page()
    write(page, series.call.delta('{"a"', 0, 0))
    write(page, { ...end, success: false } as ContextAnyEvent)
    expect([...page.shown.values()]).toEqual([{ text: '{"a"', phase: 'cut' }])
  })

  it('of which nothing is written has no result', () => {
    const page = new Page()
    write(page, series.call.delta('}', 1, 1))
    write(page, { ...end, success: false } as ContextAnyEvent)
    expect(page.shown.size).toBe(0)
    expect(codesOf(page)).toEqual(['gap', 'dropped:tool-complete not-started'])
  })

  it('of another task with the same id is another', () => {
    const page = new Page()
    write(page, start)
    write(page, { ...start, taskId: 'u' } as ContextAnyEvent)
    expect(page.shown.size).toBe(2)
    expect(codesOf(page)).toEqual([])
  })

  it('has an id once something of it is written, so that numbers have no holes', () => {
    const page = new Page()
    write(page, series.call.delta('}', 1, 1))
    expect(page.count).toBe(0)
    write(page, { ...start, toolCallId: 'y' } as ContextAnyEvent)
    expect([...page.shown.keys()]).toEqual(['tool 0'])
  })

  it('has arguments in other words than its deltas', () => {
    const page = new Page()
    write(page, series.call.delta('{ "a": 1 }', 0, 0))
    write(page, start)
    expect([...page.shown.values()]).toEqual([{ text: '{ "a": 1 }', phase: 'complete' }])
    expect(codesOf(page)).toEqual([])
  })
})

describe('a model response that is discarded', () => {
  it('is forgotten, but for the calls that have started', () => {
    const page = new Page()
    const of = (event: ContextAnyEvent) => ({ ...event, iteration: 1 }) as ContextAnyEvent
    const { text, thought, call } = series
    const other = { ...call.delta('{', 0, 0), toolCallId: 'y' } as ContextAnyEvent
    for (const event of [thought.whole('a'), text.delta('b', 0, 0), call.whole('{}'), other])
      write(page, of(event))
    expect(takeItems(page, 't', 0)).toEqual([])
    expect(takeItems(page, 't', 1).map(({ key }) => key)).toEqual(['x', 'y'])
    for (const event of [thought.whole('c'), text.whole('d'), call.whole('{}')]) write(page, of(event))
    expect(codesOf(page)).toEqual(['dropped:tool-start repeated'])
  })
})

it('what a discarded model response has ended may come again, and nothing else', () => {
  const page = new Page()
  const wholes = [0, 1].map((iteration) => {
    const thought = series.thought.whole(`${iteration}`)
    return { ...thought, thoughtId: `h${iteration}`, iteration } as ContextAnyEvent
  })
  const start = { ...series.call.whole('{}'), iteration: 1 } as ContextAnyEvent
  const end = eventOf({ kind: 'tool-complete', toolCallId: 'x', toolName: 'f', success: true })
  const others = wholes.map((event) => ({ ...event, taskId: 'other' }))
  for (const event of [...wholes, ...others, start, end]) write(page, event)
  expect(takeItems(page, 't', 1)).toEqual([])
  for (const event of [...wholes, ...others, start]) write(page, event)
  expect(codesOf(page)).toEqual([
    ...Array(3).fill('dropped:thought-stream repeated'),
    'dropped:tool-start repeated',
  ])
})

describe('a text', () => {
  it.each(['ab', ''])('may come twice at the same time: %j', (text) => {
    const page = new Page()
    const { delta, whole } = series.text
    for (const event of [delta(text, 0, 0), whole(text), delta(text, 0, 0), whole(text)]) write(page, event)
    expect([...page.shown.values()]).toEqual([
      { text, phase: 'complete' },
      { text, phase: 'complete' },
    ])
    expect(codesOf(page)).toEqual([])
  })

  const { delta, whole } = series.text
  const replace = eventOf({ kind: 'content-replace', contentId: 'x', content: 'new' })

  it('may have the id of one that is complete', () => {
    const page = new Page()
    for (const event of [whole('a'), delta('b', 0, 0), whole('b')]) write(page, event)
    expect([...page.shown.values()].map(({ text }) => text)).toEqual(['a', 'b'])
    expect(codesOf(page)).toEqual([])
  })

  it('of the response before is replaced, once a response was discarded', () => {
    const page = new Page()
    const of = (iteration: number, content: string) =>
      eventOf({ kind: 'content-complete', contentId: 'x', content, iteration })
    for (const event of [of(0, 'old'), of(1, 'discarded')]) write(page, event)
    takeItems(page, 't', 1)
    write(page, of(1, 'discarded too'))
    takeItems(page, 't', 1)
    write(page, replace)
    expect(codesOf(page)).toEqual(['lossy:content'])
  })

  it.each([
    ['open', [delta('old', 0, 0)]],
    ['complete', [whole('old')]],
  ])('is replaced while it is %s', (_, before) => {
    const page = new Page()
    for (const event of [...before, replace, delta('er', 1, 1), whole('newer')]) write(page, event, replacing)
    expect([...page.shown.values()]).toEqual([{ text: 'newer', phase: 'complete' }])
    expect(codesOf(page)).toEqual([])
  })

  it('is replaced by a whole that differs from its deltas', () => {
    const page = new Page()
    for (const event of [delta('old', 0, 0), whole('new')]) write(page, event, replacing)
    expect([...page.shown.values()]).toEqual([{ text: 'new', phase: 'complete' }])
    expect(codesOf(page)).toEqual([])
  })

  it.each([
    ['cannot replace', formats],
    ['cannot replace it any more', replacing],
  ])('follows the one before in a format that %s', (_, by) => {
    const page = new Page()
    page.canReplace = false
    for (const event of [delta('old', 0, 0), replace, delta('er', 1, 1), whole('newer')])
      write(page, event, by)
    expect([...page.shown.values()]).toEqual([
      { text: 'old', phase: 'cut' },
      { text: 'newer', phase: 'complete' },
    ])
    expect(codesOf(page)).toEqual(['lossy:content'])
  })
})
