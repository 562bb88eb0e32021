/** Agents of frameworks, run by their own packages: what they yield is a legal task from which nothing is missing. */
import { deepStrictEqual } from 'node:assert/strict'
import { type ContextAnyEvent, createEmitter, type EventDraft, iterate, run } from 'turnstream'
import { fromAdk, fromClaudeAgent, fromCodex, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import { fromUiMessageStream, type UiMessageChunk } from 'turnstream/ai-sdk'
import type { Agent } from 'turnstream/server'
import { verifier } from 'turnstream/streams'
import type { FrameworkOptions } from '../../../src/agents/frameworks/read-framework.ts'
import { answered } from '../../support/answered-agent.ts'
import { runClaude } from '../coding-agents/claude.ts'
import { claudeAgent, payByAgent } from '../coding-agents/claude-permission.ts'
import { runCodex } from '../coding-agents/codex.ts'
import type { Step } from '../step.ts'
import { checkAcp } from './acp.ts'
import { runAdk } from './adk.ts'
import { adkAgent, askingNodes, langGraphAgent, openaiAgent } from './approvals.ts'
import { runLangGraph } from './langgraph.ts'
import { runOpenaiAgents } from './openai-agents.ts'
import { streamOfAiSdk, streamOfLangchain, streamOfMastra, streamOfOpenaiAgents } from './ui-streams.ts'

type Read = (
  source: AsyncIterable<unknown>,
  options: FrameworkOptions,
) => AsyncIterable<EventDraft | ContextAnyEvent>

/** What a run is read as. */
interface Expected {
  /** Whether each tool succeeds, in any order. */
  readonly tools: readonly boolean[]
  readonly thoughts: readonly string[]
  /** The codes of the diagnostics. Omitted: none. */
  readonly codes?: readonly string[]
}

const whole: Expected = { tools: [false, true], thoughts: ['The tide table.'] }
const task = { contextId: 'c', taskId: 't' }

export const frameworkSteps: readonly Step[] = [
  { name: 'frameworks: LangGraph.js', run: () => checkRun(runLangGraph, fromLangGraph) },
  { name: 'frameworks: OpenAI Agents SDK', run: () => checkRun(runOpenaiAgents, fromOpenaiAgents) },
  { name: 'frameworks: ACP, an agent on its SDK', run: checkAcp },
  { name: 'frameworks: Google ADK', run: () => checkRun(runAdk, fromAdk) },
  { name: 'frameworks: LangGraph.js, an approval', run: () => checkApproval(langGraphAgent) },
  { name: 'frameworks: LangGraph.js, questions of nodes that run at the same time', run: checkQuestions },
  { name: 'frameworks: OpenAI Agents SDK, an approval', run: () => checkApproval(openaiAgent) },
  { name: 'frameworks: Google ADK, an approval', run: () => checkApproval(adkAgent) },
  { name: 'frameworks: Claude Agent SDK, a permission', run: () => checkApproval(claudeAgent) },
  {
    name: 'frameworks: Claude Agent SDK, a permission of a subagent',
    run: () => checkApproval(() => claudeAgent(payByAgent), [true]),
  },
  {
    name: 'frameworks: Claude Agent SDK, a subagent in the background',
    run: () => checkRun(runClaude, fromClaudeAgent, { ...whole, tools: [false, true, true] }),
  },
  {
    name: 'frameworks: codex exec --json',
    // It knows no model of this name.
    run: () => checkRun(runCodex, fromCodex, { ...whole, codes: ['provider-warning'] }),
  },
  { name: 'UI message streams: AI SDK', run: () => checkUiStream(streamOfAiSdk, whole) },
  {
    name: 'UI message streams: Mastra',
    run: () => checkUiStream(streamOfMastra, { ...whole, thoughts: [] }),
  },
  {
    name: 'UI message streams: LangChain',
    // It writes no whole arguments.
    run: () => checkUiStream(streamOfLangchain, { ...whole, codes: ['inferred:tool-start'] }),
  },
  {
    name: 'UI message streams: OpenAI Agents SDK',
    // It writes a tool that fails as one that succeeds, and no reasoning.
    run: () => checkUiStream(streamOfOpenaiAgents, { tools: [true, true], thoughts: [] }),
  },
]

async function checkRun(
  start: () => Promise<AsyncIterable<unknown>> | AsyncIterable<unknown>,
  read: Read,
  expected = whole,
): Promise<string> {
  const codes: string[] = []
  // A reader continues what an earlier run of the same task has left.
  const own = { ...task }
  const { emit } = createEmitter(own)
  const events: ContextAnyEvent[] = [
    emit({ kind: 'task-created', initiator: 'user' }),
    emit({ kind: 'task-status', status: 'working' }),
  ]
  for await (const one of read(await start(), { task: own, onDiagnostic: ({ code }) => codes.push(code) })) {
    events.push('contextId' in one ? one : emit(one))
  }
  return check(events, codes, expected)
}

/** A call runs if it is approved, and only then. `others`: whether those succeed that need no approval. */
async function checkApproval(
  newAgent: () => Promise<Agent>,
  others: readonly boolean[] = [],
): Promise<string> {
  const needsApproval = ({ toolName }: { readonly toolName: string }): boolean => toolName.endsWith('pay')
  for (const outcome of ['answered', 'declined']) {
    const { events, errors } = await answered(await newAgent(), { outcome }, needsApproval)
    deepStrictEqual(errors, [], 'errors')
    const starts = events.flatMap((event) =>
      event.kind === 'tool-start' && needsApproval(event) ? [event.arguments] : [],
    )
    deepStrictEqual(starts, outcome === 'answered' ? [{ amount: 5 }] : [], 'calls that started')
    check(events, [], { tools: [outcome === 'answered', ...others], thoughts: [] })
    const last = events.at(-1)
    deepStrictEqual(last?.kind === 'task-status' && last.status, 'completed', 'the end')
  }
  return 'approved and declined'
}

/** Each question is asked once, whichever is answered first. */
async function checkQuestions(): Promise<string> {
  const { events, errors } = await answered(await askingNodes(), { value: 'This one.' })
  deepStrictEqual(errors, [], 'errors')
  const asked = events.flatMap((event) => (event.kind === 'input-required' ? [event.inputId] : []))
  deepStrictEqual([asked.length, new Set(asked).size], [4, 4], 'questions')
  return check(events, [], { tools: [], thoughts: [] })
}

async function checkUiStream(
  start: () => Promise<AsyncIterable<unknown>>,
  expected: Expected,
): Promise<string> {
  const codes: string[] = []
  const onDiagnostic = ({ code }: { readonly code: string }): unknown => codes.push(code)
  const events: ContextAnyEvent[] = []
  const reader = fromUiMessageStream({ ...task, now: Date.now })
  for await (const event of iterate(reader, (await start()) as AsyncIterable<UiMessageChunk>, {
    onDiagnostic,
  }))
    events.push(event)
  return check(events, codes, expected)
}

/** The events are legal, and nothing is missing. */
function check(events: readonly ContextAnyEvent[], codes: readonly string[], expected: Expected): string {
  const { push } = run(verifier())
  deepStrictEqual(
    events.flatMap((event) => push(event)),
    [],
    'broken rules',
  )
  deepStrictEqual(codes, expected.codes ?? [], 'diagnostics')
  const tools = events.flatMap((event) => (event.kind === 'tool-complete' ? [event.success] : []))
  deepStrictEqual(tools.sort(), [...expected.tools].sort(), 'tools')
  const thoughts = events.flatMap((event) => (event.kind === 'thought-stream' ? [event.content] : []))
  deepStrictEqual(thoughts, expected.thoughts, 'thoughts')
  return `${events.length} events`
}
