// Proves that the log which docs/streams/own-log.md shows obeys the laws, and that a store of such logs keeps its rules.
import { createCommand } from 'turnstream/commands'
import { logStore } from 'turnstream/server'
import type { StateLog } from 'turnstream/streams'
import { eventLogLaw } from 'turnstream/testing'
import { expect, it } from 'vitest'
import { Database } from '../../examples/own-log/database.ts'
import { databaseLog } from '../../examples/own-log/log.ts'

/** A connection that loses seven of ten requests or answers. */
function unreliable(database: Database): Database {
  let turn = 0
  const lossy = Object.create(database) as Database
  lossy.read = (...args) => database.read(...args)
  lossy.changed = (...args) => database.changed(...args)
  lossy.write = async (stream, body) => {
    const fate = turn++ % 10
    if (fate < 3) throw new Error('The request is lost.')
    const result = await database.write(stream, body)
    if (fate < 7) throw new Error('The answer is lost.')
    return result
  }
  return lossy
}

it('obeys the laws', async () => {
  const database = new Database()
  const skipped: string[] = []
  await eventLogLaw((stream) => databaseLog(database, stream), {
    openUnreliable: (stream) => databaseLog(unreliable(database), stream),
    onSkipped: (law) => skipped.push(law),
  })
  expect(skipped.filter((law) => !/lease|heir|given back|deadline|in time|taken over/.test(law))).toEqual([])
})

it('applies a command once in all processes', async () => {
  const database = new Database()
  const open = (stream: string): StateLog => databaseLog(database, stream)
  const taken: string[] = []
  const streams = await Promise.all(
    [1, 2].map(async (process) => {
      const store = logStore({ open, mayAccess: () => true })
      return store.open('s', { onInput: (_, { input }) => taken.push(`${process}: ${input}`) })
    }),
  )
  const command = createCommand({ kind: 'task.send', input: 'Hi', contextId: 'ctx-1' })
  const receipts = await Promise.all(streams.map((each) => each.submit(command, { role: 'user', id: 'u' })))
  expect(receipts.map(({ status }) => status).sort()).toEqual(['accepted', 'repeated'])
  expect(taken).toHaveLength(1)
  for (const stream of streams) await stream.release()
})
