/** Moves of an agent: content, thoughts and custom events. */
import type { ThoughtType, ThoughtVerbosity } from '../../../src/events/thought.ts'
import type { Move } from './agent.ts'

export const streamContent: Move = (agent, task, choice) => {
  const index = task.segment.length
  // A merged delta covers several indexes.
  const merged = choice.number % 7 === 6
  task.segment.push(choice.text, ...(merged ? ['', ''] : []))
  const indexEnd = merged ? { indexEnd: index + 2 } : {}
  agent.emit(task, { kind: 'content-delta', delta: choice.text, index, ...indexEnd }, choice)
}

export const completeContent: Move = (agent, task, choice) => {
  const content = task.segment.length === 0 ? choice.text : task.segment.join('')
  task.segment = []
  task.lastContent = content
  agent.emit(
    task,
    { kind: 'content-complete', content, ...(choice.flag && { finishReason: 'stop' }) },
    choice,
  )
}

function labelsFor(number: number): { thoughtType: ThoughtType; verbosity: ThoughtVerbosity } {
  const types: ThoughtType[] = ['planning', 'reasoning', 'reflection', 'decision', 'observation', 'strategy']
  const levels: ThoughtVerbosity[] = ['brief', 'normal', 'detailed']
  return {
    thoughtType: types[number % types.length] ?? 'planning',
    verbosity: levels[number % levels.length] ?? 'normal',
  }
}

export const streamThought: Move = (agent, task, choice) => {
  // Not every producer knows them before the end.
  const labels = choice.number % 5 === 4 ? {} : labelsFor(choice.number)
  task.thought ??= { id: agent.id('thought'), next: 0, content: '', labels }
  const { id: thoughtId, next: index } = task.thought
  task.thought.next += 1
  task.thought.content += choice.text
  agent.emit(
    task,
    { kind: 'thought-delta', thoughtId, delta: choice.text, ...task.thought.labels, index },
    choice,
  )
}

export const completeThought: Move = (agent, task, choice) => {
  const open = choice.flag ? task.thought : undefined
  if (open !== undefined) task.thought = undefined
  agent.emit(
    task,
    {
      kind: 'thought-stream',
      thoughtId: open?.id ?? agent.id('thought'),
      ...labelsFor(choice.number),
      ...open?.labels,
      content: open?.content ?? choice.text,
      index: task.thoughts++,
      ...(choice.flag && {
        metadata: { ...choice.json, confidence: choice.number / 60, alternatives: [choice.text] },
      }),
    },
    choice,
  )
}

export const completeOpenThought: Move = (agent, task, choice) =>
  completeThought(agent, task, { ...choice, flag: true })

export const emitCustom: Move = (agent, task, choice) => {
  const ids = ['custom-1', 'custom-2', '__proto__']
  agent.emit(
    task,
    {
      kind: 'custom',
      name: choice.flag ? 'acme.marker' : 'acme.note',
      data: choice.flag ? choice.text : choice.json,
      ...(choice.number % 2 === 0 && { customId: ids[choice.number % ids.length] ?? 'custom-1' }),
      ...(choice.number % 5 === 0 && { transient: choice.flag }),
      ...(choice.number % 3 === 0 && { metadata: choice.json }),
    },
    choice,
  )
}
