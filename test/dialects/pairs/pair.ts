/** One model stream through two servers: what its AG-UI recording and its AI SDK recording make a page show. */
import { fromAgUi, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import {
  fromUiMessageStream,
  toUiMessageStream,
  type UiMessageChunk,
} from '../../../src/dialects/ai-sdk/index.ts'
import { type ContextAnyEvent, run } from '../../../src/index.ts'
import { verifier } from '../../../src/streams/index.ts'
import { expectAccepted, type Part, readMessage } from '../ai-sdk/readers.ts'

/** The JSON values of a recorded SSE stream. */
export function valuesOf(sse: string): unknown[] {
  return sse
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown)
}

/** What a part shows, without ids, steps and what only one of the servers sends. */
export interface ShownPart {
  readonly type: string
  readonly text?: unknown
  readonly state?: unknown
  readonly input?: unknown
  readonly output?: unknown
  readonly url?: unknown
}

/** What a page shows of a message. */
export function shown(parts: readonly Part[]): ShownPart[] {
  return parts
    .filter(({ type }) => type !== 'step-start' && !type.startsWith('data-'))
    .map(({ type, toolName, text, state, input, output, url }) => ({
      type: type === 'dynamic-tool' ? `tool-${String(toolName)}` : type,
      ...(text !== undefined && { text }),
      ...(state !== undefined && { state }),
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(url !== undefined && { url }),
    }))
}

/** The outputs of a machine, with those at its end. */
export function through<In, Out>(machine: unknown, inputs: readonly In[]): Out[] {
  const { push, end } = run(machine as never)
  const outputs = inputs.flatMap((input) => [...(push(input as never) as Out[])])
  return JSON.parse(JSON.stringify([...outputs, ...(end() as unknown as Out[])])) as Out[]
}

/** The errors of a strict verifier. A task that waits for the user has not ended. */
export function errorsOf(events: readonly ContextAnyEvent[]): unknown[] {
  const { push, end } = run(verifier({ mode: 'strict' }))
  return [...events.flatMap((event) => [...push(event)]), ...end()].filter(
    ({ severity, rule }) => severity === 'error' && rule !== 'task-ends',
  )
}

/** AG-UI → events → AI SDK: what a page shows. */
export async function agUiAsMessage(agUi: readonly unknown[]): Promise<ShownPart[]> {
  const events = through<unknown, ContextAnyEvent>(fromAgUi({ now: () => 0, contextId: 'c' } as never), agUi)
  const chunks = through<ContextAnyEvent, UiMessageChunk>(
    toUiMessageStream({ viewer: { audience: 'operator' } }),
    events,
  )
  await expectAccepted(7, chunks)
  return shown((await readMessage(7, chunks)).message?.parts ?? [])
}

/** AI SDK: what a page shows. */
export async function aiSdkAsMessage(chunks: readonly unknown[]): Promise<ShownPart[]> {
  return shown((await readMessage(7, chunks as UiMessageChunk[])).message?.parts ?? [])
}

/** AI SDK → events → AG-UI → events → AI SDK: what a page shows. */
export async function aiSdkThroughAgUi(chunks: readonly unknown[]): Promise<ShownPart[]> {
  const events = through<unknown, ContextAnyEvent>(
    fromUiMessageStream({ now: () => 0, taskId: 't', contextId: 'c' }),
    chunks,
  )
  const agUi = through<ContextAnyEvent, unknown>(
    toAgUi({ viewer: { audience: 'operator' } } as never),
    events,
  )
  return agUiAsMessage(agUi)
}
