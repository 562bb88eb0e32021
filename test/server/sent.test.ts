// Proves that an agent that continues gets what its task had sent.
import type { ContextAnyEvent } from 'turnstream'
import { memoryStore, runAgent } from 'turnstream/server'
import { expect, it } from 'vitest'

it('an agent gets what its task has sent if it is resumed, and nothing of other tasks', async () => {
  const store = memoryStore()
  const stream = await store.open('c')
  const seen: (readonly ContextAnyEvent[] | undefined)[] = []
  const run = (taskId: string, isResumed: boolean): Promise<void> => {
    const input = {
      commandId: taskId,
      contextId: 'c',
      taskId,
      input: 'Pay.',
      sender: { role: 'user', id: 'ann' } as const,
      isResumed,
    }
    return runAgent(
      stream,
      input,
      async function* ({ sent }) {
        seen.push(sent)
        yield { kind: 'task-complete' }
      },
      console.error,
    )
  }
  const at = '2026-03-14T08:00:00Z'
  await run('before', false)
  await stream.append({ kind: 'task-created', contextId: 'c', taskId: 't', initiator: 'user', timestamp: at })
  await run('t', true)
  await store.close()
  expect(seen[0]).toBeUndefined()
  expect(seen[1]).toMatchObject([
    { kind: 'task-created', taskId: 't' },
    { kind: 'task-status', taskId: 't' },
  ])
})
