/** Snapshots: the events that fold to a view. */

import type { ContextAnyEvent } from '../../../events/event.ts'
import { contextKey } from '../../context-key.ts'
import type { ArtifactPart } from '../parts.ts'
import { requireView } from '../require-view.ts'
import type { View } from '../view.ts'
import { ArtifactSerializer, type ArtifactWriter } from './artifacts.ts'
import { childrenFirst } from './children-first.ts'
import { stepsOf } from './order.ts'
import { TaskSerializer } from './task.ts'

/**
 * Returns events that fold to a view: what a late joiner needs instead of the stream. Each text, tool call, request or
 * artifact is one or a few events, however many there were. The list is legal if the view was folded from a legal
 * stream. Takes time in proportion to the view, and never throws on a view.
 *
 *     foldEvents(emptyView, snapshotEvents(view))   // equals view
 *
 * The result differs in `diagnostics`, which are not restored, as is the `latestVersion` of an artifact whose patches were
 * ignored: the events write the version that the view has. It also differs in `updatedAt`: it is the latest time that the list
 * restores, `createdAt`, `statusAt` or the `at` of a part. Events in between have the time of one that all their readers
 * are shown, so that nobody learns when a hidden event was. A `path` of more than 256 characters is only in the first event of its task.
 *
 * Events carry the audience labels of the items they restore; an item whose events had different labels gets only
 * those that all of them allow. So the list is for a log: project each event, as those of the stream, before a reader
 * gets it. A text that something hidden interrupts is then still in several deltas, which show that there was something;
 * the snapshot of what the reader sees has it as one.
 *
 * @example
 * ```ts
 * const seen = snapshotEvents(view).flatMap((event) => project(event, { audience: 'user' }) ?? [])
 * const events = snapshotEvents(foldEvents(emptyView, seen))
 * ```
 */
export function snapshotEvents(view: View): ContextAnyEvent[] {
  requireView(view)
  return eventsOf(view, false)
}

/**
 * {@link snapshotEvents} for readers who may see all of the view. Items that several events restore keep the labels that
 * they have, also if those of the events were different: the list is not to be projected for others.
 */
export function exactEvents(view: View): ContextAnyEvent[] {
  return eventsOf(view, true)
}

function eventsOf(view: View, isExact: boolean): ContextAnyEvent[] {
  const events: ContextAnyEvent[] = []
  const steps = stepsOf(view)
  const serializers = view.tasks.map((task) => new TaskSerializer(task, events, isExact))
  const artifacts = artifactsOf(view, serializers, steps, isExact)
  for (const { task, part: position } of steps) {
    const serializer = serializers[task]
    const part = serializer?.writer.task.parts[position]
    if (part === undefined) serializer?.begin()
    else {
      serializer?.writePart(part, position)
      if (part.type === 'artifact') artifacts.get(part)?.()
    }
  }
  for (const serializer of serializers) serializer.finishParts()
  for (const task of childrenFirst(view)) serializers[task]?.end()
  return events
}

/** How to write the part of each artifact. */
function artifactsOf(
  view: View,
  serializers: readonly TaskSerializer[],
  steps: ReturnType<typeof stepsOf>,
  isExact: boolean,
): Map<ArtifactPart, () => void> {
  const writers = new Map<string, [ArtifactWriter, ...ArtifactWriter[]]>()
  for (const { task, part: position } of steps) {
    const writer = serializers[task]?.writer
    const part = writer?.task.parts[position]
    if (writer === undefined || part?.type !== 'artifact') continue
    const key = contextKey(writer.task.contextId, part.artifactId)
    const others = writers.get(key)
    if (others === undefined) writers.set(key, [{ writer, part }])
    else others.push({ writer, part })
  }
  const writes = new Map<ArtifactPart, () => void>()
  for (const artifact of view.artifacts) {
    const all = writers.get(contextKey(artifact.contextId, artifact.artifactId))
    if (all === undefined) continue
    const serializer = new ArtifactSerializer(artifact, all, isExact)
    for (const one of all) writes.set(one.part, () => serializer.write(one))
  }
  return writes
}
