/** Whether a stream can be resumed. */
import { parseEventId } from '../streams/log/index.ts'

/** Whether the beginning of an SSE stream is that of a turnstream log: its messages have the ids of one. */
export function isEventOfLog(text: string): boolean {
  const ids = [...text.matchAll(/^id: ?(.*?)\r?$/gm)].map(([, id = '']) => id)
  return (
    ids.some((id) => parseEventId(id) !== undefined) ||
    /^event: ?stream-(?:reset|closed|loss)\r?$/m.test(text)
  )
}
