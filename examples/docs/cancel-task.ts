import type { ContextAnyEvent } from 'turnstream'
import { type LocalLedger, runTask } from 'turnstream/commands'

/** Runs a task until it ends or is canceled. What it wrote until then is kept. */
export async function serveTask(
  ledger: LocalLedger,
  task: { contextId: string; taskId: string },
  agent: (signal: AbortSignal) => AsyncIterable<ContextAnyEvent>,
): Promise<void> {
  await runTask(ledger, task, agent)
}
