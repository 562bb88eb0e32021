// Tests the arguments of tool calls while they are written.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePartialJson } from '../../../../src/json/index.ts'
import { emptyView, foldEvent, type View } from '../../../../src/streams/index.ts'
import type { ToolPart } from '../../../../src/streams/view/parts.ts'
import { jsonValue } from '../../../support/json.ts'
import { runs } from '../../../support/runs.ts'
import { fold } from '../../verify/support.ts'
import { events } from '../support.ts'

const tool = { toolCallId: 'c', toolName: 't' }
const delta = (text: string, index: number) => ({ kind: 'tool-arguments-delta', ...tool, delta: text, index })
const callIn = (view: View): ToolPart => view.tasks[0]?.parts[0] as ToolPart

describe('streamed arguments', () => {
  it('are after each delta what the text so far gives, also of a stored view', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), jsonValue({ maxDepth: 2 })),
        fc.array(fc.nat(12), { minLength: 1 }),
        fc.boolean(),
        (value, sizes, isStored) => {
          const json = JSON.stringify(value)
          let view: View = emptyView
          for (let at = 0, index = 0; at < json.length; index++) {
            const text = json.slice(at, at + (sizes[index % sizes.length] ?? 0) + 1)
            at += text.length
            view = foldEvent(view, events(delta(text, index))[0] as never)
            if (isStored) view = JSON.parse(JSON.stringify(view)) as View
            const { argumentsText, argumentsComplete, arguments: partial, status } = callIn(view)
            const { value: expected } = parsePartialJson(json.slice(0, at))
            expect({ argumentsText, argumentsComplete, status }).toEqual({
              argumentsText: json.slice(0, at),
              argumentsComplete: false,
              status: 'writing',
            })
            expect(partial).toEqual(expected)
          }
          expect(callIn(view).arguments).toEqual(JSON.parse(json))
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it('are complete when the tool starts, and their text is gone', () => {
    const start = { kind: 'tool-start', ...tool, arguments: { a: 2 } }
    expect(callIn(fold(events(delta('{"a":1', 0), start)))).toEqual({
      type: 'tool',
      at: '2026-01-01T00:00:00Z',
      status: 'running',
      ...tool,
      arguments: { a: 2 },
      argumentsComplete: true,
    })
  })

  it('stay as they are if they are cut off', () => {
    const cut = { kind: 'tool-complete', ...tool, success: false, error: 'max_tokens' }
    expect(callIn(fold(events(delta('{"a":[1,2', 0), cut)))).toMatchObject({
      status: 'failed',
      arguments: { a: [1] },
      argumentsComplete: false,
      argumentsText: '{"a":[1,2',
    })
  })

  it('are not shown once a piece is missing, or if they are no object', () => {
    const gap = callIn(fold(events(delta('{"a":1,', 0), delta('"c":3}', 2))))
    expect(gap).toMatchObject({ argumentsText: '{"a":1,"c":3}', hasGap: true, nextIndex: 3 })
    expect(gap).not.toHaveProperty('arguments')
    const later = callIn(fold(events(delta('{"a":1,', 0), delta('"c":3', 2), delta('}', 3))))
    expect(later).not.toHaveProperty('arguments')
    expect(callIn(fold(events(delta('[1]', 0))))).not.toHaveProperty('arguments')
  })
})
