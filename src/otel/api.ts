/** What is used of `@opentelemetry/api`: its own types fit these, in any version. */

/** Attributes of a span or a measurement. */
export type Attributes = Record<string, string | number | boolean | string[]>

/** A span. */
export interface OtelSpan {
  /** Adds attributes. */
  setAttributes(attributes: Attributes): unknown
  /** States how it ended. */
  setStatus(status: { code: number }): unknown
  /** Ends it. */
  end(endTime: Date): void
}

/** What makes spans. */
export interface OtelTracer<Context, Span> {
  /** Starts a span as a child of the span of `context`. */
  startSpan(
    name: string,
    options: { kind: number; startTime: Date; attributes: Attributes },
    context: Context,
  ): Span
}

/** What makes histograms. */
export interface OtelMeter {
  /** Makes a histogram. */
  createHistogram(
    name: string,
    options: { unit: string; advice: { explicitBucketBoundaries: number[] } },
  ): OtelHistogram
}

/** A histogram. */
export interface OtelHistogram {
  /** Adds a value. */
  record(value: number, attributes: Attributes): void
}

/** `SpanKind` of OpenTelemetry. */
export const spanKinds = { internal: 0, client: 2 } as const

/** `SpanStatusCode.ERROR` of OpenTelemetry. */
export const ERROR = 2
