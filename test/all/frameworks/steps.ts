/** Agents of frameworks, run by their own packages: what they yield is a legal task from which nothing is missing. */
import { deepStrictEqual } from 'node:assert/strict'
import { type ContextAnyEvent, createEmitter, type EventDraft, run } from 'turnstream'
import { type FrameworkOptions, fromAdk, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import { verifier } from 'turnstream/streams'
import { mcpSteps } from '../mcp/steps.ts'
import type { Step } from '../step.ts'
import { checkAcp } from './acp.ts'
import { runAdk } from './adk.ts'
import { runLangGraph } from './langgraph.ts'
import { runOpenaiAgents } from './openai-agents.ts'

type Read = (
  source: AsyncIterable<unknown>,
  options: FrameworkOptions,
) => AsyncIterable<EventDraft | ContextAnyEvent>

export const frameworkSteps: readonly Step[] = [
  { name: 'frameworks: LangGraph.js', run: () => check(runLangGraph, fromLangGraph) },
  { name: 'frameworks: OpenAI Agents SDK', run: () => check(runOpenaiAgents, fromOpenaiAgents) },
  { name: 'frameworks: ACP, an agent on its SDK', run: checkAcp },
  { name: 'frameworks: Google ADK', run: () => check(runAdk, fromAdk) },
  ...mcpSteps,
]

async function check(start: () => Promise<AsyncIterable<unknown>>, read: Read): Promise<string> {
  const codes: string[] = []
  const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
  const events: ContextAnyEvent[] = [
    emit({ kind: 'task-created', initiator: 'user' }),
    emit({ kind: 'task-status', status: 'working' }),
  ]
  for await (const draft of read(await start(), { onDiagnostic: ({ code }) => codes.push(code) })) {
    events.push(emit(draft as EventDraft))
  }
  const { push } = run(verifier())
  deepStrictEqual(
    events.flatMap((event) => push(event)),
    [],
    'broken rules',
  )
  deepStrictEqual(codes, [], 'diagnostics')
  const tools = events.flatMap((event) =>
    event.kind === 'tool-complete' ? [[event.toolCallId, event.success]] : [],
  )
  deepStrictEqual(tools, [
    ['call_1', true],
    ['call_2', false],
  ])
  const thoughts = events.flatMap((event) => (event.kind === 'thought-stream' ? [event.content] : []))
  deepStrictEqual(thoughts, ['The tide table.'])
  return `${events.length} events`
}
