// Proves that what agents of the Python SDKs send is read without loss, and as their stored tasks are.

import { describe, expect, it } from 'vitest'
import { fromA2a } from '../../../src/dialects/a2a/index.ts'
import { expectNothingLost, resultsOf } from '../../support/mapper-laws.ts'
import { outcomeOf } from './outcome.ts'
import { runFromA2a } from './support.ts'

const ids = { taskId: 't', contextId: 'c' }
const message = (messageId: string, role: string, text: string): object => ({
  ...{ messageId, role: `ROLE_${role}`, parts: [{ text }] },
  ...ids,
})
const status = (state: string, said?: object): object => ({
  state: `TASK_STATE_${state}`,
  ...(said !== undefined && { message: said }),
})
const task = (fields: object): object => ({ task: { id: 't', contextId: 'c', ...fields } })
const update = (state: string, said?: object): object => ({
  statusUpdate: { ...ids, status: status(state, said) },
})

describe('a task whose last message is progress', () => {
  const request = message('m1', 'USER', 'Do it.')
  const progress = message('m2', 'AGENT', 'Still at it.')

  it('has the same result in its stream as when it is read at the end', () => {
    const stream = [
      task({ status: status('SUBMITTED'), history: [request] }),
      update('WORKING', progress),
      update('COMPLETED'),
    ]
    const last = task({ status: status('COMPLETED'), history: [request, progress] })
    expect(outcomeOf(runFromA2a(stream).out)).toEqual(outcomeOf(runFromA2a([last]).out))
  })
})

function expectAllRead(items: readonly object[]): void {
  const structure = /\/(?:id|taskId|contextId|messageId|role|state)$/
  expectNothingLost(resultsOf(fromA2a({ now: () => 0 }), items) as never, items, (path) =>
    structure.test(path),
  )
}

describe('a task that is sent again after its end', () => {
  const history = [
    message('m1', 'USER', 'Do it.'),
    message('m2', 'AGENT', 'Which one?'),
    message('m3', 'USER', 'The first.'),
  ]

  it('has its answers reported, if they were not seen', () => {
    const items = [
      task({ status: status('SUBMITTED'), history: history.slice(0, 1) }),
      update('INPUT_REQUIRED', history[1]),
      update('COMPLETED'),
      task({ status: status('COMPLETED'), history }),
    ]
    expectAllRead(items)
  })

  it('has the metadata of updates reported that were missed, as the server merges it', () => {
    const item = task({ status: status('COMPLETED'), metadata: { seen: 'before', k1: 'missed' } })
    expectAllRead([
      task({ status: status('SUBMITTED'), metadata: { seen: 'before' } }),
      update('COMPLETED'),
      item,
    ])
  })
})
