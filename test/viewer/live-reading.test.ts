// Proves that a live stream is read like a file, and is shown as soon as its protocol is certain.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleRecording } from '../../scripts/example-recording.ts'
import { dialectTitles } from '../../src/inspect/index.ts'
import { LiveReading } from '../../src/viewer/model/live-reading.ts'
import { type Reading, readInto } from '../../src/viewer/model/reading.ts'
import { Recording } from '../../src/viewer/model/recording.ts'
import { readRecording, recordings } from '../support/recordings.ts'

/** A recording that is being read, and the names of its protocol that were reported. */
function started<R extends Reading>(
  read: (recording: Recording, onDialect: (name: string) => void) => R,
): { recording: Recording; dialects: string[]; reading: R } {
  const recording = new Recording()
  const dialects: string[] = []
  return { recording, dialects, reading: read(recording, (name) => dialects.push(name)) }
}

const live = () => started((recording, onDialect) => new LiveReading(recording, onDialect))

describe.each(Object.entries(recordings))('%s', (file, dialect) => {
  it('is read like a file, however it is cut', async () => {
    const bytes = readRecording(file)
    const whole = started(readInto)
    await whole.reading.push(bytes)
    await whole.reading.end()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const { recording, dialects, reading } = live()
        for (const [i, end] of places.slice(1).entries()) await reading.push(bytes.slice(places[i], end))
        await reading.end()
        expect(dialects).toEqual([dialectTitles[dialect]])
        expect(recording.events).toEqual(whole.recording.events)
        expect(recording.lines).toEqual(whole.recording.lines)
        expect(recording.problems.all).toEqual(whole.recording.problems.all)
      }),
      { numRuns: 20 },
    )
  })

  it('is recognized before twenty values came', async () => {
    const { dialects, reading } = live()
    const bytes = readRecording(file)
    let read = 0
    while (dialects.length === 0 && read < bytes.length) await reading.push(bytes.slice(read, ++read))
    expect(dialects).toEqual([dialectTitles[dialect]])
    expect(read).toBeLessThan(bytes.length / 2)
  })
})

describe('a stream whose protocol is uncertain', () => {
  const uncertain = '{"type":"ping"}\n'

  it('waits for more, until it is to be decided', async () => {
    const { dialects, reading } = live()
    expect(reading.isUndecided).toBe(false)
    await reading.push(uncertain)
    expect(dialects).toEqual([])
    expect(reading.isUndecided).toBe(true)
    await reading.decide()
    expect(dialects).toEqual([dialectTitles.anthropic])
    expect(reading.isUndecided).toBe(false)
  })

  it('is decided when the reading is stopped', async () => {
    const { dialects, reading } = live()
    await reading.push(uncertain)
    await reading.stop()
    expect(dialects).toEqual([dialectTitles.anthropic])
  })

  it('is reported as unknown when the reading of unknown values is stopped', async () => {
    const { recording, reading } = live()
    await reading.push('{"a":1}\n')
    await reading.stop()
    expect(recording.problems.all.map(({ code }) => code)).toEqual(['unknown-dialect'])
  })

  it('is not decided by values of no protocol', async () => {
    const { dialects, recording, reading } = live()
    await reading.push('{"a":1}\n')
    await reading.decide()
    expect(dialects).toEqual([])
    await reading.push('{"kind":"task-created","timestamp":"2026-01-01T00:00:00Z"}\n'.repeat(2))
    await reading.decide()
    expect(dialects).toEqual([dialectTitles.core])
    await reading.end()
    expect(recording.problems.all.length).toBeGreaterThan(0)
  })
})

it('a stream that is stopped has no problems of an end', async () => {
  const { recording, reading } = live()
  const lines = exampleRecording().split('\n').slice(0, 20)
  await reading.push(`${lines.join('\n')}\n`)
  await reading.stop()
  expect(recording.events).toHaveLength(20)
  expect(recording.problems.all).toEqual([])
})
