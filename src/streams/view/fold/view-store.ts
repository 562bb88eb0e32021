/** A view that changes, for user interfaces. */

import type { UnknownEvent } from '../../../core/decode-result.ts'
import { Listeners } from '../../../core/listeners.ts'
import { requireFunction, requireIterable, requireObject, requireOnly } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { requireView } from '../require-view.ts'
import { emptyView, type View, viewBefore } from '../view.ts'
import { complete } from './complete.ts'
import { requireFeatures, type ViewFeatures } from './features.ts'
import { reduceEvent } from './reduce/index.ts'
import { ViewBuilder } from './view-builder.ts'
import { withOlder } from './with-older.ts'

/** A view that changes. Its functions need no `this`, so they can be passed on as they are. */
export interface ViewStore {
  /**
   * Folds events into the view, then calls the listeners if it has changed. The cost of an event does not grow with
   * the view.
   *
   * @param events - Events as {@link decodeEvent} returns them.
   * @throws TypeError if `events` is not iterable. What a listener throws, after all others were called.
   */
  push(events: Iterable<ContextAnyEvent | UnknownEvent>): void
  /**
   * Puts the tasks and artifacts of an older page before those of the view, without those that the view has already, then
   * calls the listeners. {@link View.older} is that of the page then. See {@link historyPage}.
   *
   * @throws TypeError if `page` has no `events`. What a listener throws, after all others were called.
   */
  prepend(page: { readonly events: Iterable<ContextAnyEvent | UnknownEvent>; readonly older?: string }): void
  /** The view as it is now: the same object until it changes. What it returned before never changes. */
  getSnapshot(): View
  /**
   * Calls a listener after each change. It may push, subscribe and unsubscribe.
   *
   * @returns a function that ends the subscription.
   * @throws TypeError if `listener` is not a function.
   */
  subscribe(listener: () => void): () => void
}

/**
 * Creates a view that changes with events. Equal to {@link foldEvent} for each event, but lists are copied only
 * when a snapshot is taken, and only those that have changed since the last one.
 *
 * `subscribe` and `getSnapshot` are what `useSyncExternalStore` of React takes.
 *
 * @param view - The view to begin with. It is not changed.
 * @defaultValue `view`: {@link emptyView}
 *
 * @example
 * ```ts
 * const store = createViewStore()
 * store.subscribe(() => render(store.getSnapshot()))
 * for await (const event of readEvents(response)) store.push([event])
 * ```
 */
export function createViewStore(view: View = emptyView): ViewStore {
  return createViewStoreWith(complete, view)
}

/**
 * Like {@link createViewStore}, but shows patches of artifacts and unfinished arguments only if the code for them is passed
 * in, for pages that must load fast. {@link ViewFeatures} states what is shown without.
 *
 * @throws TypeError if a feature is not what is to be passed in for it, or `view` is not a view.
 *
 * @example
 * ```ts
 * const store = createViewStoreWith({ partialArguments: partialJson() })
 * ```
 */
export function createViewStoreWith(features: ViewFeatures, view: View = emptyView): ViewStore {
  requireOnly('features', features, ['artifactPatches', 'partialArguments'])
  requireFeatures(features)
  requireView(view)
  let builder = new ViewBuilder(view, features)
  const listeners = new Listeners()

  return {
    push(events) {
      requireIterable('events', events)
      const before = builder.changes
      try {
        for (const event of events) reduceEvent(builder, event)
      } finally {
        // Also if the iterable throws: the events before that have changed the view.
        if (builder.changes !== before) listeners.notify()
      }
    },
    prepend(page) {
      requireObject('page', page)
      requireIterable('page.events', page.events)
      const older = new ViewBuilder(viewBefore(page), features)
      for (const event of page.events) reduceEvent(older, event)
      builder = new ViewBuilder(withOlder(builder.snapshot(), older.snapshot()), features)
      listeners.notify()
    },
    getSnapshot: () => builder.snapshot(),
    subscribe(listener) {
      requireFunction('listener', listener)
      return listeners.add(listener)
    },
  }
}
