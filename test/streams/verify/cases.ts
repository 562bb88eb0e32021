/** Streams as short lists of fields, and the rules they break. */
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import type { VerifierOptions } from '../../../src/streams/verify/verifier.ts'
import { expectPlainMessages, rulesOf, verify } from './support.ts'
import { expectKnownShapes } from './violation-shapes.ts'

export const context = { contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' }

export const created: ContextAnyEvent = { kind: 'task-created', ...context, initiator: 'user' }

export function status(name: string): ContextAnyEvent {
  return { kind: 'task-status', ...context, status: name } as ContextAnyEvent
}

/** A write of the record `d`. */
export function record(more: object): object {
  return { kind: 'data-write', artifactId: 'd', data: {}, ...more }
}

/** A change of the record `d`. */
export function change(baseVersion: number, version: number): object {
  return {
    kind: 'artifact-delta',
    artifactId: 'd',
    baseVersion,
    version,
    change: { type: 'merge-patch', patch: {} },
  }
}

export const thinking = { kind: 'internal:thought-process', reasoning: '', state: {} }

/** The start of a call of the tool `t`, without arguments. */
export function start(toolCallId: string): object {
  return { kind: 'tool-start', toolCallId, toolName: 't', arguments: {} }
}

/** A piece of the arguments of a call. */
export function piece(toolCallId: string, delta: string, index: number): object {
  return { kind: 'tool-arguments-delta', toolCallId, toolName: 't', delta, index }
}

export function ended(toolCallId: string): object {
  return { kind: 'tool-complete', toolCallId, toolName: 't', success: true }
}

/** A stream, and the rules it breaks. Events get the fields of {@link context}; the mode is strict. */
export interface Case {
  readonly events: readonly object[]
  readonly options?: VerifierOptions
  readonly rules: readonly string[]
}

/** Tests that each stream breaks exactly its rules, in order, and that the violations hold what they are about. */
export function describeCases(title: string, cases: Readonly<Record<string, Case>>): void {
  describe(title, () => {
    it.each(Object.entries(cases))('%s', (_, { events, options, rules }) => {
      const stream = events.map((event) => ({ ...context, ...event })) as unknown as ContextAnyEvent[]
      const violations = verify(stream, { mode: 'strict', ...options })
      expect(rulesOf(violations)).toEqual(rules)
      expectPlainMessages(violations)
      expectKnownShapes(violations)
    })
  })
}
