/** Helpers of the A2A tests: both versions, and running a stream in either direction. */

import type { UnknownEvent } from '../../../src/core/decode-result.ts'
import { type Diagnostic, run } from '../../../src/core/machine.ts'
import type { FromA2aOptions } from '../../../src/dialects/a2a/from/from-a2a.ts'
import {
  type A2aEvent,
  type A2aInput,
  a2aVerifier,
  fromA2a,
  isA2aStreamEnd,
  toA2a,
} from '../../../src/dialects/a2a/index.ts'
import type { ToA2aState } from '../../../src/dialects/a2a/to/state.ts'
import type { ToA2aEnd, ToA2aOptions } from '../../../src/dialects/a2a/to/to-a2a.ts'
import type { A2aViolation } from '../../../src/dialects/a2a/verify/rules.ts'
import type { A2aVerifierOptions } from '../../../src/dialects/a2a/verify/verifier.ts'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'

export const versions: readonly A2aVersion[] = ['0.3', '1.0']

export const closeTexts: readonly ('empty-part' | 'snapshot')[] = ['empty-part', 'snapshot']

export interface MapperRun<Out, State> {
  readonly out: Out[]
  readonly diagnostics: Diagnostic[]
  readonly state: State
}

/** Maps events to A2A, all of them unless a viewer is given. Ends the machine unless `end` is `open`. The output has been through JSON. */
export function runToA2a<V extends A2aVersion>(
  events: readonly (ContextAnyEvent | UnknownEvent)[],
  options: ToA2aOptions<V>,
  end?: ToA2aEnd | 'open',
): MapperRun<A2aEvent<V>, ToA2aState<V>> {
  const diagnostics: Diagnostic[] = []
  const mapper = run(toA2a({ viewer: { audience: 'operator' }, ...options }), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const out = events.flatMap((event) => mapper.push(event as ContextAnyEvent))
  if (end !== 'open') out.push(...mapper.end(end))
  return { out: throughJson(out), diagnostics, state: mapper.state as unknown as ToA2aState<V> }
}

/** Maps A2A items to events. */
export function runFromA2a(
  items: readonly unknown[],
  options?: FromA2aOptions,
): MapperRun<ContextAnyEvent, unknown> {
  const diagnostics: Diagnostic[] = []
  const reader = run(fromA2a({ now: () => 0, showErrors: true, ...options }), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const out = items.flatMap((item) => reader.push(item as A2aInput))
  out.push(...reader.end())
  return { out, diagnostics, state: reader.state }
}

/** Splits the items of one machine into streams, at the end of each. */
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

/** The violations of a stream, in strict mode unless stated otherwise. */
export function violationsOf(
  version: A2aVersion,
  items: readonly unknown[],
  options: Omit<A2aVerifierOptions, 'version'> = {},
): A2aViolation[] {
  const { push, end } = run(a2aVerifier({ version, mode: 'strict', ...options }))
  return [...items.flatMap((item) => push(item)), ...end()]
}

/** The errors of a stream that `toA2a` wrote: it may change an artifact after its last chunk. */
export function errorsOf(version: A2aVersion, items: readonly unknown[]): A2aViolation[] {
  return violationsOf(version, items).filter(({ severity }) => severity === 'error')
}
