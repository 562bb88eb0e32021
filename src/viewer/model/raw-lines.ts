/** The lines of a recording as they came. */
import { LineSplitter } from '../../inspect/recording/lines.ts'
import { parseJson } from '../../inspect/recording/recorded.ts'

/** More lines of one event are left out. */
const MAX_LINES = 200

export class RawLines {
  readonly #lines: string[] = ['']
  readonly #splitter = new LineSplitter()
  /** The line where the data of the last message of SSE begins. 0: there is none. */
  dataLine = 0

  push(text: string): void {
    const lines = this.#lines
    this.#splitter.push(text, (part, isEnd) => {
      const whole = lines[lines.length - 1] + part
      lines[lines.length - 1] = whole
      if (!isEnd) return
      if (whole.startsWith('data:') && !lines[lines.length - 2]?.startsWith('data:'))
        this.dataLine = lines.length
      lines.push('')
    })
  }

  /**
   * What came of the event at a line: the message of SSE around it, or the lines of its JSON.
   *
   * @param next - The line of the next event. Omitted if there is none.
   */
  textAt(line: number, next: number = this.#lines.length + 1): string {
    const lines = this.#lines
    let from = line - 1
    let to = from + 1
    if (lines[from]?.startsWith('data')) {
      const least = from - MAX_LINES + 1
      while (from > least && lines[from - 1]) from--
      while (lines[to] && to < from + MAX_LINES) to++
    } else if (parseJson(lines[from] ?? '') === undefined) to = Math.min(next - 1, from + MAX_LINES)
    return lines.slice(from, to).join('\n')
  }
}
