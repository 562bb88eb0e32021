/** An agent on OpenAI Chat Completions, or another server that speaks it. */

import type OpenAI from 'openai'
import { run, type Usage } from 'turnstream'
import { modelTurn, openaiChat } from 'turnstream/providers'
import { failureOf, retry } from './failures.ts'
import type { AgentOptions, Events } from './options.ts'
import { runCalls } from './run-calls.ts'
import { addUsage } from './usage.ts'

/** Answers `messages`, and appends what the model and its tools add to them. Yields the events of one task. */
export async function* openaiAgent(
  client: OpenAI,
  messages: OpenAI.ChatCompletionMessageParam[],
  options: AgentOptions,
): Events<void> {
  const { model, signal, emitter } = options
  const { emit } = emitter
  const tools = Object.entries(options.tools).map(([name, { description, parameters }]) => {
    return { type: 'function' as const, function: { name, description, parameters } }
  })
  const usage: Usage[] = []
  yield emit({ kind: 'task-created', initiator: 'user' })
  yield emit({ kind: 'task-status', status: 'working' })

  for (let iteration = 0, failures = 0; ; iteration++) {
    const reader = run(openaiChat({ iteration, messageCount: messages.length, toolCount: tools.length }))
    const request = { model, messages, tools, stream: true, stream_options: { include_usage: true } } as const
    try {
      const stream = await client.chat.completions.create(request, { signal })
      for await (const chunk of stream) for (const draft of reader.push(chunk)) yield emit(draft)
    } catch (error) {
      if (!signal.aborted) for (const draft of reader.push({ error })) yield emit(draft)
    }
    for (const draft of reader.end(signal.aborted ? { reason: 'abort' } : {})) yield emit(draft)
    const turn = modelTurn(reader.state)
    addUsage(usage, turn.usage)

    const error = signal.aborted ? undefined : failureOf(turn, iteration, options)
    if (error !== undefined) {
      if (yield* retry(error, ++failures, turn, options)) continue
      return
    }
    const answers = yield* runCalls(turn.calls, options)
    if (signal.aborted) return yield emit({ kind: 'task-status', status: 'canceled' })
    messages.push(...turn.content)
    for (const { call, text: content } of answers) {
      messages.push({ role: 'tool', tool_call_id: call.toolCallId, content })
    }
    if (turn.calls.length === 0) break
  }
  yield emit({ kind: 'task-complete', metadata: { usage } })
  yield emit({ kind: 'task-status', status: 'completed' })
}
