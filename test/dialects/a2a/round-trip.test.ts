// Proves that with the extension a stream of A2A carries every event there and back, in both versions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { run } from '../../../src/core/machine.ts'
import { decodeEvent } from '../../../src/events/decode.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { isExternal } from '../../../src/events/guards.ts'
import { eventKinds } from '../../../src/events/kinds.ts'
import { verifier } from '../../../src/streams/verify/verifier.ts'
import { eventsOfTask, legalStreams, taskIds } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { closeTexts, say, understand, versions } from './support.ts'

describe.each(versions)('with the extension, A2A %s', (version) => {
  it.each(closeTexts)('carries every stream there and back, text closed by %s', (closeText) => {
    fc.assert(
      fc.property(legalStreams({ internal: false }), (events) => {
        for (const taskId of taskIds(events)) {
          const task = eventsOfTask(events, taskId)
          expect(understand(say(task, { version, extension: true, closeText }).out).out).toEqual(task)
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it('carries streams that break off, once they are told that nothing follows', () => {
    fc.assert(
      fc.property(legalStreams({ internal: false, ended: false }), (events) => {
        for (const taskId of taskIds(events)) {
          const task = eventsOfTask(events, taskId)
          const said = say(task, { version, extension: true }, { unfinished: 'keep' })
          expect(understand(said.out).out).toEqual(task)
        }
      }),
      { numRuns: runs(80) },
    )
  })

  it('leaves internal events out, and carries the others as if they had not been', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false }), (events) => {
        const said = say(events, { version, extension: true }).out
        expect(understand(said).out).toEqual(events.filter((event) => isExternal(event)))
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('the streams it is tried with', () => {
  const samples = fc.sample(legalStreams(), { numRuns: 400, seed: 7 })

  it('hold every kind of event', () => {
    const kinds = new Set(samples.flat().map(({ kind }) => kind))
    expect(eventKinds.filter((kind) => !kinds.has(kind))).toEqual([])
  })

  it('are legal', () => {
    for (const events of samples) {
      const { push, end } = run(verifier({ mode: 'standard' }))
      expect([...events.flatMap((event) => push(event)), ...end()]).toEqual([])
    }
  })

  it('hold valid events only, as JSON has them', () => {
    const invalid = (event: ContextAnyEvent): boolean => decodeEvent(event).status !== 'known'
    expect(samples.flat().filter(invalid)).toEqual([])
    expect(JSON.parse(JSON.stringify(samples))).toEqual(samples)
  })
})
