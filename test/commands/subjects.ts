/** What the results of receipts have to name. */
import { expect } from 'vitest'
import type { CommandResult, Receipt } from '../../src/commands/ledger/types.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What a result of a receipt, or a response, names. */
export function subjectOf({ inputId, authId, toolCallId, taskId }: Partial<CommandResult>): Fields {
  return { inputId, authId, toolCallId, taskId }
}

/** What the results of a command have to name, one for each of its responses: input that was accepted, its task. */
export function subjectsOf(
  { kind, responses, authId, toolCallId, taskId }: Fields,
  status?: string,
): Fields[] {
  if (kind === 'input.respond')
    return (responses as Fields[]).map(({ inputId, taskId }) => subjectOf({ inputId, taskId } as never))
  if (kind === 'auth.respond') return [subjectOf({ authId, taskId } as never)]
  if (kind === 'tool.result') return [subjectOf({ toolCallId, taskId } as never)]
  if (kind === 'task.send' && (status === 'accepted' || status === 'repeated'))
    return [subjectOf({ taskId: taskId ?? expect.stringMatching(/^task-/) } as never)]
  return [subjectOf((kind === 'task.send' || kind === 'task.cancel' ? { taskId } : {}) as never)]
}

/** Expects a receipt to name its command, and what each result is about, unless the command is invalid as a whole. */
export function expectNamed(command: Fields, { commandId, status, results }: Receipt): void {
  const [first] = results
  const isWhole =
    results.length === 1 && Object.values(subjectOf(first ?? {})).every((id) => id === undefined)
  if (isWhole && (status === 'invalid' || status === 'unknown-command')) return
  expect(commandId).toBe(command.commandId)
  expect(results.map(subjectOf)).toEqual(subjectsOf(command, status))
}
