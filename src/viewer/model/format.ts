/** Numbers and texts for people. */
import type { RecordedEvent } from './recorded-event.ts'

/** A duration, with three significant digits. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`
}

/** A time in seconds, to the millisecond. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`
}

/** A count with thin spaces between thousands. */
export function number(value: number): string {
  const digits = String(value)
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return groups.join('\u202f')
}

/** A number with its noun. */
export function counted(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** The beginning of a text. Never ends with half of a surrogate pair. */
export function excerpt(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}

/** What an event has, in one line. */
export function summary(event: RecordedEvent): string {
  const fields = event as Readonly<Record<string, unknown>>
  switch (event.kind) {
    case 'task-status':
      return line(fields.status, fields.message)
    case 'tool-complete':
    case 'internal:tool-complete':
      return line(fields.toolName, fields.success === true ? 'succeeded' : 'failed', fields.error)
    case 'tool-progress':
      return line(Math.round(Number(fields.progress) * 100), '%', fields.message)
    case 'task-error':
      return line(
        (fields.error as { code?: unknown })?.code,
        (fields.error as { message?: unknown })?.message,
      )
    case 'tool-start':
      return line(fields.toolName, fields.arguments)
    case 'subtask-created':
      return line(fields.agentId, fields.prompt)
    case 'task-created':
      return line(fields.initiator, (fields.metadata as { input?: unknown } | undefined)?.input)
    case 'custom':
      return line(fields.name, fields.data)
    default:
      return line(
        fields.delta ?? fields.content ?? fields.prompt ?? fields.name ?? fields.reasoning ?? fields.model,
      )
  }
}

/** Values in one line. */
function line(...values: readonly unknown[]): string {
  const texts = values
    .filter((value) => value !== undefined && value !== '')
    .map((value) => excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 200))
  return texts.join(' ').replace(/\n/g, '⏎').replace(/\s/g, ' ')
}
