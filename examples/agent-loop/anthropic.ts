/** An agent on Anthropic Messages. */
import type Anthropic from '@anthropic-ai/sdk'
import { run, type Usage } from 'turnstream'
import { anthropicMessages, modelTurn } from 'turnstream/providers'
import { replyOf } from './anthropic-reply.ts'
import { failureOf, retry } from './failures.ts'
import type { AgentOptions, Events } from './options.ts'
import { runCalls } from './run-calls.ts'
import { addUsage } from './usage.ts'

/** Answers `messages`, and appends what the model and its tools add to them. Yields the events of one task. */
export async function* anthropicAgent(
  client: Anthropic,
  messages: Anthropic.MessageParam[],
  options: AgentOptions,
): Events<void> {
  const { model, signal, emitter } = options
  const { emit } = emitter
  const tools = Object.entries(options.tools).map(([name, { description, parameters }]) => {
    return { name, description, input_schema: parameters }
  })
  const usage: Usage[] = []
  yield emit({ kind: 'task-created', initiator: 'user' })
  yield emit({ kind: 'task-status', status: 'working' })

  for (let iteration = 0, failures = 0; ; iteration++) {
    const reader = run(
      anthropicMessages({ iteration, messageCount: messages.length, toolCount: tools.length }),
    )
    const request = { model, max_tokens: 4096, messages, tools, stream: true } as const
    try {
      const stream = await client.messages.create(request, { signal })
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
    messages.push(...replyOf(turn, answers))
    // A response that pauses for tools at the provider goes on with the next one.
    if (answers.length === 0 && turn.finishReason !== 'pause_turn') break
  }
  yield emit({ kind: 'task-complete', metadata: { usage } })
  yield emit({ kind: 'task-status', status: 'completed' })
}
