/** Moves of an agent: content and thoughts. */

import type { CitedSource } from '../../../src/events/source.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../../src/events/thought.ts'
import type { Usage } from '../../../src/events/usage.ts'
import { type Agent, type Choice, choose, type Move, type Segment, type Task } from './agent.ts'

/** The ids of texts. A text may have a segment after another. */
const contentIds = [undefined, undefined, 'text-1', undefined, 'text-2'] as const

/** The open segment of the text that the choice names, or a new one. */
function segmentOf(task: Task, choice: Choice): Segment {
  const [id] = choose(
    contentIds.map((one) => [one] as const),
    choice,
  )
  const open = task.segments.find((segment) => segment.id === id && segment.content === undefined)
  if (open !== undefined) return open
  const segment: Segment = { id, deltas: [], content: undefined }
  const isOpen = openSegments(task).length > 0
  task.segments = [...(isOpen ? task.segments : []), segment]
  return segment
}

/** The open segments of a task. */
export function openSegments(task: Task): Segment[] {
  return task.segments.filter(({ content }) => content === undefined)
}

export const streamContent: Move = (agent, task, choice) => {
  const { id, deltas } = segmentOf(task, choice)
  const index = deltas.length
  // A merged delta covers several indexes.
  const merged = choice.number % 7 === 6
  deltas.push(choice.text, ...(merged ? ['', ''] : []))
  const contentId = id === undefined ? {} : { contentId: id }
  const indexEnd = merged ? { indexEnd: index + 2 } : {}
  agent.emit(task, { kind: 'content-delta', ...contentId, delta: choice.text, index, ...indexEnd }, choice)
}

/** Completes a text, mostly an open one. */
export const completeContent: Move = (agent, task, choice) => {
  const open = openSegments(task)
  const segment = open.length > 0 && choice.number % 4 > 0 ? choose(open, choice) : segmentOf(task, choice)
  completeSegment(agent, task, segment, choice)
}

export function completeSegment(agent: Agent, task: Task, segment: Segment, choice: Choice): void {
  const { id, deltas } = segment
  const content = deltas.length === 0 ? choice.text : deltas.join('')
  segment.content = content
  task.lastContent = content
  const end = content.length
  const sources: CitedSource[] = [{ url: choice.text, title: choice.text, start: 0, end, quote: choice.text }]
  agent.emit(
    task,
    {
      kind: 'content-complete',
      ...(id !== undefined && { contentId: id }),
      content,
      ...(choice.flag && { finishReason: 'stop' }),
      ...(choice.number % 5 === 3 && { metadata: { ...choice.json, usage: usageOf(choice), sources } }),
    },
    choice,
  )
}

/** What a model call used. */
export function usageOf({ number, flag }: Choice): Usage[] {
  const counts = { inputTokens: number, outputTokens: 2, totalTokens: number + 2 }
  return flag ? [{ provider: 'example', model: 'model-1', ...counts }, { reasoningTokens: 1 }] : [counts]
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
        metadata: {
          ...choice.json,
          confidence: choice.number / 60,
          alternatives: [choice.text],
          ...(choice.number % 3 === 0 && { signature: choice.text, redacted: choice.number % 2 === 0 }),
        },
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
