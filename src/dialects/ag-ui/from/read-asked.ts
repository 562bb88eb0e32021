/** Reads what frameworks ask by an event of the application, and end the run without an interrupt. */

import { describeValue } from '../../../core/require.ts'
import { jsonText } from '../../../json/json-text.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf, textIn } from '../../../validation/read-fields.ts'
import { dropRepeated } from '../../engine/drop.ts'
import { MAX_REQUESTS } from '../../shared/limits.ts'
import type { AgUiCustom, AgUiInterrupt } from '../wire/types/index.ts'
import type { RunWriter } from './state.ts'
import { taskOf } from './tasks.ts'

/** The name of the event by which LangGraph, Mastra and others ask. */
export const ON_INTERRUPT = 'on_interrupt'

/** Keeps a question until the run ends. */
export function readAsked(writer: RunWriter, event: AgUiCustom & { subagentRunId?: string }): void {
  const { run } = writer.state
  if (run === null || taskOf(writer, event) === undefined) return
  const { asked } = run
  const interrupt = interruptOf(event, `${run.runId}:interrupt:${asked.length}`)
  if (interrupt === undefined || asked.length >= MAX_REQUESTS) {
    writer.dropped(event.type, 'invalid-content', `Expected a question, got ${describeValue(event.value)}.`)
    return
  }
  if (asked.some(({ id }) => id === interrupt.id)) {
    dropRepeated(writer, event.type, interrupt.id)
    return
  }
  writer.state.run = { ...run, asked: [...asked, interrupt] }
}

/** The questions of a run at its end: those that it states, in the words of an event if it has none, and those that only an event has asked. */
export function withAsked(
  { state: { run } }: RunWriter,
  stated: readonly AgUiInterrupt[],
): readonly AgUiInterrupt[] {
  const known = new Set(stated.flatMap(({ id, toolCallId }) => [id, toolCallId]))
  const isOther = ({ id, toolCallId }: AgUiInterrupt): boolean =>
    !known.has(id) && (toolCallId === undefined || !known.has(toolCallId))
  const asked = run?.asked ?? []
  const worded = stated.map((each) => {
    const isSame = ({ id, toolCallId }: AgUiInterrupt): boolean =>
      id === each.id || (toolCallId !== undefined && toolCallId === each.toolCallId)
    const same = asked.find(isSame)
    return each.message === undefined && same?.message !== undefined
      ? { ...each, message: same.message }
      : each
  })
  return [...worded, ...asked.filter(isOther)]
}

/** The call that a question of Mastra is about: it is sent as no call before it has been answered. */
export function callIn({ metadata = {} }: AgUiInterrupt): { toolName: string; text: string } | undefined {
  const own = fieldsOf(metadata.agUi).interrupt
  const about = [metadata.mastra, own].find((each) => isFields(each) && isFields(each.args))
  const [toolName, args] = [textIn(about, 'toolName'), isFields(about) ? jsonText(about.args) : undefined]
  return toolName === undefined || args === undefined ? undefined : { toolName, text: args }
}

/** Reports the questions of a run that ends otherwise. */
export function reportAsked(writer: RunWriter): void {
  const { run } = writer.state
  if (run === null) return
  for (const { id } of run.asked) {
    const message = `Question ${describeValue(id)} was not asked, as the run did not end with it.`
    writer.dropped('CUSTOM', 'after-end', message)
  }
  writer.state.run = { ...run, asked: [] }
}

/** What an event asks. `undefined` if it asks nothing. */
function interruptOf(
  { value: stated, rawEvent, subagentRunId }: AgUiCustom & { subagentRunId?: string },
  otherwise: string,
): AgUiInterrupt | undefined {
  const parsed = typeof stated === 'string' ? parsedJson(stated) : undefined
  const value = isFields(parsed) ? parsed : stated
  const raw: Fields = fieldsOf(rawEvent)
  if (value === undefined || value === null || value === '') return undefined
  const toolCallId = textIn(value, 'toolCallId')
  // Mastra states the schema of the answer as text.
  const schema = [raw.response_schema, schemaIn(value)].find(isFields)
  const message = promptOf(value)
  return {
    id: textIn(raw, 'id') ?? toolCallId ?? otherwise,
    reason: ON_INTERRUPT,
    message,
    ...(toolCallId !== undefined && { toolCallId }),
    ...(schema !== undefined && { responseSchema: { ...schema } }),
    ...(subagentRunId !== undefined && { subagentRunId }),
    ...(value !== message && { metadata: { agUi: { interrupt: value } } }),
  }
}

function schemaIn(value: unknown): unknown {
  const schema = fieldsOf(value).resumeSchema
  return typeof schema === 'string' ? parsedJson(schema) : schema
}

/** The sentence that a question is asked with, or its JSON. */
function promptOf(value: unknown): string {
  if (typeof value === 'string') return value
  const fields = isFields(value) && isFields(value.suspendPayload) ? value.suspendPayload : value
  const names = ['message', 'question', 'prompt', 'text', 'description']
  const known = names.flatMap((name) => textIn(fields, name) ?? [])
  return known[0] ?? jsonText(fields) ?? ON_INTERRUPT
}
