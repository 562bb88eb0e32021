// Proves that the id of one output never stands for another, whatever the ids of artifacts and messages are.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { runFromA2a } from './support.ts'

/** Ids that are derived from each other, and that of the text of the task. */
const derived = fc
  .array(fc.constantFrom('A', '/2', '/1', '@2', '\0', '\0/', '@0'), { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(''))
const id = fc.oneof({ weight: 3, arbitrary: derived }, fc.constantFrom('t:content', 't:content/3'))

/** Whether each part is a text. Texts in a row are one output. */
const types = fc.constantFrom([false], [false, false], [false, false, false], [true], [true, false, true])
const artifacts = fc.uniqueArray(fc.record({ artifactId: id, types }), {
  minLength: 1,
  maxLength: 5,
  selector: ({ artifactId }) => artifactId,
})

it('every output has an id of its own', () => {
  fc.assert(
    fc.property(artifacts, id, fc.boolean(), (all, messageId, isLater) => {
      let count = 0
      const data = (): object => ({ data: count++, mediaType: 'application/json' })
      const part = (isText: boolean): object => (isText ? { text: `${count++};` } : data())
      const message = { messageId, role: 'ROLE_AGENT', parts: [data(), data()] }
      const task = (state: string, given: object[]): object => ({
        task: { id: 't', contextId: 'c', status: { state }, artifacts: given },
      })
      const given = all.map(({ artifactId, types }) => ({ artifactId, parts: types.map(part) }))
      const status = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 1 + 1, message } } }
      const items = [status, task('TASK_STATE_COMPLETED', given)]
      const { out } = runFromA2a(isLater ? [task('TASK_STATE_WORKING', given), ...items] : items)
      const ids = out.flatMap((event) => {
        if (event.kind === 'content-complete') return [`text ${event.contentId}`]
        return event.kind === 'data-write' ? [`data ${event.artifactId}`] : []
      })
      expect(ids).toHaveLength(count)
      expect(new Set(ids).size).toBe(count)
    }),
  )
})

it('a text keeps the metadata of 32 of its parts, and reports that of others', () => {
  const parts = Array.from({ length: 40 }, (_, n) => ({ text: 'x', metadata: { n } }))
  const status = { state: 'TASK_STATE_COMPLETED' }
  const task = { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a', parts }] }
  const { out, diagnostics } = runFromA2a([{ task }])
  const text = out.find(({ kind }) => kind === 'content-complete')
  expect(text).toMatchObject({ metadata: { a2a: { parts: { length: 32 } } } })
  expect(diagnostics.filter(({ code }) => code === 'lossy:metadata')).toHaveLength(8)
})

it('a derived id that is taken is reported', () => {
  const file = (bytes: string): object => ({ raw: bytes, filename: bytes.slice(0, 2) })
  const task = {
    task: {
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [
        { artifactId: 'A', parts: [file('AQ=='), file('Ag==')] },
        { artifactId: 'A/2', parts: [file('Aw==')] },
      ],
    },
  }
  const { out, diagnostics } = runFromA2a([task])
  const ids = out.flatMap((event) => (event.kind === 'file-write' ? [event.artifactId] : []))
  expect(ids).toEqual(['A', 'A/2', 'A/2@2'])
  expect(diagnostics.map(({ code }) => code)).toEqual(['inferred:artifactId'])
})

it('tasks of one context may have artifacts with the same id', () => {
  const task = (id: string, parts: readonly object[]): object => ({
    task: {
      id,
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a', parts }],
    },
  })
  const { out } = runFromA2a([task('t1', [{ raw: 'AQ==' }]), task('t2', [{ data: { n: 1 } }, { text: 'x' }])])
  expect(errorsOf(out)).toEqual([])
  const { artifacts } = foldEvents(emptyView, out)
  expect(artifacts.map(({ artifactId, taskId }) => [artifactId, taskId])).toEqual([
    ['a', 't1'],
    ['a@2', 't2'],
  ])
})
