// Proves that the view is shown as its parts are, and that an event leads to what it changed.

import fc from 'fast-check'
import { emptyView, foldEvent } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { isWellFormed } from '../../src/encoding/surrogates.ts'
import { type BlockText, MAX_ROWS, MAX_TEXT } from '../../src/viewer/model/block-text.ts'
import { blocksOf, changedBy, MAX_PARTS } from '../../src/viewer/model/blocks.ts'
import { legalStreams } from '../support/legal-streams.ts'

it('an event leads to the part it changed: one that was not in the view before', () => {
  fc.assert(
    fc.property(legalStreams({ internal: false }), (events) => {
      let view = emptyView
      for (const event of events) {
        const before = view
        view = foldEvent(before, event)
        const source = changedBy(view, event)
        const sources = blocksOf(view).map((block) => block.source)
        expect(sources).toContain(source)
        // Parts that an event leaves as they are, such as by an empty delta, are the same; the task has its time.
        const changed = sources.filter((each) => !blocksOf(before).some((block) => block.source === each))
        if (changed.length === 2 && event.kind !== 'task-status') expect(changed).toContain(source)
      }
    }),
  )
})

it('the blocks are the tasks and their parts, in order', () => {
  fc.assert(
    fc.property(legalStreams(), (events) => {
      const view = events.reduce(foldEvent, emptyView)
      const sources = blocksOf(view).map((block) => block.source)
      const expected = view.tasks.flatMap((task) => [task, ...task.parts.slice(-MAX_PARTS)])
      expect(sources.filter((source) => typeof source !== 'string')).toEqual(expected)
    }),
  )
})

it('parts beyond the limit are counted', () => {
  const timestamp = '2026-01-01T00:00:00Z'
  const event = { contextId: 'c', taskId: 't', timestamp, kind: 'custom', data: null } as const
  let view = emptyView
  for (let i = 0; i < MAX_PARTS + 5; i++)
    view = foldEvent(view, { ...event, name: 'acme.x', customId: `${i}` })
  const [task, hidden, ...parts] = blocksOf(view)
  expect(task?.family).toBe('task')
  expect(hidden?.source).toBe('5 earlier parts not shown')
  expect(parts).toHaveLength(MAX_PARTS)
})

const timestamp = '2026-01-01T00:00:00Z'
const place = { contextId: 'c', taskId: 't', timestamp } as const
const wholeOf = (body: BlockText | undefined): string | undefined => body?.whole?.text() ?? body?.shown
const longText = fc
  .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), fc.nat(400))
  .map(([text, times]) => text.repeat(times + 1))

describe('a long text', () => {
  it('is that of the view, and its end is shown at first', () => {
    fc.assert(
      fc.property(longText, longText, (text, thinking) => {
        const view = [
          { ...place, kind: 'thought-delta', thoughtId: 'x', index: 0, delta: thinking } as const,
          { ...place, kind: 'content-delta', index: 0, delta: text } as const,
        ].reduce(foldEvent, emptyView)
        const [, thought, content] = blocksOf(view)
        for (const [body, expected] of [
          [thought?.body, thinking],
          [content?.body, text],
        ] as const) {
          expect(wholeOf(body)).toBe(expected)
          expect(body?.whole !== undefined).toBe(expected.length > MAX_TEXT)
          expect(body?.shown.length).toBeLessThanOrEqual(MAX_TEXT + 2)
          expect(expected.endsWith(body?.shown.replace(/^… /, '') ?? '-')).toBe(true)
          expect(isWellFormed(body?.shown ?? '')).toBe(isWellFormed(expected))
        }
      }),
    )
  })

  it('of a task has its input and result, whole', () => {
    fc.assert(
      fc.property(longText, longText, (input, content) => {
        const view = [
          { ...place, kind: 'task-created', initiator: 'user', metadata: { input } } as const,
          { ...place, kind: 'task-complete', content } as const,
        ].reduce(foldEvent, emptyView)
        expect(wholeOf(blocksOf(view)[0]?.body)).toBe(`${input}\n${content}`)
      }),
    )
  })

  it('of a dataset has all rows', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ text: fc.string() }), { minLength: 1, maxLength: 60 }), (rows) => {
        const write = { ...place, kind: 'dataset-write', artifactId: 'a', rows, index: 0, complete: true }
        const body = blocksOf(foldEvent(emptyView, write as never))[1]?.body
        expect(JSON.parse(wholeOf(body) ?? '')).toEqual(rows)
        if (rows.length > MAX_ROWS) expect(body?.whole?.size).toBe(`${rows.length} rows`)
      }),
    )
  })
})

it('a part has one key while the view grows, and no other of another type has it', () => {
  fc.assert(
    fc.property(legalStreams(), (events) => {
      const keys = new Map<string, string>()
      let view = emptyView
      for (const event of events) {
        view = foldEvent(view, event)
        const blocks = blocksOf(view).filter(({ source }) => typeof source !== 'string')
        expect(new Set(blocks.map(({ key }) => key)).size).toBe(blocks.length)
        for (const { key, source } of blocks) {
          const type = typeof source !== 'string' && 'type' in source ? source.type : 'task'
          expect(keys.get(key) ?? type).toBe(type)
          keys.set(key, type)
        }
      }
    }),
  )
})
