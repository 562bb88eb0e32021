/** Read filters: which events of a stream one reader gets, and which of their fields. */

import type { Diagnostic } from '../../core/machine.ts'
import { mismatch, optional, requireFunction, requireOnly, requireText } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Audience } from '../access/audience.ts'
import { compileFilter, type EventFilter } from '../access/filter.ts'
import { filterIdOf } from '../access/filter-id.ts'
import { hiddenFieldReporter } from '../access/hidden-fields.ts'
import { type ProjectionOptions, projectionOf } from '../access/projection.ts'
import { requireFilter, requireViewer } from '../access/require-viewer.ts'
import { defaultViewer, type Viewer } from '../access/viewer.ts'
import type { StreamEvent } from './batch.ts'

/** Selects and redacts the events of a stream for one reader. */
export interface ReadFilter<E extends StreamEvent = ContextAnyEvent> {
  /**
   * Identifies the filter: filters with equal ids must return equal results. The id is part of the
   * reader's cursor, so that a reader whose filter changed gets a reset instead of a mix of both.
   */
  readonly id: string
  /**
   * Whose filter it is: it shows no event of which the label leaves out this audience. A snapshot then has what this audience
   * was shown. Omitted: it has less of what is hidden in part.
   */
  readonly audience?: Audience
  /**
   * Returns the event as the reader may see it, or `undefined` to hide it. Must be deterministic, and must
   * not change the event.
   */
  apply(event: E): E | undefined
}

/** Options of {@link readFilter}. */
export interface ReadFilterOptions {
  /**
   * Called with what the viewer does not see because no schema allows it: `hidden:<field>` for each undeclared field, once per
   * kind, and `invalid-event` for an event that is hidden as it is not valid. Must not throw. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined
}

/**
 * Creates the filter of a viewer: what {@link project} returns for the events that match `filter`.
 *
 * Its id is the same for the same viewer and filter, however they are written, and differs if another version of this
 * library hides something else by default: a reader then gets a reset.
 *
 * @param viewer - Who reads. Defaults to `{ audience: 'user' }`.
 * @param filter - Which of the visible events the viewer wants. Defaults to all of them.
 *
 * @throws TypeError if the viewer or the filter has an invalid field or an unknown one: an unknown audience, thought
 * type, verbosity or kind.
 */
export function readFilter<E extends StreamEvent = ContextAnyEvent>(
  viewer: Viewer = defaultViewer,
  filter: EventFilter = {},
  options: ReadFilterOptions = {},
): ReadFilter<E> {
  requireViewer('viewer', viewer)
  requireOnly('options', options, ['onDiagnostic'])
  const { onDiagnostic } = options
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  return filterOf(viewer, filter, onDiagnostic && hiddenFieldReporter(onDiagnostic))
}

/** {@link readFilter} of a viewer that was checked before. */
export function filterOf<E extends StreamEvent>(
  viewer: Viewer,
  filter: EventFilter,
  onHidden: ProjectionOptions['onHidden'],
): ReadFilter<E> {
  requireFilter('filter', filter)
  const matches = compileFilter(filter)
  const visible = projectionOf(viewer, { onHidden })
  return {
    id: filterIdOf(viewer, filter),
    audience: viewer.audience,
    apply: (event) => (matches(event) ? visible(event) : undefined),
  }
}

/** Requires a filter, and not for example the viewer or the {@link EventFilter} it is made of. */
export function requireReadFilter(name: string, value: unknown): void {
  const { id, apply } = (value ?? {}) as Partial<ReadFilter>
  if (typeof apply !== 'function') throw mismatch(name, 'a filter with id and apply', value)
  requireText(`${name}.id`, id)
}
