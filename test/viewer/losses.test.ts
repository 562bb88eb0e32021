// Proves that a conversion counts what reading the recording lost, as the command line does.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleRecording } from '../../scripts/example-recording.ts'
import { inspectRecording } from '../../src/inspect/index.ts'
import { conversion, type Target, targets } from '../../src/viewer/model/conversion.ts'
import { hasLoss, LossCounts } from '../../src/viewer/model/loss-counts.ts'
import type { Recording } from '../../src/viewer/model/recording.ts'
import { readRecording, recordings } from '../support/recordings.ts'
import { runs } from '../support/runs.ts'
import { readWhole } from './read-whole.ts'

function losses(recording: Recording, target: Target): ReadonlyMap<string, number> {
  const converting = conversion(target, () => 'id', recording.losses)
  for (const event of recording.events) converting.push(event)
  converting.end()
  return converting.losses
}

const textFiles = Object.keys(recordings).filter((file) => !file.endsWith('.eventstream'))
const unknown = '{"kind":"llm-usage","contextId":"c","taskId":"t","timestamp":"2026-01-01T00:00:00.000Z"}'
const damage = fc.constantFrom(
  'not json at all',
  'data: {"half',
  '{"kind":"llm-usage"}',
  '{"type":"?"}',
  '5',
  '{"other":1}',
)

describe('the losses of a conversion', () => {
  it('hold what the command line counts when it reads the recording', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...textFiles),
        // Of values that are no objects, readers report the first.
        fc.uniqueArray(fc.tuple(fc.nat(), damage), {
          comparator: ([, one], [, other]) => one === '5' && other === '5',
        }),
        async (file, all) => {
          const lines = new TextDecoder().decode(readRecording(file)).split('\n')
          for (const [at, line] of all) lines.splice(at % lines.length, 0, line)
          const text = lines.join('\n')
          const { diagnostics } = await inspectRecording([text], { findings: 'mapping' })
          const counts = new Map<string, number>()
          for (const { code } of diagnostics)
            if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1)
          expect(losses(await readWhole(text), 'core')).toEqual(counts)
        },
      ),
      { numRuns: runs(30) },
    )
  })

  it.each(Object.keys(targets) as Target[])(
    'in %s hold lines and events that were left out',
    async (target) => {
      const clean = await readWhole(exampleRecording())
      const damaged = await readWhole(`${exampleRecording()}not json\n${unknown}\n{"half\n`)
      expect(damaged.events).toEqual(clean.events)
      const expected = new Map(losses(clean, target))
      for (const [code, count] of [
        ['invalid-json', 2],
        ['dropped:llm-usage', 1],
      ] as const)
        expected.set(code, (expected.get(code) ?? 0) + count)
      expect(losses(damaged, target)).toEqual(expected)
      expect(hasLoss(losses(damaged, target))).toBe(true)
    },
  )

  it('are none if values were only inferred', () => {
    expect(hasLoss(new Map())).toBe(false)
    expect(hasLoss(new Map([['inferred:timestamp', 3]]))).toBe(false)
    expect(
      hasLoss(
        new Map([
          ['inferred:timestamp', 3],
          ['lossy:index', 1],
        ]),
      ),
    ).toBe(true)
  })

  it('are counted together after many codes', () => {
    const losses = new LossCounts()
    for (let i = 0; i < 1000; i++) losses.add(`dropped:${i}`)
    losses.add('dropped:0')
    expect(losses.byCode.size).toBe(257)
    expect(losses.byCode.get('dropped:0')).toBe(2)
    expect([...losses.byCode.values()].reduce((sum, count) => sum + count)).toBe(1001)
  })
})
