/** Moves of an agent: content and thoughts. */

import type { CitedSource } from '../../../src/events/source.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../../src/events/thought.ts'
import type { Usage } from '../../../src/events/usage.ts'
import { type Agent, type Choice, choose, type Move, type Segment, type Task } from './agent.ts'
import { beginItem, iterationField, newItemId } from './iterations.ts'

/** The ids of texts. A text may have a segment after another. */
const contentIds = [undefined, undefined, 'text-1', undefined, 'text-2'] as const

/** What ids of coded texts begin with that are used once. */
export const OWN = 'own'

/** The open segment of the text that the choice names, or a new one. */
function segmentOf(agent: Agent, task: Task, choice: Choice): Segment {
  const [named] = choose(
    contentIds.map((one) => [one] as const),
    choice,
  )
  // Most coded texts have an id of their own, by which they are known, whatever is lost.
  const isOwn = agent.options.coded !== undefined && choice.number % 5 > 0
  const open = openSegments(task).find(({ id }) => (isOwn && choice.flag) || id === named)
  if (open !== undefined) return open
  const id = isOwn ? agent.id(OWN) : named
  const segment: Segment = { id, iteration: beginItem(task, choice), deltas: [], content: undefined }
  addSegment(task, segment)
  return segment
}

function addSegment(task: Task, segment: Segment): void {
  const isOpen = openSegments(task).length > 0
  task.segments = [...(isOpen ? task.segments : []), segment]
  const isOther = (other: Segment): boolean =>
    other.id !== segment.id || other.iteration !== segment.iteration
  task.texts = [...task.texts.filter(isOther), segment]
}

/** Replaces an open text, or the last one that is complete. */
export const replaceContent: Move = (agent, task, choice) => {
  const latest = task.texts.filter((text) => task.texts.findLast(({ id }) => id === text.id) === text)
  const open = openSegments(task)
  const segment = choose(open.length > 0 && choice.flag ? open : latest, choice)
  if (segment.content !== undefined) {
    segment.content = undefined
    task.hasReopened = true
    if (!task.segments.includes(segment)) addSegment(task, segment)
  }
  const content = agent.textAgain(segment, choice.text)
  segment.deltas = [content]
  const { id } = segment
  const contentId = id === undefined ? {} : { contentId: id }
  agent.emit(task, { kind: 'content-replace', ...contentId, content, ...iterationField(segment) }, choice)
}

/** The open segments of a task. */
export function openSegments(task: Task): Segment[] {
  return task.segments.filter(({ content }) => content === undefined)
}

export const streamContent: Move = (agent, task, choice) => {
  const segment = segmentOf(agent, task, choice)
  const { id, deltas } = segment
  const index = deltas.length
  // A merged delta covers several indexes.
  const merged = choice.number % 7 === 6
  const delta = agent.text(segment, choice.text)
  deltas.push(delta, ...(merged ? ['', ''] : []))
  const contentId = id === undefined ? {} : { contentId: id }
  const indexEnd = merged ? { indexEnd: index + 2 } : {}
  agent.emit(
    task,
    {
      kind: 'content-delta',
      ...contentId,
      delta,
      index,
      ...iterationField(segment),
      ...indexEnd,
    },
    choice,
  )
}

/** Completes a text, mostly an open one. */
export const completeContent: Move = (agent, task, choice) => {
  const open = openSegments(task)
  const segment =
    open.length > 0 && choice.number % 4 > 0 ? choose(open, choice) : segmentOf(agent, task, choice)
  completeSegment(agent, task, segment, choice)
}

export function completeSegment(agent: Agent, task: Task, segment: Segment, choice: Choice): void {
  const { id, deltas } = segment
  const content = deltas.length === 0 ? agent.text(segment, choice.text) : deltas.join('')
  segment.content = content
  task.lastContent = content
  if (segment.iteration !== task.iteration) task.remaining.lastContent = content
  const end = content.length
  const sources: CitedSource[] = [{ url: choice.text, title: choice.text, start: 0, end, quote: choice.text }]
  agent.emit(
    task,
    {
      kind: 'content-complete',
      ...(id !== undefined && { contentId: id }),
      content,
      ...iterationField(segment),
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
  task.thought ??= {
    iteration: beginItem(task, choice),
    id: newItemId(agent, task, 'thought'),
    next: 0,
    content: '',
    labels,
  }
  const { id: thoughtId, next: index } = task.thought
  task.thought.next += 1
  const delta = agent.text(task.thought, choice.text)
  task.thought.content += delta
  agent.emit(
    task,
    {
      kind: 'thought-delta',
      thoughtId,
      delta,
      ...task.thought.labels,
      index,
      ...iterationField(task.thought),
    },
    choice,
  )
}

export const completeThought: Move = (agent, task, choice) => {
  const open = choice.flag ? task.thought : undefined
  if (open !== undefined) task.thought = undefined
  const iteration = open === undefined ? beginItem(task, choice) : open.iteration
  const index = task.thoughts++
  if (iteration !== task.iteration) task.remaining.thoughts = task.thoughts
  agent.emit(
    task,
    {
      kind: 'thought-stream',
      thoughtId: open?.id ?? newItemId(agent, task, 'thought'),
      ...labelsFor(choice.number),
      ...open?.labels,
      content: open?.content ?? agent.text({}, choice.text),
      index,
      ...iterationField({ iteration }),
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
