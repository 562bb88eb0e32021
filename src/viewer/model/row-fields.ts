/** What a row takes from the fields of its events. */

import type { Family } from './family.ts'
import type { RecordedEvent } from './recorded-event.ts'
import type { Row, RowStatus } from './row.ts'

/** The status of a row after an event of it. */
export function statusAfter(row: Row, event: RecordedEvent): RowStatus {
  const fields = event as Readonly<Record<string, unknown>>
  switch (event.kind) {
    case 'content-complete':
    case 'thought-stream':
    case 'input-received':
    case 'auth-completed':
    case 'data-write':
    case 'artifact-delta':
      return 'done'
    case 'tool-complete':
    case 'internal:tool-complete':
      return fields.success === true ? 'done' : 'failed'
    case 'input-required':
    case 'auth-required':
      return 'waiting'
    case 'internal:tool-start':
      return 'open'
    case 'input-canceled':
      return 'canceled'
    case 'auth-failed':
    case 'task-error':
      return 'failed'
    case 'file-write':
    case 'dataset-write':
      return fields.complete === true ? 'done' : 'open'
    default:
      return row.family === 'custom' || row.family === 'internal' ? 'done' : row.status
  }
}

/** Whether an event states that something has failed. */
export function isFailure(event: RecordedEvent): boolean {
  const { success, status } = event as Readonly<Record<string, unknown>>
  if (/^(?:internal:)?tool-complete$/.test(event.kind)) return success === false
  return (
    event.kind === 'task-error' ||
    event.kind === 'auth-failed' ||
    (event.kind === 'task-status' && status === 'failed')
  )
}

/** Whether an event holds output of the model. */
export function isOutput(kind: string): boolean {
  return /^(?:content-|thought-|tool-(?:arguments|start))/.test(kind)
}

const idFields: Readonly<Partial<Record<Family, readonly string[]>>> = {
  text: ['contentId'],
  thought: ['thoughtId'],
  tool: ['toolCallId'],
  request: ['inputId', 'authId'],
  artifact: ['artifactId'],
  custom: ['customId', 'name', 'kind'],
  internal: ['toolCallId', 'kind'],
}

/** The id of the row that an event belongs to, unique in its task and family. */
export function idOf(fields: Readonly<Record<string, unknown>>, family: Family): string {
  return firstText(fields, idFields[family] ?? [])
}

const labelFields: Readonly<Partial<Record<Family, readonly string[]>>> = {
  text: ['contentId'],
  thought: ['thoughtType'],
  tool: ['toolName', 'toolCallId'],
  request: ['prompt', 'provider', 'inputId', 'authId'],
  artifact: ['name', 'artifactId'],
  custom: ['name', 'kind'],
  internal: ['toolName', 'kind'],
}

/** What a row is, for people. */
export function labelOf(fields: Readonly<Record<string, unknown>>, family: Family): string {
  if (family === 'error') return textOf((fields.error as { readonly code?: unknown } | undefined)?.code)
  return firstText(fields, labelFields[family] ?? [])
}

/** The first field with a text. */
function firstText(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  for (const name of names) if (typeof fields[name] === 'string') return fields[name]
  return ''
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
