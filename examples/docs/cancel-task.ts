import type { ContextAnyEvent } from 'agentwire'
import type { LocalLedger } from 'agentwire/commands'
import { closeDangling, emptyView, foldEvents } from 'agentwire/streams'

/** Runs a task until it ends or is canceled. What it wrote until then is kept. */
export async function runTask(
  ledger: LocalLedger,
  events: (signal: AbortSignal) => AsyncIterable<ContextAnyEvent>,
  task: { contextId: string; taskId: string },
): Promise<void> {
  const signal = ledger.signalOf(task)
  let view = emptyView
  for await (const event of events(signal)) {
    if (signal.aborted) break
    view = foldEvents(view, [event])
    await ledger.append(event)
  }
  if (!signal.aborted) return
  const at = new Date().toISOString()
  const closing = closeDangling(view, { reason: 'The user canceled the task.', status: 'canceled', at })
  for (const event of closing) await ledger.append(event)
}
