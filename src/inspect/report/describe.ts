/** One event in a few words. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { shortened, valueText } from './text.ts'

/** What an event shows, for people, on one line: without its kind, task and time. */
export function describeEvent(event: ContextAnyEvent, longest?: number): string {
  const text = (value: string): string => shortened(value, longest)
  const json = (value: unknown): string => valueText(value, longest)
  switch (event.kind) {
    case 'task-created':
      return event.metadata?.input === undefined
        ? `by ${event.initiator}`
        : inputText(event.metadata.input, json, text)
    case 'task-status':
      return joined(event.status, text(event.error?.message ?? event.message ?? ''))
    case 'task-complete':
      return joined(event.metadata?.finishReason, text(event.content ?? ''))
    case 'content-delta':
    case 'thought-delta':
      return text(event.delta)
    case 'content-complete':
      return joined(`${event.content.length} characters`, event.finishReason)
    case 'thought-stream':
      return joined(event.thoughtType, text(event.content))
    case 'tool-arguments-delta':
      return `${event.toolName} ${text(event.delta)}`
    case 'tool-start':
      return `${event.toolName} ${json(event.arguments)}`
    case 'tool-progress':
      return joined(
        `${Math.round(event.progress * 100)} %`,
        text(event.message ?? event.metadata?.chunk ?? ''),
      )
    case 'tool-complete': {
      const outcome = event.success ? json(event.result) : text(event.error ?? '')
      return `${event.toolName} ${joined(event.success ? 'completed' : 'failed', outcome)}`
    }
    case 'input-required':
      return joined(event.inputType, text(event.prompt))
    case 'input-received':
    case 'input-canceled':
      return event.inputId
    case 'auth-required':
    case 'auth-completed':
    case 'auth-failed':
      return event.authId
    case 'file-write':
    case 'data-write':
    case 'dataset-write':
    case 'artifact-delta':
      return event.artifactId
    case 'subtask-created':
      return joined(event.agentId ?? event.subtaskId, text(event.prompt))
    case 'task-error':
      return joined(event.error.code, text(event.error.message))
    case 'custom':
      return `${event.name} ${json(event.data)}`
    case 'internal:llm-call':
      return `iteration ${event.iteration}`
    default:
      return ''
  }
}

function inputText(
  input: unknown,
  json: (value: unknown) => string,
  text: (value: string) => string,
): string {
  return typeof input === 'string' ? text(input) : json(input)
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(': ')
}
