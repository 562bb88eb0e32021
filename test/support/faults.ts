/** Streams with one fault each, as docs/reference/faults.md names them, and the same streams without it. */
import type { ContextAnyEvent } from '../../src/events/event.ts'

type Fields = { readonly kind: string; readonly [field: string]: unknown }

const delta = (text: string, index: number, indexEnd = index): Fields => ({
  ...{ kind: 'content-delta', delta: text, index },
  ...(indexEnd > index && { indexEnd }),
})
const whole = (content: string): Fields => ({ kind: 'content-complete', content })
const thought = { thoughtId: 'th', thoughtType: 'reasoning', verbosity: 'normal' }
const think: Fields = { kind: 'thought-stream', ...thought, content: 'So.', index: 0 }
const args = (text: string, index: number): Fields => ({
  ...{ kind: 'tool-arguments-delta', toolCallId: 'k', toolName: 'f', delta: text, index },
})
const start: Fields = { kind: 'tool-start', toolCallId: 'k', toolName: 'f', arguments: { a: 1 } }
const result: Fields = { kind: 'tool-complete', toolCallId: 'k', toolName: 'f', success: true, result: 'r' }
const completed: Fields = { kind: 'task-status', status: 'completed' }

/** A stream with a fault: what of it is the fault, and what stands in its place without it. */
interface Fault {
  readonly faulty: readonly Fields[]
  readonly sound: readonly Fields[]
  /** Its events after the end of the task. */
  readonly after?: readonly Fields[]
  /** The kinds that a format must have for the fault to concern it. */
  readonly kinds: readonly string[]
}

const abc = [delta('a', 0), delta('b', 1), delta('c', 2), whole('abc')]
const replaced = [delta('a', 0), { kind: 'content-replace', content: 'b' }, delta('c', 1)]
const two = [whole('a'), delta('b', 0), delta('c', 1), whole('bc')]
const ask: Fields = { kind: 'input-required', inputId: 'q', inputType: 'clarification', prompt: 'Now?' }
const wait: Fields = { kind: 'task-status', status: 'waiting-input' }
const answer: Fields = { kind: 'input-received', inputId: 'q', providedBy: 'user', userId: 'u' }
const called = [args('{"a"', 0), args(':1', 1), args('}', 2), start, result]

export const faults: Readonly<Record<string, Fault>> = {
  'a delta comes again': {
    faulty: [...abc.slice(0, 2), ...abc.slice(1)],
    sound: abc,
    kinds: ['content-delta'],
  },
  'a merged delta begins with what was sent': {
    faulty: [delta('a', 0), delta('ab', 0, 1), delta('c', 2), whole('abc')],
    sound: abc,
    kinds: ['content-delta'],
  },
  'a delta is missing': {
    faulty: [delta('a', 0), delta('c', 2), whole('abc')],
    sound: abc,
    kinds: ['content-delta'],
  },
  'the first delta is missing': {
    faulty: [delta('b', 1), delta('c', 2), whole('abc')],
    sound: abc,
    kinds: ['content-delta'],
  },
  'the whole differs from its deltas': {
    faulty: [delta('a', 0), delta('b', 1), delta('c', 2), whole('xyz')],
    sound: abc,
    kinds: ['content-delta', 'content-complete'],
  },
  'the whole comes again': { faulty: [...abc, ...abc.slice(-1)], sound: abc, kinds: ['content-complete'] },
  'a replacement comes again': {
    faulty: [...replaced, ...replaced.slice(1, 2), whole('bc')],
    sound: [...replaced, whole('bc')],
    kinds: ['content-replace'],
  },
  'the whole comes again while the next text is open': {
    faulty: [...two.slice(0, 2), ...two.slice(0, 1), ...two.slice(2)],
    sound: two,
    kinds: ['content-complete'],
  },
  'a thought comes again': { faulty: [think, think], sound: [think], kinds: ['thought-stream'] },
  'a delta of arguments is missing': {
    faulty: [args('{"a"', 0), args('}', 2), start, result],
    sound: called,
    kinds: ['tool-arguments-delta'],
  },
  'arguments come after the start of the call': {
    faulty: [start, args('{"a"', 0), result],
    sound: [start, result],
    kinds: ['tool-arguments-delta'],
  },
  'a call starts again': { faulty: [start, start, result], sound: [start, result], kinds: ['tool-start'] },
  'a call that has not started has a result': { faulty: [result], sound: [], kinds: ['tool-complete'] },
  'a call has another result': {
    faulty: [start, result, result],
    sound: [start, result],
    kinds: ['tool-complete'],
  },
  'a call has no result when its task completes': {
    faulty: [start],
    sound: [start, result],
    kinds: ['tool-start'],
  },
  'a text ends without its whole after a gap': {
    faulty: [delta('a', 0), delta('c', 2)],
    sound: [delta('a', 0), delta('c', 2), whole('abc')],
    kinds: ['content-delta'],
  },
  'a text continues after the end of its task': {
    faulty: abc,
    sound: abc,
    after: [delta('d', 3)],
    kinds: ['content-delta'],
  },
  'a request comes again': {
    faulty: [ask, ask, wait, answer],
    sound: [ask, wait, answer],
    kinds: ['input-required'],
  },
  'a request comes again after its answer': {
    faulty: [ask, wait, answer, ask],
    sound: [ask, wait, answer],
    kinds: ['input-required'],
  },
  'the task is created again': {
    faulty: [{ kind: 'task-created', initiator: 'user' }, ...abc],
    sound: abc,
    kinds: ['task-created'],
  },
}

/** Where the fault is. */
export const variants = ['in a task', 'beside another text', 'in a subtask'] as const
export type Variant = (typeof variants)[number]

/** The stream with a fault, and the one without. */
export function streamsOf(
  name: string,
  variant: Variant,
): [faulty: ContextAnyEvent[], sound: ContextAnyEvent[]] {
  const { faulty, sound, after = [] } = faults[name] as Fault
  return [streamOf(faulty, after, variant), streamOf(sound, [], variant)]
}

function streamOf(own: readonly Fields[], after: readonly Fields[], variant: Variant): ContextAnyEvent[] {
  // What comes again is the same event, at the same time.
  const seconds = new Map<Fields, number>()
  const eventOf = (fields: Fields, task: object): ContextAnyEvent => {
    const second = seconds.get(fields) ?? seconds.size
    seconds.set(fields, second)
    const timestamp = `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`
    return { contextId: 'c', ...task, timestamp, ...fields } as unknown as ContextAnyEvent
  }
  const root = { taskId: 't' }
  const begin = (task: object, initiator: string): ContextAnyEvent[] => [
    eventOf({ kind: 'task-created', initiator }, task),
    eventOf({ kind: 'task-status', status: 'working' }, task),
  ]
  const end = (task: object): ContextAnyEvent[] => [
    eventOf(completed, task),
    eventOf({ kind: 'task-complete' }, task),
  ]
  const write = (task: object, fields: readonly Fields[]): ContextAnyEvent[] =>
    fields.map((each) => eventOf(each, task))
  if (variant === 'in a subtask') {
    const task = { taskId: 's', parentTaskId: 't' }
    const created = { kind: 'subtask-created', subtaskId: 's', agentId: 'helper', prompt: 'Help.' }
    return [
      ...[...begin(root, 'user'), eventOf(created, root), ...begin(task, 'agent')],
      ...[...write(task, own), ...end(task), ...write(task, after), ...end(root)],
    ]
  }
  const other = { contentId: 'other' }
  const beside = variant === 'beside another text'
  return [
    ...begin(root, 'user'),
    ...write(root, own),
    ...(beside
      ? write(root, [
          { ...delta('o', 0), ...other },
          { ...whole('o'), ...other },
        ])
      : []),
    ...[...end(root), ...write(root, after)],
  ]
}
