// The laws of the writer for ACP: plain state, what is lost is declared and reported, and what a client reads is the whole.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { run } from 'turnstream'
import { type AcpOutput, acpCoverage, acpLosses, toAcp } from 'turnstream/acp'
import { describe, expect, it, test } from 'vitest'
import type { ContextAnyEvent } from '../../src/index.ts'
import { damaged } from '../support/damaged-streams.ts'
import { expectMachineLaw } from '../support/law.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { expectCoverageLaw, expectTotal, withUnknownFields } from '../support/mapper-laws.ts'

const viewer = { audience: 'operator' } as const
const writer = () => toAcp({ viewer, input: true })
const event = legalStreams({ revisions: true }).chain((events) => fc.constantFrom(...events))

describe('toAcp', () => {
  test('has the law of machines', () => expectMachineLaw(writer(), event, { runs: 200 }))

  test('takes any value', () => expectTotal<ContextAnyEvent>(writer as never, legalStreams()))

  test('loses what it declares', () =>
    expectCoverageLaw({
      machine: () => toAcp({ viewer }) as never,
      coverage: acpCoverage,
      losses: acpLosses,
      streams: withUnknownFields(
        fc.oneof(legalStreams({ subtasks: false }), legalStreams({ subtasks: false, focus: 'texts' })),
      ),
      runs: 400,
    }))
})

const schema = JSON.parse(
  readFileSync('node_modules/@agentclientprotocol/sdk/schema/v1/schema.json', 'utf8'),
) as { readonly $defs: object }
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(schema, 'acp')
const validators = {
  update: ajv.getSchema('acp#/$defs/SessionUpdate'),
  result: ajv.getSchema('acp#/$defs/PromptResponse'),
}

/** The messages of a client, by their ids. */
function messagesOf(outputs: readonly AcpOutput[]): Map<string, string> {
  const messages = new Map<string, string>()
  for (const output of outputs) {
    if (!('update' in output) || !('messageId' in output.update)) continue
    const { messageId = '', content } = output.update
    if (content.type === 'text') messages.set(messageId, (messages.get(messageId) ?? '') + content.text)
  }
  return messages
}

it('writes what the schema of ACP allows, and whole messages, of any stream', () => {
  fc.assert(
    fc.property(damaged(legalStreams({ subtasks: false })), (events) => {
      const { push, end } = run(toAcp({ viewer }))
      const outputs = [...events.flatMap((each) => push(each)), ...end()]
      for (const output of outputs) {
        const [[type, value] = []] = Object.entries(output)
        const validate = validators[type as keyof typeof validators]
        if (validate !== undefined)
          expect(validate(value), JSON.stringify([value, validate.errors])).toBe(true)
      }
      const ends = outputs.filter((output) => !('update' in output))
      expect(ends.length).toBeLessThanOrEqual(1)
      const wholes = events.flatMap((each) =>
        each.kind === 'content-complete' || each.kind === 'thought-stream' ? [each.content] : [],
      )
      const messages = [...messagesOf(outputs).values()]
      for (const message of messages.slice(0, -1)) {
        const isWhole = wholes.includes(message)
        expect(isWhole || events.some((each) => 'delta' in each || each.kind === 'content-replace')).toBe(
          true,
        )
      }
    }),
    { numRuns: 200 },
  )
})
