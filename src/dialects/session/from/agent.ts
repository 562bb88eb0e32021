/** Conversion of the events of the agent: thoughts, tool calls, answers and questions. */

import { markOf } from '../../../encoding/text-mark.ts'
import { jsonText } from '../../../json/json-text.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { textOf } from '../wire/coerce.ts'
import { endCall, findCall, openCall } from './calls.ts'
import { finishRound, ifOpen, inRound } from './round.ts'
import { type Conversions, metadataField, type RoundWriter } from './round-writer.ts'
import type { Call } from './state.ts'
import { appendText, completeAnswer, completePreserved, preservedIndex } from './text.ts'

/** The conversions of these events. */
export const agentConversions: Conversions = {
  'agent.thinking': inRound((writer) => {
    const { taskId, thoughtCount } = writer.state
    const content = writer.takeText('/content')
    if (content === undefined) return writer.droppedContent('a string as content')
    const preserved = textOf(writer.core?.thoughtId)
    const thoughtId = writer.uniqueId('thought', preserved || `${taskId}/thought-${thoughtCount}`)
    const derived = {
      thoughtType: writer.metadata.thinking_type === 'planning' ? 'planning' : 'reasoning',
      verbosity: 'normal',
    }
    const index = preservedIndex(writer, thoughtCount)
    if (writer.emitEvent('thought-stream', { thoughtId, content, index }, derived, writer.core)) {
      writer.update({ thoughtCount: index + 1 })
    }
  }),
  'agent.tool_call': inRound((writer) => {
    startTool(writer)
  }),
  'agent.tool_result': inRound(completeTool),
  'agent.partial_answer': (writer) => {
    const { content } = writer.event
    if (typeof content !== 'string') return writer.droppedContent('a string as content')
    // A text that was not streamed: the event that follows has it.
    if (writer.core !== undefined && writer.core.kind !== 'content-delta') return
    // Servers mark the end of the answer with an empty chunk.
    if (content === '' && writer.core === undefined) {
      return writer.droppedEvent('no-equivalent', 'Expected text in agent.partial_answer, got "".')
    }
    inRound(() => {
      writer.take('/content')
      appendText(writer, content, writer.core === undefined ? textOf(writer.event.step_id) : '')
    })(writer)
  },
  'agent.llm_message': (writer) => {
    const { content } = writer.event
    if (writer.core?.kind !== 'content-complete' || typeof content !== 'string') return writer.droppedEvent()
    inRound(() => completePreserved(writer, content))(writer)
  },
  'agent.final_answer': (writer) => {
    const answer = writer.takeText('/content/answer') ?? writer.takeText('/content')
    if (answer === undefined) return writer.droppedContent('a string as content or content.answer')
    const { isOpen, state } = writer
    const previous = isOpen ? state.answer?.content : undefined
    const isRepeated = isOpen ? previous === answer : state.lastEnd?.answer === markOf(answer).hash
    if (isRepeated) return writer.droppedEvent('repeated', 'Expected one agent.final_answer with this text.')
    if (!isOpen && state.lastEnd?.status === 'canceled') return writer.droppedAfterEnd()
    inRound(() => answerRound(writer, answer))(writer)
  },
  'agent.user_confirm': inRound((writer) => {
    const { message, confirmation_type: type, options } = writer.content
    const { timeout_seconds: timeout, critical } = writer.metadata
    const prompt =
      typeof message === 'string' ? writer.takeText('/content/message') : writer.takeText('/content')
    if (prompt === undefined) return writer.droppedContent('a string as content.message')
    const key = textOf(writer.take('/step_id'))
    const { id } = openCall(writer, 'input', key, null)
    const isSelection = type === 'select' && Array.isArray(options) && options.length > 0
    if (isSelection) writer.take('/content/options')
    if (typeof timeout === 'number') writer.take('/metadata/timeout_seconds')
    const derived = {
      inputType: isSelection ? 'selection' : type === 'input' ? 'clarification' : 'confirmation',
      ...(critical === true && { requireUser: true }),
      ...(isSelection && { options }),
      ...(typeof timeout === 'number' && { metadata: { timeout } }),
    }
    writer.emitEvent('input-required', { inputId: id, prompt }, derived, writer.core)
  }),
  'user.response': ifOpen((writer) => {
    const { approved, confirmed } = writer.content
    const { step_id } = writer.event
    const question = findCall(writer, 'input', step_id)
    if (question === undefined) {
      const message = 'Expected the step_id of an open question.'
      return writer.droppedEvent('no-open-question', message)
    }
    endCall(writer, 'input', step_id)
    writer.take('/step_id')
    const duration = writer.metadata.response_time_ms
    if (typeof duration === 'number') writer.take('/metadata/response_time_ms')
    const derived = {
      ...((approved ?? confirmed) === false && { outcome: 'declined' }),
      ...(typeof duration === 'number' && { metadata: { duration } }),
    }
    // The session does not state which user.
    writer.inferredAt('/event', 'userId', 'Expected the id of a user, got none.')
    const fields = { inputId: question.id, providedBy: 'user', userId: 'user' }
    writer.emitEvent('input-received', fields, derived)
  }),
}

/** Completes the text, and the round if it is one without solving or the pipeline has completed. */
function answerRound(writer: RoundWriter, answer: string): void {
  if (writer.core === undefined) completeAnswer(writer, answer)
  const { generation_time_ms: duration, total_tokens_used: tokensUsed } = writer.metadata
  const hasDuration = typeof duration === 'number' && duration > 0
  const hasTokens = typeof tokensUsed === 'number' && tokensUsed > 0
  const metadata = { ...(hasDuration && { duration }), ...(hasTokens && { tokensUsed }) }
  writer.update({ answer: { content: answer, ...metadataField(metadata) } })
  if (writer.state.stage !== 'solving') finishRound(writer, 'completed')
}

function callIdOf(writer: RoundWriter): unknown {
  return writer.take('/metadata/call_id') ?? writer.take('/step_id') ?? ''
}

/** Starts a tool call from `agent.tool_call`, or from a result without a call. */
function startTool(writer: RoundWriter): Call {
  const { tool_name: toolName } = writer.content
  const name = (typeof toolName === 'string' && writer.takeText('/content/tool_name')) || 'unknown'
  const call = openCall(writer, 'call', callIdOf(writer), name)
  const provider = textOf(writer.metadata.tool_type) === '' ? '' : textOf(writer.take('/metadata/tool_type'))
  const derived = provider === '' ? {} : { metadata: { provider } }
  const isResult = writer.event.event === 'agent.tool_result'
  const args = { ...fieldsOf(isResult ? undefined : writer.take('/content/arguments')) }
  const fields = { toolCallId: call.id, toolName: name, arguments: args }
  writer.emitEvent('tool-start', fields, derived, isResult ? undefined : writer.core)
  return call
}

function completeTool(writer: RoundWriter): void {
  const { status } = writer.content
  const { error: reason, execution_time_ms: duration } = writer.metadata
  const callId = callIdOf(writer)
  let call = findCall(writer, 'call', callId)
  if (call === undefined) {
    writer.inferred('tool-start', 'Expected agent.tool_call before agent.tool_result.')
    call = startTool(writer)
  }
  endCall(writer, 'call', callId)
  const success = status !== 'failed' && status !== 'error' && (reason ?? null) === null
  const isError = !success && (reason ?? null) !== null
  const value = isError ? reason : writer.content.result
  const hasDuration = typeof duration === 'number' && duration > 0
  if (hasDuration) writer.take('/metadata/execution_time_ms')
  if (writer.content.tool_name === call.name) writer.take('/content/tool_name')
  if (success || typeof value === 'string') writer.take(isError ? '/metadata/error' : '/content/result')
  const derived = {
    ...(!success && { error: errorText(value) }),
    ...(success && (value ?? null) !== null && { result: value }),
    ...(hasDuration && { metadata: { duration } }),
  }
  const { core } = writer
  // The result is sent once.
  const isResult = core !== undefined && success && (value ?? null) !== null && !Object.hasOwn(core, 'result')
  const fields = {
    toolCallId: call.id,
    toolName: call.name ?? '',
    success,
    ...(isResult && { result: value }),
  }
  writer.emitEvent('tool-complete', fields, derived, writer.core)
}

function errorText(value: unknown): string {
  if (typeof value === 'string') return value
  return ((value ?? null) === null ? undefined : jsonText(value)) ?? 'The tool call failed.'
}
