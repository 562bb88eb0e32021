/** Moves of an agent: internal events. */
import { type Bare, choose, type Move } from './agent.ts'
import { usageOf } from './content.ts'
import { advanceIteration } from './iterations.ts'

export const emitInternal: Move = (agent, task, choice) => {
  const stages = ['pre-llm', 'post-llm', 'pre-tool', 'post-tool'] as const
  if (task.stage === stages.length) {
    advanceIteration(task)
  }
  const { iteration } = task
  const tool = { toolCallId: 'call-0', toolName: 'search' }
  const traces: Bare[] = [
    {
      kind: 'internal:thought-process',
      iteration,
      stage: stages[task.stage] ?? 'pre-llm',
      reasoning: choice.text,
      state: choice.json,
    },
    {
      kind: 'internal:llm-call',
      iteration,
      model: 'model-1',
      messageCount: choice.number,
      toolCount: 1,
      ...(choice.flag && { metadata: { usage: usageOf(choice) } }),
    },
    { kind: 'internal:checkpoint', iteration, ...(choice.flag && { state: { turn: choice.json } }) },
    { kind: 'internal:tool-start', ...tool },
    {
      kind: 'internal:tool-complete',
      ...tool,
      success: choice.flag,
      ...(!choice.flag && { error: choice.text }),
    },
  ]
  const [trace] = choose(
    traces.map((one) => [one] as const),
    choice,
  )
  if (trace.kind === 'internal:thought-process') task.stage += 1
  agent.emit(task, trace, choice)
}
