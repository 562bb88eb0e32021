// Our types are assignable to those of the specification, and what one call returns is what the next one takes.

import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  answerConfirm,
  createSessionEvent,
  decodeSessionEvent,
  type LenientSessionEvent,
  matchConfirm,
} from '../../../src/dialects/session/index.ts'
import type { SessionEventOf } from '../../../src/dialects/session/wire/event.ts'

/** The structures of the specification, as it writes them. */
interface Documented {
  'user.response': {
    session_id: string
    step_id: string
    event: 'user.response'
    content: {
      approved: boolean
      feedback?: string
      // biome-ignore lint/suspicious/noExplicitAny: the specification writes it.
      data?: Record<string, any>
    }
    metadata?: { response_time_ms?: number; user_action?: 'approve' | 'reject' | 'modify' }
  }
  'plan.completed': {
    session_id: string
    step_id: string
    event: 'plan.completed'
    content: {
      tasks: Array<{ id: string; title: string; description: string; estimated_duration_sec?: number }>
    }
    metadata: {
      task_count: number
      plan_summary: string
      total_estimated_tokens: number
      llm_calls: number
      planning_time_ms: number
      // biome-ignore lint/suspicious/noExplicitAny: the specification writes it.
      statistics?: Array<Record<string, any>>
      // biome-ignore lint/suspicious/noExplicitAny: the specification writes it.
      metrics?: Record<string, any>
    }
  }
  'plan.cancelled': {
    session_id: string
    step_id: string
    event: 'plan.cancelled'
    content?: string | null
    metadata: {
      reason: 'user_request' | 'timeout' | 'error' | 'resource_limit'
      cancellation_time_ms: number
    }
  }
  'solver.cancelled': {
    event: 'solver.cancelled'
    metadata: { task_id: string; reason: 'user_request' | 'dependency_failed' | 'timeout' | 'resource_limit' }
  }
  'solver.restarted': {
    event: 'solver.restarted'
    metadata: { reason: 'retry_after_error' | 'user_request' | 'escalation' }
  }
  'agent.session_end': {
    event: 'agent.session_end'
    metadata: { reason: 'user_request' | 'timeout' | 'error' | 'completion' }
  }
  'agent.tool_call': {
    event: 'agent.tool_call'
    // biome-ignore lint/suspicious/noExplicitAny: the specification writes it.
    content: { tool_name: string; tool_description: string; arguments: Record<string, any> }
    metadata: { call_id: string; tool_type: string; estimated_duration_ms?: number }
  }
  'agent.state_exported': {
    event: 'agent.state_exported'
    // biome-ignore lint/suspicious/noExplicitAny: the specification writes it.
    content?: { exported_state: Record<string, any> } | null
    metadata: { exported_at: string; valid_until: string; state_size_bytes?: number; checksum?: string }
  }
  'user.reconnect_with_state': {
    event: 'user.reconnect_with_state'
    content: { signed_state: string; last_seq: number; last_event_id?: string }
    metadata?: { offline_duration_ms: number; state_version: string }
  }
}

/** The base structure of the specification. */
interface EventProtocol {
  session_id?: string
  connection_id?: string
  step_id?: string
  event: string
  timestamp?: string
  content?: string | object | null
  // biome-ignore lint/suspicious/noExplicitAny: the specification writes it.
  metadata?: Record<string, any>
}

describe('the types', () => {
  it('are those of the specification, or narrower', () => {
    expectTypeOf<{ [N in keyof Documented]: SessionEventOf<N> }>().toExtend<Documented>()
    expectTypeOf<SessionEventOf<'user.message' | 'plan.start' | 'solver.start'>>().toExtend<EventProtocol>()
  })

  it('let a client answer a question that it decoded leniently', () => {
    const question = {
      event: 'agent.user_confirm',
      session_id: 's-7',
      step_id: 'confirm_plan_1',
      content: 'Confirm plan before solving',
      metadata: { requires_confirmation: true, scope: 'plan', tasks: [{ id: 1 }] },
    }
    const decoded = decodeSessionEvent(question, { mode: 'lenient', direction: 'server' })
    if (decoded.status !== 'known') throw new Error(decoded.status)
    expectTypeOf(decoded.event).toEqualTypeOf<LenientSessionEvent>()
    const { event } = decoded
    if (event.event !== 'agent.user_confirm') throw new Error(event.event)
    const answer = answerConfirm(
      event,
      { approved: true, tasks: [{ id: 1, title: 'Edited' }] },
      { now: () => 0 },
    )
    expect(answer).toMatchObject({
      session_id: 's-7',
      step_id: 'confirm_plan_1',
      content: { approved: true, confirmed: true, tasks: [{ id: 1, title: 'Edited' }] },
    })
    expect(matchConfirm(event, answer)).toBe('answered')
    const { step_id: _, ...unnamed } = event
    expect(() => answerConfirm(unnamed, { approved: true }, { now: () => 0 })).toThrow(TypeError)
  })

  it('let a client acknowledge before the first event', () => {
    const ack = createSessionEvent('user.ack', null, undefined, { now: () => 0, session_id: 's-7' })
    expect(decodeSessionEvent(ack, { direction: 'client' }).status).toBe('known')
  })
})
