/** Conversion of the events of the agent: thoughts, tool calls, answers and questions. */
import { asFields } from '../wire/coerce.ts'
import { endCall, findCall, openCall } from './calls.ts'
import { appendText, completeAnswer, contentIdOf, removeSegment } from './content.ts'
import { type Conversions, ifOpen, inRound } from './conversion.ts'
import { ensureRound, finishRound } from './round.ts'
import { metadataField, type RoundWriter } from './round-writer.ts'
import type { Call } from './state.ts'

/** The conversions of these events. */
export const agentConversions: Conversions = {
  'agent.thinking': inRound((writer) => {
    const { taskId, thoughtCount } = writer.state
    const { thinking_type: type } = writer.metadata
    const derived = {
      thoughtId: `${taskId}/thought-${thoughtCount}`,
      thoughtType: type === 'planning' ? type : 'reasoning',
      verbosity: 'normal',
      ...(type === 'analysis' && { metadata: { thinking_type: type } }),
    }
    const fields = { content: writer.event.content, index: thoughtCount }
    const isEmitted = writer.emitEvent('thought-stream', fields, derived, writer.core)
    if (isEmitted) writer.update({ thoughtCount: thoughtCount + 1 })
  }),
  'agent.tool_call': inRound((writer) => {
    startTool(writer)
  }),
  'agent.tool_result': inRound(completeTool),
  'agent.partial_answer': (writer) => {
    const { content } = writer.event
    // Servers mark the end of the answer with an empty chunk.
    if (content === '' && writer.core === undefined) return
    ensureRound(writer)
    if (typeof content === 'string') appendText(writer, content)
    else writer.droppedContent('a string as content')
  },
  'agent.llm_message': (writer) => {
    if (writer.core?.segment !== true || !writer.isOpen) return writer.droppedEvent()
    const { segment: _, ...core } = writer.core
    writer.emitEvent('content-complete', { content: writer.event.content }, {}, core)
    removeSegment(writer, contentIdOf(core))
  },
  'agent.final_answer': inRound((writer) => {
    const { answer } = writer.content
    if (typeof answer !== 'string') return writer.droppedContent('a string as content.answer')
    if (writer.core === undefined) completeAnswer(writer, answer)
    const { generation_time_ms: duration, total_tokens_used: tokensUsed } = writer.metadata
    const metadata = {
      ...(typeof duration === 'number' && duration > 0 && { duration }),
      ...(typeof tokensUsed === 'number' && tokensUsed > 0 && { tokensUsed }),
    }
    writer.update({ answer: { content: answer, ...metadataField(metadata) } })
    if (writer.state.stage === 'ending') finishRound(writer, 'completed')
  }),
  'agent.user_confirm': inRound((writer) => {
    const { message, confirmation_type: type, options } = writer.content
    const { timeout_seconds: timeout, critical } = writer.metadata
    if (typeof message !== 'string') return writer.droppedContent('a string as content.message')
    const { step_id } = writer.event
    const key = typeof step_id === 'string' ? step_id : `${writer.state.taskId}/input`
    const { id } = openCall(writer, 'input', key, '')
    const derived = {
      inputType: type === 'select' ? 'selection' : type === 'input' ? 'clarification' : 'confirmation',
      ...(critical === true && { requireUser: true }),
      ...(Array.isArray(options) && { options }),
      ...(typeof timeout === 'number' && { metadata: { timeout } }),
    }
    writer.emitEvent('input-required', { inputId: id, prompt: message }, derived, writer.core)
  }),
  'user.response': ifOpen((writer) => {
    const { approved, confirmed } = writer.content
    const question = findCall(writer, 'input', writer.event.step_id)
    if (question?.open !== true) {
      writer.droppedEvent('no-open-question', 'Got user.response without an open question of its step_id.')
      return
    }
    endCall(writer, question)
    const duration = writer.metadata.response_time_ms
    const isDeclined = (approved ?? confirmed) === false
    const derived = {
      ...(isDeclined && { outcome: 'declined' }),
      ...(typeof duration === 'number' && { metadata: { duration } }),
    }
    writer.emitEvent('input-received', { inputId: question.id, providedBy: 'user' }, derived)
  }),
}

function callIdOf({ metadata, event }: RoundWriter): unknown {
  return metadata.call_id ?? event.step_id ?? ''
}

/** Starts a tool call from `agent.tool_call`, or from a result without a call. */
function startTool(writer: RoundWriter): Call {
  const { tool_name: toolName, arguments: args } = writer.content
  const { tool_type: provider } = writer.metadata
  const name = typeof toolName === 'string' && toolName !== '' ? toolName : 'unknown'
  const call = openCall(writer, 'call', callIdOf(writer), name)
  const derived = typeof provider === 'string' && provider !== '' ? { metadata: { provider } } : {}
  const isResult = writer.event.event === 'agent.tool_result'
  const fields = { toolCallId: call.id, toolName: call.name, arguments: asFields(args) }
  writer.emitEvent('tool-start', fields, derived, isResult ? undefined : writer.core)
  return call
}

function completeTool(writer: RoundWriter): void {
  const { result, status } = writer.content
  const { error: reason, execution_time_ms: duration } = writer.metadata
  let call = findCall(writer, 'call', callIdOf(writer))
  if (call?.open !== true) {
    writer.inferred(
      'tool-start',
      'Expected agent.tool_call before agent.tool_result; a tool-start was inferred.',
    )
    call = startTool(writer)
  }
  endCall(writer, call)
  const success = status !== 'failed' && status !== 'error' && (reason ?? null) === null
  const value = success ? result : (reason ?? result)
  const derived = {
    ...((value ?? null) !== null && (success ? { result: value } : { error: errorText(value) })),
    ...(typeof duration === 'number' && duration > 0 && { metadata: { duration } }),
  }
  const fields = { toolCallId: call.id, toolName: call.name, success }
  writer.emitEvent('tool-complete', fields, derived, writer.core)
}

function errorText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
