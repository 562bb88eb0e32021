/** A conversation of tasks that use the same ids, with its ledger: what the ledger emits is in the stream. */
import { type ContextAnyEvent, type Runner, run } from 'turnstream'
import type { Answer, Receipt, Sender } from 'turnstream/commands'
import { verifier } from 'turnstream/streams'
import type { CommandLedgerState } from '../../src/commands/ledger/ledger.ts'
import { commandLedger } from '../../src/commands/ledger/ledger.ts'
import { openRequests } from '../../src/commands/ledger/read.ts'
import type { LedgerInput, LedgerOutput } from '../../src/commands/ledger/types.ts'
import type { OpenRequest } from '../../src/streams/open-request.ts'
import { anyone } from './anyone.ts'

/** The user who answers. */
export const user: Sender = { role: 'user', id: 'user-1' }
const start = Date.parse('2026-01-01T00:00:00.000Z')

/** An event or a command without what is the same in all. */
export type Bare = { readonly kind: string; readonly [field: string]: unknown }

/** What a test does in the conversation, and what it reads of it. */
export interface TwoTasks {
  readonly ledger: Runner<CommandLedgerState, LedgerInput, LedgerOutput>
  readonly log: ContextAnyEvent[]
  readonly answers: Answer[]
  readonly diagnostics: string[]
  begin(taskId: string): void
  emit(taskId: string, ...events: Bare[]): void
  send(command: object, sender?: Sender): Receipt | undefined
  requests(): OpenRequest[]
}

/** @param isTree - Whether the second task is a subtask of the first. */
export function twoTasks(taskIds: readonly string[] = ['a', 'b'], isTree = false): TwoTasks {
  const diagnostics: string[] = []
  const ledger = run(commandLedger(anyone), { onDiagnostic: ({ code }) => diagnostics.push(code) })
  const log: ContextAnyEvent[] = []
  const answers: Answer[] = []
  let ids = 0
  let ms = start
  /** Later each time. */
  const now = (): string => new Date(ms++).toISOString()
  const take = (outputs: readonly LedgerOutput[]): Receipt | undefined => {
    for (const output of outputs) {
      if (output.type === 'event') log.push(output.event)
      if (output.type === 'answer') answers.push(output.answer)
    }
    return outputs.flatMap((output) => (output.type === 'receipt' ? [output.receipt] : []))[0]
  }
  const [root] = taskIds
  const emit = (taskId: string, ...events: Bare[]): void => {
    for (const bare of events) {
      const parent = isTree && taskId !== root ? { parentTaskId: root } : {}
      const event = {
        contextId: 'ctx',
        taskId,
        ...parent,
        timestamp: now(),
        ...bare,
      } as unknown as ContextAnyEvent
      log.push(event)
      take(ledger.push({ type: 'event', event }))
    }
  }
  const send = (command: object, sender = user): Receipt | undefined => {
    const at = now()
    const whole = { commandId: `cmd-${ids++}`, timestamp: at, ...command }
    return take(ledger.push({ type: 'command', command: whole, sender, at, verified: {} }))
  }
  const begin = (taskId: string): void => {
    if (isTree && taskId !== root && root !== undefined)
      emit(root, { kind: 'subtask-created', subtaskId: taskId, prompt: 'Help.' })
    emit(taskId, { kind: 'task-created', initiator: 'user' }, { kind: 'task-status', status: 'working' })
  }
  for (const taskId of taskIds) begin(taskId)
  return { ledger, log, emit, send, begin, answers, diagnostics, requests: () => openRequests(ledger.state) }
}

/** The results of calls, with their tasks. */
export function resultsIn(log: readonly ContextAnyEvent[]): unknown[][] {
  return log.flatMap((event) => (event.kind === 'tool-complete' ? [[event.taskId, event.result]] : []))
}

/** The violations of a stream, as text. */
export function violationsIn(log: readonly ContextAnyEvent[]): string[] {
  const { push } = run(verifier({ mode: 'strict' }))
  return log.flatMap((event) => [...push(event)]).map(({ rule, message }) => `${rule}: ${message}`)
}
