/** Helpers of the tests in this folder: running machines, and arbitraries of streams. */

import fc from 'fast-check'
import { type Diagnostic, type Machine, run } from '../../../src/core/machine.ts'
import type { AgentEvent } from '../../../src/dialects/agent-event/index.ts'
import { jsonValue } from '../../support/json.ts'

/** The output and diagnostics of a machine for a whole stream. */
export function through<S, In, Out, End>(
  machine: Machine<S, In, Out, End>,
  inputs: readonly In[],
  reason?: End,
): { out: Out[]; diagnostics: Diagnostic[]; codes: string[] } {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(machine, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  const out = inputs.flatMap((input) => [...push(input)])
  out.push(...end(reason))
  return { out, diagnostics, codes: diagnostics.map(({ code }) => code) }
}

/** The options of a deterministic conversion. */
export const clockAndIds = { contextId: 'ctx', taskId: 'task', now: () => '2026-03-01T08:00:00Z' }

const toolName = fc.constantFrom('read', 'write', 'search')
const text = fc.string({ maxLength: 6 })
const toolArgs = fc.oneof(
  fc
    .dictionary(fc.string({ maxLength: 3 }), jsonValue({ maxDepth: 1 }))
    .map((value) => JSON.stringify(value)),
  fc.constantFrom('{ "a" : 1 }', '{"__proto__":{"b":1}}', '[]', 'not json', ''),
)
/** Data of a progress: any JSON, or close to the form that stands for the fields of `tool-progress`. */
const progressData: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: jsonValue({ maxDepth: 2 }) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        subtype: fc.constantFrom('tool_progress', 'other'),
        progress: fc.constantFrom(0, 0.25, 0.5, 1, 2),
        message: text,
        metadata: fc.dictionary(fc.constantFrom('data', 'step', 'more'), jsonValue({ maxDepth: 0 }), {
          noNullPrototype: true,
        }),
      },
      { requiredKeys: ['subtype', 'progress'], noNullPrototype: true },
    ),
  },
)
const isError = fc.constantFrom<{ isError?: boolean }>({}, { isError: true }, { isError: false })

/** Any event, in any order. */
export const agentEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ type: fc.constant('thought' as const), content: text }),
  fc.record(
    { type: fc.constant('tool_call' as const), toolName, toolArgs, toolCallId: fc.constantFrom('x', 'y') },
    { requiredKeys: ['type', 'toolName', 'toolArgs'] },
  ),
  fc.record(
    {
      type: fc.constant('tool_progress' as const),
      toolName,
      data: progressData,
      toolCallId: fc.constantFrom('x', 'y'),
    },
    { requiredKeys: ['type', 'toolName'] },
  ) as fc.Arbitrary<unknown> as fc.Arbitrary<AgentEvent>,
  fc
    .record(
      {
        type: fc.constant('tool_result' as const),
        toolName,
        output: text,
        toolCallId: fc.constantFrom('x', 'y'),
      },
      { requiredKeys: ['type', 'toolName', 'output'] },
    )
    .chain((event) => isError.map((more) => ({ ...event, ...more }))),
  fc.record({ type: fc.constant('stream' as const), content: text }),
  fc.constant({ type: 'final' as const }),
  fc.record({ type: fc.constant('error' as const), error: text }),
)

/** Valid and invalid input. */
export const anything: fc.Arbitrary<AgentEvent> = fc.oneof(
  { weight: 8, arbitrary: agentEvent },
  { weight: 1, arbitrary: jsonValue() as fc.Arbitrary<unknown> as fc.Arbitrary<AgentEvent> },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('tool_call', 'later'),
      toolName: fc.anything(),
    }) as fc.Arbitrary<unknown> as fc.Arbitrary<AgentEvent>,
  },
)

type Move = {
  do: 'think' | 'write' | 'call' | 'progress' | 'finish'
  at: number
  text: string
  args: string
  data: unknown
}

const move: fc.Arbitrary<Move> = fc.record({
  do: fc.constantFrom<Move['do']>('think', 'write', 'call', 'progress', 'finish'),
  at: fc.nat({ max: 9 }),
  text,
  args: toolArgs,
  data: progressData,
})

/** A legal stream: a result for every call, one end. With ids, concurrent calls of one tool. */
export function legalStream(withIds: boolean): fc.Arbitrary<AgentEvent[]> {
  return fc.tuple(fc.array(move, { maxLength: 24 }), fc.boolean(), text).map(([moves, fails, end]) => {
    const events: AgentEvent[] = []
    const open: { toolName: string; toolCallId?: string }[] = []
    for (const [i, { do: what, at, text: content, args, data }] of moves.entries()) {
      const call = open[at % Math.max(open.length, 1)]
      if (what === 'think') events.push({ type: 'thought', content })
      else if (what === 'write') events.push({ type: 'stream', content })
      else if (what === 'call') {
        const name = ['read', 'write', 'search'][at % 3] ?? 'read'
        if (!withIds && open.some((other) => other.toolName === name)) continue
        const opened = withIds ? { toolName: name, toolCallId: `id-${i}` } : { toolName: name }
        open.push(opened)
        events.push({ type: 'tool_call', toolArgs: args, ...opened })
      } else if (call !== undefined && what === 'progress')
        events.push({ type: 'tool_progress', data, ...call })
      else if (call !== undefined) {
        open.splice(open.indexOf(call), 1)
        const failed = at % 2 === 0 ? { isError: true } : {}
        events.push({ type: 'tool_result', output: content, ...failed, ...call })
      }
    }
    if (fails) return [...events, { type: 'error', error: end }]
    for (const call of open) events.push({ type: 'tool_result', output: end, ...call })
    return [...events, { type: 'final' }]
  })
}
