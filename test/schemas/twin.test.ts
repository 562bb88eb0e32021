// Proves that the validators and the published schema accept the same documents. `twin.slow.ts` compares the declared types.
import { describe, expect, test } from 'vitest'
import { publish } from '../../scripts/schemas/files.ts'
import { resolve } from '../../src/cli/schema/json-schema.ts'
import { runs } from '../support/runs.ts'
import { harvest } from './documents.ts'
import { examplesOf } from './examples.ts'
import { ajvJudge, disagreement, eventsIn, type Judge, validatorJudge } from './verdicts.ts'

/** Documents for each vocabulary, over all its events. */
const RUNS = runs(2800)

const published = publish()

describe.each(published)('$folder', ({ dialect, folder, normative, files }) => {
  const { types } = JSON.parse(files.get('meta.json') ?? '') as { types: Record<string, string> }
  const numRuns = Math.ceil(RUNS / Object.keys(types).length)
  const accepts = ajvJudge(normative)
  const material = harvest([normative])

  test('the validators and the published schema agree', () => {
    const judges: readonly [Judge, Judge] = [validatorJudge(dialect), accepts]
    const events = eventsIn(normative)
    for (const [tag, name] of Object.entries(types)) {
      expect(disagreement(events(name), material, judges, { runs: numRuns }), tag).toBe(undefined)
    }
  })

  test('null on an optional field is rejected by the schema and stripped by the decoder', () => {
    for (const { path, group, value } of examplesOf(folder)) {
      const event = value as Record<string, unknown>
      // Once the decoder copies an event, it may strip other nulls of the event as well.
      if (group.startsWith('unknown-') || Object.values(event).includes(null)) continue
      const def = resolve(normative, { $ref: `#/$defs/${types[String(event[dialect.tag])]}` })
      for (const key of Object.keys(def.properties ?? {})) {
        if (def.required?.includes(key) || accepts({ ...event, [key]: null })) continue
        const { [key]: _, ...rest } = event
        expect(dialect.decode({ ...event, [key]: null }), `${path} ${key}`).toEqual({
          status: 'known',
          event: rest,
        })
      }
    }
  })
})
