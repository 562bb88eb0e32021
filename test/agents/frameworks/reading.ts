/** Reading what frameworks have sent, as tests do. */

import { readFileSync } from 'node:fs'
import {
  type ContextAnyEvent,
  createEmitter,
  type Diagnostic,
  type Emitter,
  type EventDraft,
  run,
} from 'turnstream'
import { fromAdk, fromClaudeAgent, fromCodex, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import { verifier } from 'turnstream/streams'
import type { FrameworkOptions } from '../../../src/agents/frameworks/read-framework.ts'
import type { FrameworkTask } from '../../../src/agents/frameworks/run-memory.ts'

export type Source = Iterable<unknown> | AsyncIterable<unknown>
export type Read = (source: Source, options?: FrameworkOptions) => AsyncIterable<EventDraft | ContextAnyEvent>

export const ids = { contextId: 'c', taskId: 't' }
export const linesOf = (name: string): string[] =>
  readFileSync(`test/fixtures/frameworks/${name}.jsonl`, 'utf8').trim().split('\n')

/** A task as its agent gets it: another object each. */
export const newTask = (more: Partial<FrameworkTask> = {}): FrameworkTask => ({ ...ids, ...more })

/** The events of the task, and what is reported. */
export async function read(
  from: Read,
  inputs: Source,
  task: FrameworkTask = newTask(),
  emitter: Emitter = createEmitter(ids),
): Promise<{ events: ContextAnyEvent[]; codes: string[] }> {
  const diagnostics: Diagnostic[] = []
  const events = [
    emitter.emit({ kind: 'task-created', initiator: 'user' }),
    emitter.emit({ kind: 'task-status', status: 'working' }),
  ] as ContextAnyEvent[]
  for await (const one of from(inputs, { task, onDiagnostic: (d) => diagnostics.push(d) })) {
    events.push('contextId' in one ? (one as ContextAnyEvent) : (emitter.emit(one) as ContextAnyEvent))
  }
  const last = events.at(-1)
  if (last?.kind === 'task-complete')
    events.push(emitter.emit({ kind: 'task-status', status: 'completed' }) as ContextAnyEvent)
  return { events, codes: diagnostics.map(({ code }) => code) }
}

export const violations = (events: readonly ContextAnyEvent[]): unknown[] => {
  const { push, end } = run(verifier())
  // A task that waits for an answer has no end yet.
  const isOpen = events.some(({ kind }) => kind === 'input-required')
  return [...events.flatMap((event) => push(event)), ...end()].filter(
    ({ rule }) => !(isOpen && rule === 'task-ends'),
  )
}
export const text = (events: readonly ContextAnyEvent[]): string =>
  events
    .flatMap((event) =>
      event.kind === 'content-complete' && event.parentTaskId === undefined ? [event.content] : [],
    )
    .join('|')
export const tools = (events: readonly ContextAnyEvent[]): (readonly unknown[])[] =>
  events.flatMap((event) =>
    event.kind === 'tool-complete'
      ? [[event.toolCallId, event.toolName, event.success, event.success ? event.result : event.error]]
      : [],
  )
export const thoughts = (events: readonly ContextAnyEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'thought-stream' ? [event.content] : []))
export const usage = (events: readonly ContextAnyEvent[]): unknown =>
  events.flatMap((event) =>
    event.kind === 'task-complete' && event.parentTaskId === undefined ? [event.metadata?.usage] : [],
  )[0]
export const questions = (events: readonly ContextAnyEvent[]): unknown[] =>
  events.flatMap((event) => (event.kind === 'input-required' ? [[event.inputId, event.inputType]] : []))

/** Each recording, and what reads it. */
export const frameworks: readonly (readonly [name: string, from: Read])[] = [
  ['langgraph', fromLangGraph],
  ['openai-agents', fromOpenaiAgents],
  ['openai-agents-resumed', fromOpenaiAgents],
  ['adk', fromAdk],
  ['claude-agent', fromClaudeAgent],
  ['claude-agent-background', fromClaudeAgent],
  ['codex', fromCodex],
  ['codex-exec', fromCodex],
]
