/** A task of a store whose questions are answered as soon as they are asked. */

import type { ContextAnyEvent } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import { type Agent, memoryStore, runAgent } from 'turnstream/server'
import type { StoreOptions } from '../../src/server/store.ts'

const user = { role: 'user', id: 'ann' } as const

/**
 * Runs an agent, and answers what it asks. Resolves when it has ended.
 *
 * @param answer - What each question is answered with: its `outcome`, or a `value`.
 * @param needsApproval - The tools that must be approved.
 * @returns The events of the stream, and what was thrown or reported.
 */
export async function answered(
  agent: Agent,
  answer: object,
  needsApproval: StoreOptions['needsApproval'] = undefined,
): Promise<{ events: readonly ContextAnyEvent[]; errors: readonly unknown[] }> {
  const errors: unknown[] = []
  const store = memoryStore({
    ...(needsApproval !== undefined && { needsApproval }),
    onError: (error: unknown) => errors.push(error),
  } as StoreOptions)
  let ended: Promise<void> | undefined
  const stream = await store.open('c', {
    onInput(of, input) {
      ended = runAgent(of, input, agent, (error) => errors.push(error)).catch((error) => {
        errors.push(error)
      })
      return ended
    },
  })
  let isOver = false
  try {
    await stream.submit(createCommand({ kind: 'task.send', contextId: 'c', input: 'Pay.' } as never), user)
    const over = (async () => {
      while (ended === undefined) await new Promise((resolve) => setTimeout(resolve, 1))
      await ended
      isOver = true
    })()
    const asked = new Set<string>()
    while (!isOver) {
      for (const { type, id } of await stream.requests()) {
        if (type !== 'input' || asked.has(id)) continue
        asked.add(id)
        const responses = [{ inputId: id, ...answer }]
        const receipt = await stream.submit(
          createCommand({ kind: 'input.respond', contextId: 'c', responses } as never),
          user,
        )
        if (receipt.status !== 'accepted') errors.push(receipt)
      }
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 5))])
    }
    const part = await stream.log.read(undefined, { maxBytes: 1e7 })
    return { events: part.type === 'batch' ? part.events : [], errors }
  } finally {
    await store.close()
  }
}
