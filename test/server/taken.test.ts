// Proves that an answer is kept until the agent that asked has got it and goes on: what it writes beside an open question takes nothing.
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type EventDraft } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import type { Stream } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { openOver, Stored, sharedLog } from './shared-log.ts'

const user = { role: 'user', id: 'user-1' } as const
const task = { contextId: 'ctx-1', taskId: 'task-1' }
const other = { contextId: 'ctx-1', taskId: 'task-2' }

function processes() {
  const stored = new Stored()
  const emitters = { [task.taskId]: createEmitter(task), [other.taskId]: createEmitter(other) }
  const open = (): Promise<Stream> => openOver(sharedLog(stored), { maxEntries: 4 })
  const write = async (stream: Stream, draft: EventDraft, { taskId } = task): Promise<void> =>
    void (await stream.append(emitters[taskId]?.emit(draft) as ContextAnyEvent))
  const respond = async (stream: Stream, inputId: string, value: unknown, of = task): Promise<void> => {
    const command = createCommand({
      kind: 'input.respond',
      ...of,
      responses: [{ ...of, inputId, value }],
    } as never)
    expect((await stream.submit(command, user)).status).toBe('accepted')
  }
  let count = 0
  const ask = (stream: Stream, inputId: string, of = task): Promise<void> =>
    write(stream, { kind: 'input-required', inputId, inputType: 'clarification', prompt: 'Well?' }, of)
  /** Answers of another task that are more than what is remembered. */
  const flood = async (stream: Stream): Promise<void> => {
    for (let n = 0; n < 10; n++) {
      const inputId = `other-${count++}`
      await ask(stream, inputId, other)
      await respond(stream, inputId, n, other)
      await stream.answer({ ...other, inputId })
      await write(stream, { kind: 'content-delta', delta: 'x' }, other)
    }
  }
  const begin = async (stream: Stream): Promise<void> => {
    for (const of of [task, other]) await write(stream, { kind: 'task-created', initiator: 'user' }, of)
  }
  return { open, write, respond, ask, flood, begin }
}

/** What a process that takes the task over gets for the question. */
async function askedAgain(stream: Stream, inputId: string): Promise<unknown> {
  const asking = stream.ask({ ...task, inputId, prompt: 'Well?' })
  const { done, value } = await asking.next()
  return done ? value : 'asked'
}

describe('an answer', () => {
  it('is kept for a process that takes the task over, though the agent wrote beside its open question', async () => {
    const { open, write, respond, ask, flood, begin } = processes()
    const [first, second] = [await open(), await open()]
    await begin(first)
    await ask(first, 'q')
    await write(first, { kind: 'content-delta', delta: 'Meanwhile' })
    await respond(second, 'q', 'yes')
    // Not what asks: it has not got the answer.
    await write(first, { kind: 'content-delta', delta: ', this.' })
    await write(first, { kind: 'tool-start', toolCallId: 'c', toolName: 'look', arguments: {} })
    await flood(second)
    expect(await askedAgain(await open(), 'q')).toMatchObject({ status: 'answered', value: 'yes' })
  })

  it('is forgotten once the agent has got it and goes on', async () => {
    const { open, write, respond, ask, flood, begin } = processes()
    const [first, second] = [await open(), await open()]
    await begin(first)
    await ask(first, 'q')
    await respond(second, 'q', 'yes')
    await first.answer({ ...task, inputId: 'q' })
    await flood(second)
    expect(await askedAgain(await open(), 'q')).toMatchObject({ status: 'answered' })
    await write(first, { kind: 'content-delta', delta: 'So' })
    await write(first, { kind: 'tool-start', toolCallId: 'c', toolName: 'look', arguments: {} })
    await flood(second)
    expect(await askedAgain(await open(), 'q')).toEqual({ status: 'canceled' })
  })

  it('is kept in any order of questions, answers and what is written, until its agent has got it and goes on', async () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom('ask', 'respond', 'get', 'write', 'start', 'flood'), fc.nat(2)),
      { maxLength: 30, size: 'max' },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { open, write, respond, ask, flood, begin } = processes()
        const [first, second] = [await open(), await open()]
        await begin(first)
        const phases: ('open' | 'answered' | 'given' | 'taken' | undefined)[] = []
        for (const [i, [what, n]] of all.entries()) {
          const inputId = `q-${n}`
          if (what === 'ask' && phases[n] === undefined) {
            await ask(first, inputId)
            phases[n] = 'open'
          } else if (what === 'respond' && phases[n] === 'open') {
            await respond(second, inputId, n)
            phases[n] = 'answered'
          } else if (what === 'get' && phases[n] === 'answered') {
            expect(await first.answer({ ...task, inputId })).toMatchObject({ value: n })
            phases[n] = 'given'
          } else if (what === 'write' || what === 'start') {
            const start = {
              kind: 'tool-start',
              toolCallId: `c-${i}`,
              toolName: 'look',
              arguments: {},
            } as const
            await write(first, what === 'start' ? start : { kind: 'content-delta', delta: 'x' })
            phases.forEach((phase, at) => {
              if (phase === 'given') phases[at] = 'taken'
            })
          } else if (what === 'flood') await flood(second)
        }
        const third = await open()
        for (const [n, phase] of phases.entries()) {
          if (phase === 'answered' || phase === 'given')
            expect(await askedAgain(third, `q-${n}`)).toMatchObject({ status: 'answered', value: n })
        }
        for (const stream of [first, second, third]) await stream.release()
      }),
      { numRuns: runs(100, 60) },
    )
  })
})
