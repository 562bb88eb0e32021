/** Reading a live stream: it is shown as soon as its protocol is recognized. */
import { type Detection, detectDialect, SAMPLE } from '../../inspect/detect/detect.ts'
import { isValue, type RecordedValue, recordingReader } from '../../inspect/index.ts'
import { type Reading, readInto } from './reading.ts'
import type { Recording } from './recording.ts'

/** So many pieces that hold nothing, such as comments, are kept before the protocol is recognized. */
const MAX_PIECES = 1000

/**
 * Reads a stream in pieces. It keeps them until the first values are those of one protocol with certainty, there are
 * enough of them, or {@link decide} is called.
 */
export class LiveReading implements Reading {
  readonly #recording: Recording
  readonly #onDialect: (name: string) => void
  readonly #sampler = recordingReader()
  #values: RecordedValue[] = []
  #pieces: (Uint8Array | string)[] = []
  #reading: Reading | undefined

  /** @param onDialect - Called once, with the name of the protocol. */
  constructor(recording: Recording, onDialect: (name: string) => void) {
    this.#recording = recording
    this.#onDialect = onDialect
  }

  /** Whether values were read that are not shown yet. */
  get isUndecided(): boolean {
    return this.#reading === undefined && this.#values.length > 0
  }

  async push(piece: Uint8Array | string): Promise<void> {
    if (this.#reading !== undefined) return this.#reading.push(piece)
    this.#pieces.push(piece)
    for (const recorded of this.#sampler.push(piece)) if (isValue(recorded)) this.#values.push(recorded)
    const detection = detectDialect(this.#values)
    const isEnough = this.#values.length >= SAMPLE || this.#pieces.length >= MAX_PIECES
    if (detection.isCertain || isEnough) await this.#start(detection)
  }

  /** Decides on the protocol by what came so far, unless nothing of it is known. */
  async decide(): Promise<void> {
    if (this.#reading !== undefined) return
    const detection = detectDialect(this.#values)
    if (detection.dialect !== undefined) await this.#start(detection)
  }

  async end(): Promise<void> {
    // What is complete only at the end was not sampled: it is recognized as in a file.
    if (this.#reading === undefined) await this.#start({ isCertain: false })
    await this.#reading?.end()
  }

  /** Ends the reading of a stream that has not ended: nothing is reported as missing. */
  async stop(): Promise<void> {
    await this.decide()
    if (this.#reading === undefined) await this.end()
    else this.#recording.problems.settle()
  }

  async #start(detection: Detection): Promise<void> {
    const reading = readInto(this.#recording, this.#onDialect, detection)
    this.#reading = reading
    const pieces = this.#pieces
    this.#pieces = []
    this.#values = []
    for (const piece of pieces) await reading.push(piece)
  }
}
