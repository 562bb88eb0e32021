/** Reading a recording that is given whole. */
import { readInto } from '../../src/viewer/model/reading.ts'
import { Recording } from '../../src/viewer/model/recording.ts'

export async function readWhole(text: string): Promise<Recording> {
  const recording = new Recording()
  const reading = readInto(recording, () => {})
  await reading.push(text)
  await reading.end()
  return recording
}
