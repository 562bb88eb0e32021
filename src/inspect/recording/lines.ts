/** Text in lines, cut anywhere. */

const LF = 10

/** Receives a part of a line, and whether the line ends after it. */
type OnPart = (part: string, isEnd: boolean) => void

/** Splits text into lines that end with LF, CR or CRLF. Nothing is kept: a line may come in several parts. */
export class LineSplitter {
  #isAfterCr = false

  push(text: string, onPart: OnPart): void {
    if (text === '') return
    let at = this.#isAfterCr && text.charCodeAt(0) === LF ? 1 : 0
    this.#isAfterCr = false
    let lf = text.indexOf('\n', at)
    let cr = text.indexOf('\r', at)
    while (lf !== -1 || cr !== -1) {
      const isCr = cr !== -1 && (lf === -1 || cr < lf)
      const end = isCr ? cr : lf
      onPart(text.slice(at, end), true)
      at = end + 1
      if (isCr) {
        if (at === text.length) this.#isAfterCr = true
        else if (text.charCodeAt(at) === LF) at++
        cr = text.indexOf('\r', at)
      }
      if (lf !== -1 && lf < at) lf = text.indexOf('\n', at)
    }
    if (at < text.length) onPart(text.slice(at), false)
  }
}
