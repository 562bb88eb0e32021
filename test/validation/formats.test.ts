// Proves that formats accept the texts that the regular expressions of the schemas accept.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contextEventSchemas } from '../../src/events/records/schemas.ts'
import { dottedName } from '../../src/validation/formats.ts'
import { accepts } from '../support/accepts.ts'
import { runs } from '../support/runs.ts'

it('a dotted name is what the schema of custom events accepts', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'Z', '0', '_', '-', '.', ' ', 'é', '\n'),
    maxLength: 8,
  })
  fc.assert(
    fc.property(name, (name) => {
      const event = {
        kind: 'custom',
        contextId: 'c',
        taskId: 't',
        name,
        data: 1,
        timestamp: '2026-01-31T10:30:00Z',
      }
      expect(dottedName.test(name)).toBe(accepts(contextEventSchemas.custom, event))
    }),
    { numRuns: runs(5000) },
  )
})
