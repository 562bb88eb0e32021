/** The interrupts of LangGraph: what they ask, and which call they are about. */

import type { EventDraft } from '../../emitter/event-draft.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { type Fields, fieldsOf, jsonTextOf, objectsOf, textOf } from '../../providers/shared/fields.ts'
import type { FrameworkRun } from './framework-run.ts'
import type { KnownCall } from './run-memory.ts'

/** Asks a question. Its answer approves the call that it names, if that has not started. */
export function askIn(run: FrameworkRun, { id, value }: Fields): EventDraft[] {
  const text = typeof value === 'string' ? value : jsonTextOf(value)
  const [named, another] = [...run.waiting].filter((call) => isAbout(value, text, call))
  const prompt = text || 'The agent waits for an answer.'
  const inputId = run.inputIdOf(textOf(id), prompt)
  const metadata = { interruptId: textOf(id) }
  if (named === undefined || another !== undefined) {
    return run.ask({ inputId, prompt, inputType: 'custom', metadata })
  }
  const [, { toolCallId, toolName: name, arguments: args }] = named
  return run.askAbout(inputId, { id: toolCallId, name, arguments: jsonTextOf(args) }, prompt, metadata)
}

/** Whether a question has the id of a call, or is that of LangChain's `humanInTheLoopMiddleware` about this call alone. */
function isAbout(
  value: unknown,
  text: string,
  [id, { toolName, arguments: args }]: [string, KnownCall],
): boolean {
  if (text.includes(JSON.stringify(id))) return true
  const [action, another] = objectsOf(fieldsOf(value).actionRequests ?? fieldsOf(value).action_requests)
  if (action === undefined || another !== undefined || action.name !== toolName) return false
  return canonicalJson(action.args ?? action.arguments) === canonicalJson(args)
}
