/** The simulated agent that produces a legal stream: its tasks, clock and ids, and the events so far. */

import type { ContextAnyEvent, EventKind, EventOf } from '../../../src/events/event.ts'
import type { TaskStatus } from '../../../src/events/task-status.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../../src/events/thought.ts'

/** Options of `legalStreams`. */
export interface LegalStreamOptions {
  /** Whether tasks create subtasks. Defaults to `true`. */
  readonly subtasks?: boolean
  /** Whether streams contain `internal:` events. Defaults to `true`. */
  readonly internal?: boolean
  /** Whether texts are replaced, and iterations are stated and reset. Defaults to `false`. */
  readonly revisions?: boolean
  /** Whether every task ends. `false` lets streams stop anywhere. Defaults to `true`. */
  readonly ended?: boolean
  /** Whether tasks also write to the artifacts of other tasks, and write them again. Defaults to `false`. */
  readonly sharedArtifacts?: boolean
  /**
   * What most events are about. `approvals`: calls that are asked about before they start; not with `revisions`. `subtasks`: nested ones, which may outlive a parent that fails or is canceled. Omitted:
   * everything.
   */
  readonly focus?: 'approvals' | 'artifacts' | 'texts' | 'subtasks'
  /**
   * Makes texts, thoughts and arguments of characters that tell their item and their place in it, as `codeOf` reads them: items
   * count from this number. Events have different times, so that repeated ones are older than new ones. Omitted: any text.
   */
  readonly coded?: number
  /** Maximum number of choices; a stream has about as many events. Defaults to 40. */
  readonly maxChoices?: number
}

/** The random values that decide one step of the agent. Zeros and empty values result in the simplest event. */
export interface Choice {
  readonly move: number
  readonly task: number
  readonly number: number
  readonly flag: boolean
  readonly text: string
  readonly json: Record<string, never>
  readonly bytes: Uint8Array
}

const CONTEXT = 'ctx-1'

/** Private characters, which no other text has. */
const FIRST_CODE = 0xf0000
const MAX_LENGTH = 128

/** The item of a coded character and its place in it; `undefined` if it is not one. */
export function codeOf(character: string): readonly [item: number, place: number] | undefined {
  const code = (character.codePointAt(0) as number) - FIRST_CODE
  return code < 0 ? undefined : [Math.floor(code / MAX_LENGTH), code % MAX_LENGTH]
}

/** The state of one artifact. */
export interface Artifact {
  readonly type: 'file' | 'data' | 'dataset'
  readonly base64: boolean
  next: number
  complete: boolean
  version: number
  /** The task of the last chunk of a version that is being written. */
  pendingBy: string | undefined
  /** The tasks that completed a version. */
  readonly committers: Set<string>
  /** The bytes of the file so far. */
  bytes: Buffer
}

/** A text segment of a task. `id` is `undefined` for the text without one. */
export interface Segment {
  readonly id: string | undefined
  readonly iteration: number | undefined
  /** The text of each index so far. */
  deltas: string[]
  /** The whole text once the segment is complete. */
  content: string | undefined
}

/** The state of the thought that is being streamed. */
interface Thought {
  readonly id: string
  readonly iteration: number | undefined
  next: number
  content: string
  /** What its deltas state about it. */
  readonly labels: { readonly thoughtType?: ThoughtType; readonly verbosity?: ThoughtVerbosity }
}

/** The arguments of a tool call while they are streamed. `rest` is the text that has not been emitted. */
export interface Writing {
  readonly name: string
  readonly iteration: number | undefined
  readonly json: Record<string, never>
  next: number
  rest: string
}

/** The state of one task. */
export interface Task {
  readonly id: string
  readonly parent: Task | undefined
  readonly path: string[] | undefined
  status: 'announced' | 'created' | TaskStatus
  /** The segments that are open, or were open together with the last one, in the order in which they began. */
  segments: Segment[]
  /** The latest segment of each text and iteration that has not been reset. */
  texts: Segment[]
  lastContent: string | undefined
  /** Whether what the result must repeat is not known: a complete text was opened again. */
  hasReopened: boolean
  thoughts: number
  thought: Thought | undefined
  /** Whether events state their iteration. */
  statesIteration: boolean
  iteration: number
  stage: number
  /** What holds again if the iteration is reset. */
  remaining: { thoughts: number; lastContent: string | undefined }
  hasReset: boolean
  /** The iteration of the latest call that started. */
  startedIteration: number | undefined
  /** The ids that the iteration has used and not those of started calls, and those that a reset has freed. */
  begun: string[]
  free: string[]
  readonly tools: Map<string, { name: string; progress: number; iteration: number | undefined }>
  readonly inputs: Map<string, { requireUser: boolean }>
  readonly auths: Set<string>
  /** Calls that were asked about and have not started, with their arguments if those were streamed before. */
  readonly asked: Map<string, Writing | undefined>
  /** Tool calls whose arguments are being streamed. */
  readonly writing: Map<string, Writing>
  readonly artifacts: Map<string, Artifact>
}

/** An event without context and timestamp. */
export type Bare<K extends EventKind = EventKind> = { [P in K]: Omit<EventOf<P>, 'timestamp'> }[K]
/** One step of a task: emits one event, or a few that belong together. */
export type Move = (agent: Agent, task: Task, choice: Choice) => void

/** The state that all moves share. */
export class Agent {
  readonly events: ContextAnyEvent[] = []
  readonly options: LegalStreamOptions
  readonly tasks: Task[] = []
  #ids = 0
  #items = 0
  readonly #codes = new WeakMap<object, { readonly item: number; length: number }>()
  #time = Date.UTC(2026, 0, 31, 10, 30)

  constructor(options: LegalStreamOptions) {
    this.options = options
  }

  emit(task: Task, event: Bare, choice: Choice): void {
    this.#time += choice.number + (this.options.coded === undefined ? 0 : 1)
    const stamped = {
      contextId: CONTEXT,
      taskId: task.id,
      ...(task.parent !== undefined && { parentTaskId: task.parent.id }),
      ...(task.path !== undefined && { path: [...task.path] }),
      ...event,
      timestamp: clock(this.#time, choice.number),
    }
    this.events.push(stamped as unknown as ContextAnyEvent)
  }

  /** More text of an item: as long as that of a choice, if texts are coded. */
  text(item: object, text: string): string {
    const { coded } = this.options
    if (coded === undefined) return text
    const code = this.#codes.get(item) ?? { item: coded + this.#items++, length: 0 }
    this.#codes.set(item, code)
    const start = code.length
    code.length = Math.min(start + [...text].length, MAX_LENGTH)
    const places = Array.from({ length: code.length - start }, (_, i) => start + i)
    return places.map((place) => String.fromCodePoint(FIRST_CODE + code.item * MAX_LENGTH + place)).join('')
  }

  /** The text of an item that begins again. */
  textAgain(item: object, text: string): string {
    this.#codes.delete(item)
    return this.text(item, text)
  }

  /** The arguments of a call. */
  args({ text, json }: Choice): Record<string, never> {
    return this.options.coded === undefined ? json : { a: this.text({}, text) as never }
  }

  /** A new id: `<prefix>-<number>`. */
  id(prefix: string): string {
    this.#ids += 1
    return `${prefix}-${this.#ids}`
  }
}

/** The initial state of a task. The root task is created, subtasks are announced by their parent. */
export function newTask(id: string, parent: Task | undefined): Task {
  return {
    id,
    parent,
    path: parent === undefined ? undefined : [...(parent.path ?? []), id],
    status: parent === undefined ? 'created' : 'announced',
    segments: [],
    texts: [],
    lastContent: undefined,
    hasReopened: false,
    thoughts: 0,
    thought: undefined,
    statesIteration: false,
    iteration: 0,
    stage: 0,
    remaining: { thoughts: 0, lastContent: undefined },
    hasReset: false,
    startedIteration: undefined,
    begun: [],
    free: [],
    tools: new Map(),
    inputs: new Map(),
    auths: new Set(),
    asked: new Map(),
    writing: new Map(),
    artifacts: new Map(),
  }
}

/** Selects one of the items. There must be at least one. */
export function choose<T>(items: readonly T[], choice: Choice): T {
  const item = items[choice.number % items.length]
  if (item === undefined) throw new Error('Expected at least one item, got none.')
  return item
}

/** Formats an instant in one of the notations that producers use. */
function clock(time: number, number: number): string {
  const utc = new Date(time).toISOString()
  if (number % 9 === 7) return new Date(time + 7_200_000).toISOString().replace('Z', '+02:00')
  return number % 9 === 8 ? utc.replace('Z', '000Z') : utc
}
