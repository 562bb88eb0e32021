import {
  type Attributes,
  type Context,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { type ContextAnyEvent, isTaskEnd } from 'turnstream'

/** Exports a stored stream as spans: `invoke_agent` for tasks, `chat` for model calls, `execute_tool` for tools. */
export function exportSpans(events: readonly ContextAnyEvent[], tracer: Tracer, root: Context): void {
  const open = new Map<string, { span: Span; context: Context }>()

  for (const event of events) {
    const { taskId, contextId, timestamp } = event
    const time = new Date(timestamp)
    const start = (
      key: string,
      name: string,
      attributes: Attributes,
      parent = open.get(taskId)?.context,
    ): void => {
      const span = tracer.startSpan(name, { startTime: time, attributes }, parent ?? root)
      open.set(key, { span, context: trace.setSpan(parent ?? root, span) })
    }
    const end = (key: string, error?: string, attributes: Attributes = {}): void => {
      const span = open.get(key)?.span.setAttributes(attributes)
      if (error !== undefined)
        span?.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
      span?.end(time)
      open.delete(key)
    }
    const chat = `${taskId} chat`
    const tool = `${taskId} ${'toolCallId' in event ? event.toolCallId : ''}`

    if (event.kind === 'task-created') {
      const name = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': contextId }
      start(taskId, 'invoke_agent', name, open.get(event.parentTaskId ?? '')?.context)
    } else if (event.kind === 'internal:llm-call') {
      end(chat)
      start(chat, `chat ${event.model}`, {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': event.model,
      })
    } else if (event.kind === 'content-complete') {
      const { inputTokens, outputTokens } = event.metadata?.usage?.[0] ?? {}
      const usage = { 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens }
      end(chat, undefined, usage)
    } else if (event.kind === 'tool-start') {
      const name = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': event.toolName }
      start(tool, `execute_tool ${event.toolName}`, { ...name, 'gen_ai.tool.call.id': event.toolCallId })
    } else if (event.kind === 'tool-complete') {
      end(tool, event.success ? undefined : 'tool_failed')
    } else if (isTaskEnd(event)) {
      end(chat)
      end(
        taskId,
        event.kind === 'task-status' && event.status === 'failed'
          ? (event.error?.code ?? '_OTHER')
          : undefined,
      )
    }
  }
  // A stream that was cut off leaves spans open.
  const last = events.at(-1)?.timestamp
  for (const { span } of open.values()) span.end(last === undefined ? undefined : new Date(last))
}
