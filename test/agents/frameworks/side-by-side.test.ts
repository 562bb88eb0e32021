// Proves that the answers of branches that run at the same time are whole, however their pieces come.
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type EventDraft, run } from 'turnstream'
import { fromAdk, fromLangGraph } from 'turnstream/agents'
import { verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'

/** A branch that answers in pieces, as each framework sends it. */
interface Framework {
  readonly read: (source: Iterable<unknown>, onDiagnostic: () => void) => AsyncIterable<unknown>
  piece(branch: string, text: string): unknown
  end(branch: string, text: string): readonly unknown[]
}

const langGraphMessage = (branch: string, kwargs: object): unknown => [
  'messages',
  [
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'AIMessageChunk'],
      kwargs: { id: branch, ...kwargs },
    },
    { langgraph_node: branch, langgraph_step: 1, langgraph_checkpoint_ns: `${branch}:1` },
  ],
]
const adkEvent = (branch: string, text: string, rest: object): unknown => ({
  ...{ author: branch, branch: `all.${branch}`, id: branch, content: { role: 'model', parts: [{ text }] } },
  ...rest,
})

const frameworks: Readonly<Record<string, Framework>> = {
  LangGraph: {
    read: (source, onDiagnostic) => fromLangGraph(source, { onDiagnostic }),
    piece: (branch, content) => langGraphMessage(branch, { content }),
    end: (branch) => [
      langGraphMessage(branch, { content: '', response_metadata: { finish_reason: 'stop' } }),
      ['updates', { [branch]: {} }],
    ],
  },
  'LangGraph, of a model that does not state its end': {
    read: (source, onDiagnostic) => fromLangGraph(source, { onDiagnostic }),
    piece: (branch, content) => langGraphMessage(branch, { content }),
    end: (branch) => [['updates', { [branch]: {} }]],
  },
  ADK: {
    read: (source, onDiagnostic) => fromAdk(source, { onDiagnostic }),
    piece: (branch, text) => adkEvent(branch, text, { partial: true }),
    end: (branch, text) => [adkEvent(branch, text, { finishReason: 'STOP' })],
  },
}

/** Three branches, and the order in which their items come. */
const words = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 6 })
const orders = fc.array(fc.nat(2), { minLength: 30, maxLength: 30 })

describe.each(Object.entries(frameworks))('%s', (_, { read, piece, end }) => {
  it('reads each answer as a whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(words, words, words), orders, async (answers, order) => {
        const branches = answers.map((pieces, n) => [
          ...pieces.map((text) => piece(`b${n}`, text)),
          ...end(`b${n}`, pieces.join('')),
        ])
        const source: unknown[] = []
        for (const n of [...order, ...[0, 1, 2].flatMap((n) => Array(10).fill(n))])
          source.push(...(branches[n]?.splice(0, 1) ?? []))
        const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
        const events: ContextAnyEvent[] = [
          emit({ kind: 'task-created', initiator: 'user' }),
          emit({ kind: 'task-status', status: 'working' }),
        ]
        let reports = 0
        for await (const draft of read(source, () => reports++)) events.push(emit(draft as EventDraft))
        const texts = events.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))
        expect(texts.sort()).toEqual(answers.map((pieces) => pieces.join('')).sort())
        const { push } = run(verifier())
        expect(events.flatMap((event) => push(event))).toEqual([])
        expect(reports).toBe(0)
      }),
      { numRuns: runs(300) },
    )
  })
})
