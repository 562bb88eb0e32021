// Proves that with the extension every event survives a round trip through A2A, in both versions.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { run } from '../../../src/core/machine.ts'
import { decodeEvent } from '../../../src/events/decode.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { eventKinds, isInternal } from '../../../src/events/kinds.ts'
import { verifier } from '../../../src/streams/verify/verifier.ts'
import { loneResults } from '../../streams/verify/support.ts'
import { eventsOfTask, legalStreams, taskIds } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { closeTexts, runFromA2a, runToA2a, versions } from './support.ts'

describe.each(versions)('with the extension, A2A %s', (version) => {
  it.each(closeTexts)('round-trips every stream, text closed by %s', (closeText) => {
    fc.assert(
      fc.property(legalStreams({ internal: false }), (events) => {
        for (const taskId of taskIds(events)) {
          const task = eventsOfTask(events, taskId)
          const { out } = runToA2a(task, { version, extension: true, closeText })
          expect(runFromA2a(out, { extension: true }).out).toEqual(task)
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it('round-trips truncated streams once the machine is ended', () => {
    fc.assert(
      fc.property(legalStreams({ internal: false, ended: false }), (events) => {
        for (const taskId of taskIds(events)) {
          const task = eventsOfTask(events, taskId)
          const mapped = runToA2a(task, { version, extension: true }, { unfinished: 'keep' })
          expect(runFromA2a(mapped.out, { extension: true }).out).toEqual(task)
        }
      }),
      { numRuns: runs(80) },
    )
  })

  it('drops internal events, and round-trips the others unchanged', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false }), (events) => {
        const items = runToA2a(events, { version, extension: true }).out
        expect(runFromA2a(items, { extension: true }).out).toEqual(
          events.filter((event) => !isInternal(event)),
        )
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('the generated streams', () => {
  const samples = fc.sample(legalStreams({ revisions: true }), { numRuns: 400, seed: 7 })

  it('contain every kind of event', () => {
    const kinds = new Set(samples.flat().map(({ kind }) => kind))
    expect(eventKinds.filter((kind) => !kinds.has(kind))).toEqual([])
  })

  it('are legal', () => {
    for (const events of samples) {
      const { push, end } = run(verifier({ mode: 'standard' }))
      expect([...events.flatMap((event) => push(event)), ...end()]).toMatchObject(loneResults(events))
    }
  })

  it('contain only valid events that survive JSON', () => {
    const invalid = (event: ContextAnyEvent): boolean => decodeEvent(event).status !== 'known'
    expect(samples.flat().filter(invalid)).toEqual([])
    expect(JSON.parse(JSON.stringify(samples))).toEqual(samples)
  })
})
