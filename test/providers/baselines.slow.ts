// Proves that nothing changes unseen in what is read of model streams, recorded and drawn, with and without faults.
import fc from 'fast-check'
import { it } from 'vitest'
import { baselineOf, drawn } from '../support/baseline.ts'
import { readStream } from '../support/providers/agent-loop.ts'
import { mutationsOf } from '../support/providers/mutations.ts'
import { allReaders, recordedChunks } from '../support/providers/readers.ts'

const expectBaseline = baselineOf('providers')
let ids = 0
const options = [{}, { calls: 'start' }, { model: 'm', newId: () => `new-${ids++}` }] as const

it.each(allReaders)('%s', async (name, create, chunk) => {
  const recorded = recordedChunks(name)
  const any = fc.array(chunk, { minLength: 1, maxLength: 16, size: 'max' })
  const cases = drawn(fc.tuple(fc.oneof(any, any, mutationsOf(recorded)), fc.nat(2)), 200)
  await expectBaseline(name, cases, ([stream, which]) => {
    ids = 0
    const { drafts, diagnostics, turn } = readStream(create(options[which] as object), stream)
    return [drafts, diagnostics, turn]
  })
})
