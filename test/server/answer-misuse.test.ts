// Proves that waiting for an answer with a name that names no request is refused at once.
import { memoryStore } from 'turnstream/server'
import { expect, it } from 'vitest'

it.each([
  [{}, '"request.inputId" must be'],
  [{ inputId: 5 }, '"request.inputId" must be'],
  [{ inputId: '' }, '"request.inputId" must be'],
  [{ authId: null }, '"request.authId" must be'],
  [{ inputId: 'i', taskId: 7 }, '"request.taskId" must be'],
  [{ inputId: 'i', task: 't' }, 'task'],
])('answer refuses %j', async (request, message) => {
  const stream = await memoryStore().open('s')
  const refused = await stream.answer(request as never).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(TypeError)
  expect(String(refused)).toContain(message)
})
