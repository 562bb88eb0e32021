/** Records: everything about a kind that is not code, stated once. */
import type { Schema } from '../../core/schema.ts'
import type { BackpressureRule, NumberedSeries, Redaction, Series } from '../kind.ts'

/** The records of some events, by kind. */
export type KindRecords<E extends { kind: string }> = {
  readonly [K in E['kind']]: KindRecord<Extract<E, { kind: K }>>
}

/** The record of one event. Internal events are for operators only, and are dropped under backpressure. */
export type KindRecord<E extends { kind: string }> = E['kind'] extends `internal:${string}`
  ? { readonly schema: Schema<E> }
  : ExternalRecord<E> & Numbering<E>

interface ExternalRecord<E> {
  /** The schema, without context. */
  readonly schema: Schema<E>
  /** The series that an event ends. Omitted: none. */
  readonly ends?: Series<keyof E & string>
  /** The series that an event begins anew: it counts as index 0. Omitted: none. */
  readonly restarts?: Series<keyof E & string>
  /** `null`: always delivered as it is. */
  readonly backpressure: BackpressureRule | null
  /** `null`: each audience that gets the event sees all of it. */
  readonly redaction: Redaction | null
}

/** Required for events with an `index`. */
type Numbering<E> = E extends { index: number }
  ? { readonly series: NumberedSeries<keyof E & string> }
  : { readonly series?: never }
