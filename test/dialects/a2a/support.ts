/** What the tests of A2A share: both versions, and running a stream through either direction. */
import type { UnknownEvent } from '../../../src/core/decoded.ts'
import { type Diagnostic, run } from '../../../src/core/machine.ts'
import {
  type A2aEvent,
  type A2aVersion,
  fromA2a,
  isA2aStreamEnd,
  type ToA2aEnd,
  type ToA2aOptions,
  type ToA2aState,
  toA2a,
} from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'

export const versions: readonly A2aVersion[] = ['0.3', '1.0']

export const closeTexts: readonly ('empty-part' | 'snapshot')[] = ['empty-part', 'snapshot']

export interface Said<Out, State> {
  readonly out: Out[]
  readonly diagnostics: Diagnostic[]
  readonly state: State
}

/** Says events and, unless `how` is `open`, that nothing follows. What comes out has been through JSON. */
export function say<V extends A2aVersion>(
  events: readonly (ContextAnyEvent | UnknownEvent)[],
  options: ToA2aOptions<V>,
  how?: ToA2aEnd | 'open',
): Said<A2aEvent<V>, ToA2aState<V>> {
  const diagnostics: Diagnostic[] = []
  const mapper = run(toA2a(options), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  const out = events.flatMap((event) => mapper.push(event as ContextAnyEvent))
  if (how !== 'open') out.push(...mapper.end(how))
  return { out: throughJson(out), diagnostics, state: mapper.state }
}

/** Reads what was said. */
export function understand(
  items: readonly unknown[],
  options?: { contextId?: string },
): Said<ContextAnyEvent, unknown> {
  const diagnostics: Diagnostic[] = []
  const reader = run(fromA2a(options), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  const out = items.flatMap((item) => reader.push(item))
  out.push(...reader.end())
  return { out, diagnostics, state: reader.state }
}

/** What one machine says over several connections, split where each ends. */
export function splitStreams<T>(items: readonly T[]): T[][] {
  const streams: T[][] = [[]]
  for (const item of items) {
    streams.at(-1)?.push(item)
    if (isA2aStreamEnd(item)) streams.push([])
  }
  return streams.filter((stream) => stream.length > 0)
}

export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
