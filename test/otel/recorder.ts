/** A tracer and a meter that keep what they get, in the form of `@opentelemetry/api`. */
import { type Context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api'
import type { TraceOptions } from '../../src/otel/options.ts'

/** A span that was started. */
export interface RecordedSpan {
  readonly name: string
  readonly kind: number
  readonly parent: RecordedSpan | undefined
  readonly attributes: Record<string, unknown>
  readonly startTime: Date
  endTime?: Date
  /** How often it was ended. */
  ends: number
  isError: boolean
}

/** A value that was measured. */
export interface Measurement {
  readonly name: string
  readonly value: number
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Span {
  readonly recorded: RecordedSpan
  setAttributes(attributes: object): void
  setStatus(status: { code: number }): void
  end(time: Date): void
}

const key = createContextKey('span')

/** Options of `traceEvents`, and what was written with them. */
export function recorder(): {
  readonly spans: readonly RecordedSpan[]
  readonly measurements: readonly Measurement[]
  readonly options: TraceOptions<Context, Span>
} {
  const spans: RecordedSpan[] = []
  const measurements: Measurement[] = []
  const tracer = {
    startSpan(
      name: string,
      { kind, startTime, attributes }: { kind: number; startTime: Date; attributes: object },
      parent: Context,
    ): Span {
      const recorded: RecordedSpan = {
        ...{ name, kind, startTime, attributes: { ...attributes }, ends: 0, isError: false },
        parent: parent.getValue(key) as RecordedSpan | undefined,
      }
      spans.push(recorded)
      return {
        recorded,
        setAttributes(more) {
          Object.assign(recorded.attributes, more)
        },
        setStatus({ code }) {
          recorded.isError = code === 2
        },
        end(time) {
          recorded.ends++
          recorded.endTime = time
        },
      }
    },
  }
  const meter = {
    createHistogram: (name: string) => ({
      record: (value: number, attributes: object) =>
        void measurements.push({ name, value, attributes: { ...attributes } }),
    }),
  }
  return {
    spans,
    measurements,
    options: {
      ...{ tracer, meter, parent: ROOT_CONTEXT },
      setSpan: (context: Context, { recorded }: Span) => context.setValue(key, recorded),
    },
  }
}
