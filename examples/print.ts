/** Prints events as lines of a terminal. */
import { styleText } from 'node:util'
import type { ContextAnyEvent, DecodedMessage, EventOf } from 'turnstream'

export type Style = Parameters<typeof styleText>[0]

export interface Screen {
  readonly coloured: boolean
  /** Characters per line. */
  readonly width: number
}

export function paint(screen: Screen, style: Style, text: string): string {
  return screen.coloured ? styleText(style, text) : text
}

/** One event as one line. A bar marks thoughts, so that they stand out without colour too. */
export function lineOf(decoded: DecodedMessage, screen: Screen): string {
  const kind = decoded.status === 'invalid' ? 'invalid' : decoded.event.kind
  const what = decoded.status === 'known' ? describe(decoded.event) : JSON.stringify(decoded)
  const bar = kind.startsWith('thought') ? '┊ ' : ''
  const text = shorten(`${decoded.id.padStart(5)}  ${kind.padEnd(20)} ${bar}${what}`, screen.width)
  return paint(screen, styleOf(decoded), text)
}

/** Type, confidence and completeness of a thought. */
export function headOf({ thoughtType, metadata }: EventOf<'thought-stream'>): string {
  const confidence = metadata?.confidence === undefined ? '' : `, confidence ${metadata.confidence}`
  return `${thoughtType}${confidence}${metadata?.complete === false ? ', cut off' : ''}`
}

function describe(event: ContextAnyEvent): string {
  switch (event.kind) {
    case 'content-delta':
    case 'thought-delta':
      return quote(event.delta)
    case 'content-complete': {
      const sources =
        event.metadata?.sources?.map(({ url, title, documentId }) => url ?? title ?? documentId) ?? []
      const [length, reason] = [event.content.length, event.finishReason ?? 'no finish reason']
      return [`${length} characters`, reason, ...sources].join(', ')
    }
    case 'thought-stream':
      return `${headOf(event)}: ${quote(event.content)}`
    case 'tool-arguments-delta':
      return `${event.toolName} … ${quote(event.delta)}`
    case 'tool-start':
      return `${event.toolName}(${JSON.stringify(event.arguments)})`
    case 'tool-progress':
      return event.message ?? ''
    case 'tool-complete':
      return `${event.toolName}: ${event.success ? JSON.stringify(event.result) : event.error}`
    case 'task-status':
      return event.status
    case 'task-error':
      return `${event.error.code}: ${event.error.message}`
    default:
      return ''
  }
}

function styleOf(decoded: DecodedMessage): Style {
  if (decoded.status !== 'known') return 'red'
  const { kind } = decoded.event
  if (kind.startsWith('thought')) return ['dim', 'italic']
  if (kind.startsWith('tool')) return 'cyan'
  if (kind === 'task-error') return 'red'
  return kind.startsWith('task') ? 'green' : 'reset'
}

/** Text in quotes, with line breaks escaped. */
function quote(text: string): string {
  return JSON.stringify(text)
}

function shorten(line: string, width: number): string {
  const characters = Array.from(line)
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`
}
