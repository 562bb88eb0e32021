// Proves that the validators, the published schema and the declared types accept the same documents.
import { beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../scripts/schemas/dialects.ts'
import { publish } from '../../scripts/schemas/files.ts'
import type { JsonSchema } from '../../scripts/schemas/json-schema.ts'
import { declaredSchema } from './declared.ts'
import { harvest, type Material } from './documents.ts'
import {
  ajvJudge,
  disagreement,
  documentsOfKind,
  erased,
  erasedJudge,
  type Judge,
  validatorJudge,
} from './verdicts.ts'

for (const dialect of dialects) {
  describe(dialect.name, () => {
    let normative: JsonSchema
    let declared: JsonSchema
    let material: Material
    let types: [string, string][]
    let judges: Record<'validators' | 'published' | 'erased' | 'declared', Judge>

    beforeAll(() => {
      const published = publish().find((each) => each.dialect === dialect)
      if (published === undefined) throw new Error(`${dialect.name} is not published.`)
      normative = published.normative
      types = Object.entries(
        JSON.parse(published.files.get('meta.json') ?? '').types as Record<string, string>,
      )
      declared = declaredSchema(dialect.type)
      material = harvest([normative, declared])
      judges = {
        validators: validatorJudge(dialect),
        published: ajvJudge(normative),
        erased: erasedJudge(normative),
        declared: erasedJudge(declared),
      }
    }, 120_000)

    test('the validators and the published schema agree', () => {
      for (const [tag, name] of types) {
        const documents = documentsOfKind(normative, name)
        expect(
          disagreement(documents, material, [judges.validators, judges.published], { runs: 150 }),
          tag,
        ).toBe(undefined)
      }
    })

    test('the published schema and the declared types agree', () => {
      for (const [tag, name] of types) {
        const pair = [judges.erased, judges.declared] as const
        for (const root of [erased(normative), declared]) {
          const documents = documentsOfKind(root, name)
          expect(disagreement(documents, material, pair, { runs: 75 }), tag).toBe(undefined)
        }
      }
    })
  })
}
