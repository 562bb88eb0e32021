/**
 * Custom events: events of an application, in the stream with all others.
 *
 * They pass the emitter, logs, projection, decoders and mappers like any other kind. Readers that do not know a
 * `name` keep the event.
 */
import type { Metadata } from './metadata.ts'

/**
 * The custom events of an application: the type of `data` by `name`. Empty until an application adds to it by
 * declaration merging, which types `emit`, decoded events and the parts of views.
 *
 * The types are declared, not checked: nothing validates the `data` of received events.
 *
 * @example
 * ```ts
 * import type {} from 'turnstream' // Makes the file a module, which extends the package instead of replacing it.
 *
 * declare module 'turnstream' {
 *   interface CustomEvents {
 *     'acme.citation': { url: string; title: string }
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add to it.
export interface CustomEvents {}

/**
 * Any custom event: one of {@link CustomEvents}, or any `name` with any `data` while it is empty. Narrow it by
 * `name`. Events with other names can still be received; handle them in a `default` branch.
 */
export type AnyCustomEvent = [keyof CustomEvents] extends [never]
  ? CustomEvent
  : { [Name in keyof CustomEvents]: CustomEvent<Name & string, CustomEvents[Name]> }[keyof CustomEvents]

/**
 * An event of the application. For everyone who sees the task, unless `metadata.audience` narrows it.
 *
 * @see docs/custom-events.md
 * @example full
 * ```json
 * {
 *   "kind": "custom",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "name": "harbour.map-marker",
 *   "data": {
 *     "label": "Brest",
 *     "position": [48.3904, -4.4861]
 *   },
 *   "customId": "marker-brest",
 *   "transient": false,
 *   "timestamp": "2026-03-14T08:01:12Z",
 *   "metadata": {
 *     "audience": ["user", "coordinator"]
 *   }
 * }
 * ```
 */
export interface CustomEvent<Name extends string = string, Data = unknown> {
  kind: 'custom'
  /**
   * What the event is: a namespace of the application and a name, such as `acme.citation`. ASCII letters, digits,
   * `_` and `-`, in two or more parts joined by `.`.
   */
  name: Name
  /** The content: any JSON, as defined by `name`. */
  data: Data
  /**
   * Identifies what the event shows, in its task: in views, an event replaces the one before with the same id.
   * Not empty. Omitted: each event is one of its own.
   */
  customId?: string
  /**
   * `true` for events that matter only at the moment: views do not keep them, and readers that are behind may not
   * get them. Omitted: kept.
   */
  transient?: boolean
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Additional information, such as the `audience`. Omitted if there is none. */
  metadata?: Metadata
}
