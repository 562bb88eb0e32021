// Proves that whatever arguments a model writes: they are declined with a reason, or what is approved is what may start.
import fc from 'fast-check'
import type { EventDraft } from 'turnstream'
import { createCommand, type Sender } from 'turnstream/commands'
import { type Approval, memoryStore } from 'turnstream/server'
import { expect, it } from 'vitest'
import { anyone } from '../support/anyone.ts'
import { runs } from '../support/runs.ts'

const user: Sender = { role: 'user', id: 'user-1' }
const units = fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe00f }), fc.integer({ min: 0, max: 0xffff }))
const texts = fc.array(units, { maxLength: 4 }).map((each) => String.fromCharCode(...each))
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(-0),
  fc.maxSafeInteger(),
)
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    texts,
    numbers,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(texts, fc.constantFrom('__proto__', 'constructor', '')), tie('value'), {
      maxKeys: 3,
    }),
    // As deep as few are.
    fc.tuple(tie('value'), fc.integer({ min: 0, max: 80 })).map(([value, depth]) => nested(value, depth)),
  ),
}))

function nested(value: unknown, depth: number): unknown {
  let all = value
  for (let i = 0; i < depth; i++) all = [all]
  return all
}

/** JSON text, also with what `JSON.stringify` does not write. */
const written = fc
  .tuple(
    fc.dictionary(texts, values, { maxKeys: 3 }),
    fc.constantFrom('', ',"n":1e400', ',"n":1.0', ',"a":1,"a":2'),
  )
  .map(([value, more]) => {
    const text = JSON.stringify(value)
    return text === '{}' ? `{${more.slice(1)}}` : `${text.slice(0, -1)}${more}}`
  })

it('starts what was approved, and declines what it cannot show', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(written, fc.constantFrom('', ' \n')), async (text) => {
      const store = memoryStore(anyone)
      const stream = await store.open('s')
      const task = { contextId: 'c', taskId: 't' }
      const call = { toolCallId: 'k', toolName: 'pay', arguments: text }
      let approval: Approval | undefined
      const done = stream.run(task, async function* (): AsyncGenerator<EventDraft> {
        const ask = stream.approve([call], task)
        for (let next = await ask.next(); ; next = await ask.next()) {
          if (next.done) {
            approval = next.value[0]
            break
          }
          yield next.value
          if (next.value.kind === 'task-status') void respond()
        }
        if (approval?.status !== 'approved') return
        const { toolCallId, toolName, arguments: args } = approval.call
        yield { kind: 'tool-start', toolCallId, toolName, arguments: JSON.parse(args) }
        yield { kind: 'tool-complete', toolCallId, toolName, success: true }
        yield { kind: 'task-complete' }
      })
      const respond = async (): Promise<void> => {
        const [request] = await stream.requests()
        const responses = [{ inputId: String(request?.id), outcome: 'answered' as const }]
        const receipt = await stream.submit(createCommand({ kind: 'input.respond', responses }), user)
        expect(receipt.status).toBe('accepted')
      }
      await done
      if (approval?.status === 'declined') expect(approval.reason).not.toBe('')
      else expect(approval).toMatchObject({ status: 'approved', call: { arguments: text.trim() || '{}' } })
      await store.close()
    }),
    { numRuns: runs(150), examples: [['{"a":"\\ud800"}'], ['{"\\udc00":1}'], ['']] },
  )
})
