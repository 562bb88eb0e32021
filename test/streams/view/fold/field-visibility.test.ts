// Proves that a view shows every field of every event, or that the field is declared below as one it need not show.

import fc from 'fast-check'
import type { ContextAnyEvent, EventKind } from 'turnstream'
import { emptyView, foldEvent, foldEvents, type PartView, taskOf, type View } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { reducers } from '../../../../src/streams/view/fold/reduce/index.ts'
import { exampleOf } from '../../../support/examples.ts'
import { runs } from '../../../support/runs.ts'
import { soundStreams } from '../../verify/support.ts'

type Path = readonly (string | number)[]

/** The paths of all values in an event that are neither filled objects nor filled arrays. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [path]
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  return [...entries].flatMap(([key, item]) => leavesOf(item, [...path, key]))
}

/** Another value of the same type. */
function another(value: unknown, name: string | number | undefined): unknown {
  if (name === 'encoding') return value === 'base64' ? 'utf-8' : 'base64'
  if (typeof value === 'string') return name === 'timestamp' ? '2031-05-06T07:08:09Z' : `${value}!`
  if (typeof value === 'number') return value + 1 === value ? 0 : value + 1
  if (typeof value === 'boolean') return !value
  return 'another'
}

/** A copy of an event with another value at a path. */
function changed<T>(value: T, [key, ...rest]: Path, name?: string | number): T {
  if (key === undefined) return another(value, name) as T
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>
  copy[key] = changed(copy[key], rest, key)
  return copy as T
}

/** Why a view need not show a field of an event. */
function declared(view: View, event: ContextAnyEvent, [field, inner]: Path): string | undefined {
  const task = taskOf(view, event.taskId, event.contextId)
  if (field === 'kind') return 'another kind is another event'
  if (field === 'parentTaskId' && task && task.parentTaskId !== null) return 'a task keeps its first parent'
  if (field === 'path' && task?.path !== undefined) return 'a task keeps its first path'
  if (field === 'timestamp' && 'timestampEnd' in event)
    return 'of deltas that continue a text, the last one counts'
  if (field === 'indexEnd' && 'complete' in event && event.complete) return 'no chunk follows the last one'
  if (field === 'iteration') return iterationDeclared(task?.parts ?? [], event)
  switch (event.kind) {
    case 'custom':
      return event.transient === true ? 'for the moment only' : undefined
    case 'tool-progress':
      return inner === 'stream' && event.metadata?.chunk === undefined ? 'there is no chunk' : undefined
    case 'thought-delta': {
      const isAlone = event.thoughtType === undefined || event.verbosity === undefined
      const part = task?.parts.find((one) => one.type === 'thought' && one.thoughtId === event.thoughtId)
      const wasDropped = part?.type === 'thought' && part.thoughtType === undefined
      if (field !== 'thoughtType' && field !== 'verbosity') return undefined
      return isAlone || wasDropped ? 'labels count if all deltas have both' : undefined
    }
    case 'file-write':
      if (field === 'encoding' && event.index > 0) return 'that of the first chunk counts'
      if (field === 'digest' && !event.complete) return 'that of the last chunk counts'
      return undefined
    case 'data-write': {
      const artifact = view.artifacts.find(({ artifactId }) => artifactId === event.artifactId)
      return field === 'expectedVersion' && artifact === undefined
        ? 'there is no version to compare'
        : undefined
    }
    default:
      return undefined
  }
}

/** Why a view need not show the iteration of an event. */
function iterationDeclared(parts: readonly PartView[], event: ContextAnyEvent): string | undefined {
  if (event.kind === 'iteration-reset') {
    return parts.some((part) => 'iteration' in part) ? undefined : 'there is nothing to reset'
  }
  const isFirst = !parts.some(
    (part) =>
      ('contentId' in event || event.kind.startsWith('content-')
        ? part.type === 'text' && part.contentId === (event as { contentId?: string }).contentId
        : false) ||
      (part.type === 'thought' && 'thoughtId' in event && part.thoughtId === event.thoughtId) ||
      (part.type === 'tool' && 'toolCallId' in event && part.toolCallId === event.toolCallId),
  )
  return isFirst ? undefined : 'that of the first event counts'
}

/** The fields of an event that can change without a change of the view after it. */
function invisible(view: View, event: ContextAnyEvent): string[] {
  const after = foldEvent(view, event)
  // Of an event that is refused, the view shows the fault.
  if (after.diagnostics !== view.diagnostics) return []
  const shown = JSON.stringify(after)
  return leavesOf(event).flatMap((path) => {
    if (declared(view, event, path) !== undefined) return []
    const isSame = JSON.stringify(foldEvent(view, changed(event, path))) === shown
    return isSame ? [`${event.kind} ${path.join('/')}`] : []
  })
}

/** The kinds that change a view. */
const shownKinds = Object.entries(reducers).flatMap(([kind, reduce]) =>
  reduce === null ? [] : [kind as EventKind],
)

describe('every field of every event is visible in the view after it', () => {
  it('in legal streams', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 60 }), fc.nat(), (stream, choice) => {
        const at = choice % stream.length
        const event = stream[at]
        if (event === undefined || !shownKinds.includes(event.kind)) return
        expect(invisible(foldEvents(emptyView, stream.slice(0, at)), event)).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })

  it.each(shownKinds.filter((kind) => kind !== 'artifact-delta'))('in the full example of %s', (kind) => {
    const event = exampleOf(kind)
    // As the first event of its item and its task, unless it is a delta that continues one.
    const first = 'index' in event && !('indexEnd' in event) ? { ...event, index: 0 } : event
    expect(invisible(emptyView, first as ContextAnyEvent)).toEqual([])
  })

  it('is checked for every kind', () => {
    const streams = fc.sample(soundStreams({ maxChoices: 80 }), { numRuns: 200, seed: 1 })
    const checked = new Set<string>()
    for (const stream of streams) {
      let view: View = emptyView
      for (const event of stream) {
        const after = foldEvent(view, event)
        if (after.diagnostics === view.diagnostics) checked.add(event.kind)
        view = after
      }
    }
    expect(shownKinds.filter((kind) => !checked.has(kind))).toEqual([])
  })
})
