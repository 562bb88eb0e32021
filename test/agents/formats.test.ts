// Proves that turns of one provider are read by each other one, and that what is lost is reported.
import fc from 'fast-check'
import { type Diagnostic, run } from 'turnstream'
import type { ModelFormat, Turn } from 'turnstream/agents'
import { describe, expect, it } from 'vitest'
import { callIdsOf, UniqueIds } from '../../src/agents/unique-ids.ts'
import type { AssistantTurn } from '../../src/turns/turn.ts'
import { type FakeProvider, providers, type Said } from './models.ts'

const call = { id: 'c-1', name: 'add', arguments: '{"a":1,"b":2}' }
const said: Said = { text: 'One moment.', thought: 'Add first.', calls: [call] }

function turnOf({ format, chunks }: FakeProvider, said: Said): AssistantTurn {
  const reader = run(format.reader({ iteration: 0, messageCount: 1, toolCount: 1 }))
  for (const chunk of chunks(said, 0)) reader.push(chunk)
  reader.end({})
  return format.turn(reader.state)
}

const question: Turn = { role: 'user', content: 'What is 1 + 2?' }
const result: Turn = {
  role: 'tool',
  results: [{ toolCallId: 'c-1', toolName: 'add', success: true, result: { sum: 3 } }],
}
/** The ids of calls, and those that results name, in messages of any format. */
function idsIn(messages: readonly unknown[]): { called: unknown[]; answered: unknown[] } {
  const called: unknown[] = []
  const answered: unknown[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, id, function: named, call_id, tool_call_id, tool_use_id } = value as Record<string, unknown>
    const { functionCall, functionResponse } = value as Record<string, { id: unknown } | undefined>
    if (named !== undefined || type === 'tool_use') called.push(id)
    if (type === 'function_call') called.push(call_id)
    if (functionCall !== undefined) called.push(functionCall.id)
    if (type === 'function_call_output') answered.push(call_id)
    if (functionResponse !== undefined) answered.push(functionResponse.id)
    if (tool_call_id !== undefined || tool_use_id !== undefined) answered.push(tool_call_id ?? tool_use_id)
    for (const part of Object.values(value)) visit(part)
  }
  visit(messages)
  return { called, answered }
}

const pairs = providers.flatMap((from) =>
  providers.filter((to) => to !== from).map((to) => ({ from, to, names: `${from.name} → ${to.name}` })),
)

describe.each(pairs)('$names', ({ from, to }) => {
  it('keeps texts, calls and results, and reports what is lost', () => {
    const lost: Diagnostic[] = []
    const turns = [question, turnOf(from, said), result]
    const sent = JSON.stringify(to.format.messages(turns, (diagnostic) => lost.push(diagnostic)))
    for (const kept of ['What is 1 + 2?', 'One moment.', 'c-1', 'add', 'sum']) expect(sent).toContain(kept)
    expect(sent).not.toContain('Add first.')
    expect(lost).toMatchObject([{ code: 'lossy:content', detail: { format: from.format.name } }])
  })

  it('answers each call by the id that it is sent with, whatever ids the responses gave', () => {
    const ids = fc.array(fc.uniqueArray(fc.constantFrom('c-1', 'c-2', 'c-1-2'), { minLength: 1 }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(ids, fc.boolean(), (responses, isBack) => {
        const turns: Turn[] = [question]
        for (const named of responses) {
          const given = turnOf(from, { calls: named.map((id) => ({ ...call, id })) })
          const turn = new UniqueIds(callIdsOf(turns)).ofTurn(given)
          const results = (turn.calls ?? []).map(({ toolCallId, toolName }) => {
            return { toolCallId, toolName, success: true, result: toolCallId }
          })
          turns.push(turn, { role: 'tool', results })
        }
        const { called, answered } = idsIn((isBack ? from : to).format.messages(turns))
        expect(called).toHaveLength(responses.flat().length)
        expect(answered).toEqual(called)
      }),
    )
  })

  it('reports nothing if nothing is lost', () => {
    const lost: Diagnostic[] = []
    const { thought: _, ...plain } = said
    to.format.messages([question, turnOf(from, plain), result], (diagnostic) => lost.push(diagnostic))
    expect(lost).toEqual([])
  })
})

describe.each(providers)('$name', (provider) => {
  const { format } = provider as { format: ModelFormat<unknown> }

  it('sends a result for each call, whatever the turns lack', () => {
    const turn = turnOf(provider, said)
    for (const turns of [
      [question, turn],
      [question, turn, question],
      [question, turn, { role: 'tool', results: [] } as const],
    ]) {
      expect(JSON.stringify(format.messages(turns))).toContain('The call has no result')
    }
  })

  it('says which arguments a user has changed', () => {
    const edited: Turn = {
      role: 'tool',
      results: [{ toolCallId: 'c-1', toolName: 'add', success: true, result: 8, arguments: '{"a":4,"b":4}' }],
    }
    const sent = JSON.stringify(format.messages([question, turnOf(provider, said), edited]))
    expect(sent).toContain('The user has changed the arguments to')
  })

  it('reads turns of agents without a model, and structured input', () => {
    const messages = format.messages([
      { role: 'user', content: { topic: 'sums' } },
      { role: 'assistant', text: 'Hello.' },
      { role: 'assistant', text: '' },
    ])
    expect(messages).toHaveLength(2)
    expect(JSON.stringify(messages)).toContain('Hello.')
    expect(JSON.stringify(messages)).toContain('sums')
  })

  it('makes the same messages of turns that were stored', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (thought, text) => {
        const turns = [question, turnOf(provider, { thought, text, calls: [call] }), result]
        expect(format.messages(JSON.parse(JSON.stringify(turns)))).toEqual(format.messages(turns))
      }),
    )
  })
})
