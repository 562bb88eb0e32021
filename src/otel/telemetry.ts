/** Spans and measurements with the names of the GenAI semantic conventions. */

import { textIn } from '../validation/read-fields.ts'
import {
  type Attributes,
  ERROR,
  type OtelHistogram,
  type OtelMeter,
  type OtelSpan,
  type OtelTracer,
  spanKinds,
} from './api.ts'

/** What is traced. */
export type Operation = 'invoke_agent' | 'chat' | 'execute_tool'

/** An operation that has started. */
export interface Running<Context> {
  /** For the spans of what belongs to it. */
  readonly context: Context
  /** When it started. */
  readonly start: number
  /**
   * Ends it. Later calls have no effect.
   *
   * @param error - The type of the error. Omitted: it ended without one.
   */
  end(time: number, error?: string, attributes?: Attributes): void
}

/** Writes spans and measurements. Whatever the tracer and the meter throw is dropped. */
export interface Telemetry<Context> {
  /**
   * Starts an operation.
   *
   * @param labels - Attributes of the span and of its measurements: few values.
   * @param ids - Attributes of the span alone.
   */
  start(
    operation: Operation,
    name: string | undefined,
    time: number,
    parent: Context,
    labels: Attributes,
    ids: Attributes,
  ): Running<Context>
  /** Adds a value to a histogram. */
  record(name: Metric, value: number, labels: Attributes): void
}

type Metric = (typeof durations)[Operation] | 'gen_ai.client.operation.time_to_first_chunk' | typeof TOKENS

const durations = {
  invoke_agent: 'gen_ai.invoke_agent.duration',
  chat: 'gen_ai.client.operation.duration',
  execute_tool: 'gen_ai.execute_tool.duration',
} as const
const TOKENS = 'gen_ai.client.token.usage'

/** The upper bounds of the buckets of all histograms but that of tokens, in seconds. */
const secondBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokenBounds = [
  1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
]

/** Starts to write. */
export function startTelemetry<Context, Span extends OtelSpan>(
  tracer: OtelTracer<Context, Span>,
  setSpan: (context: Context, span: Span) => Context,
  meter: OtelMeter | undefined,
): Telemetry<Context> {
  const histograms = new Map<string, OtelHistogram | undefined>()
  const record: Telemetry<Context>['record'] = (name, value, labels) => {
    if (!histograms.has(name)) {
      const [unit, bounds] = name === TOKENS ? ['{token}', tokenBounds] : ['s', secondBounds]
      const advice = { explicitBucketBoundaries: [...bounds] }
      histograms.set(
        name,
        attempt(() => meter?.createHistogram(name, { unit, advice })),
      )
    }
    attempt(() => histograms.get(name)?.record(value, labels))
  }
  return {
    record,
    start(operation, name, start, parent, others, ids) {
      const labels: Attributes = { 'gen_ai.operation.name': operation, ...others }
      const span = attempt(() =>
        tracer.startSpan(
          name === undefined ? operation : `${operation} ${name}`,
          {
            kind: operation === 'chat' ? spanKinds.client : spanKinds.internal,
            startTime: new Date(start),
            attributes: { ...labels, ...ids },
          },
          parent,
        ),
      )
      let isOpen = true
      return {
        start,
        context: (span && attempt(() => setSpan(parent, span))) ?? parent,
        end(time, error, attributes = {}) {
          if (!isOpen) return
          isOpen = false
          const end = Math.max(time, start)
          const failed = error === undefined ? {} : { 'error.type': error }
          attempt(() => span?.setAttributes({ ...attributes, ...failed }))
          if (error !== undefined) attempt(() => span?.setStatus({ code: ERROR }))
          attempt(() => span?.end(new Date(end)))
          record(durations[operation], (end - start) / 1000, { ...labels, ...failed })
        },
      }
    },
  }
}

/** A field that names something: the names of spans and the values of labels stay short. */
export function nameIn(value: unknown, field: string): string | undefined {
  return textIn(value, field)?.slice(0, 256)
}

/** The result of a call; `undefined` if it throws. An agent does not fail because it is observed. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}
