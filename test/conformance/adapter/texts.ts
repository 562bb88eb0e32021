/** Texts of models: thoughts, patches, JSON that is still being written. */
import { run } from '../../../src/core/machine.ts'
import { applyJsonPatch, applyMergePatch, type Patched, partialJson } from '../../../src/json/index.ts'
import {
  snapshotsToDeltas,
  type ThoughtEventDraft,
  thoughtEvents,
  thoughtExtractor,
} from '../../../src/thoughts/index.ts'
import { type Handlers, pick, through } from './support.ts'

export const texts: Handlers = {
  thoughts({ chunks, snapshots, options, end }) {
    const deltas = snapshots === undefined ? chunks : through(snapshotsToDeltas(), snapshots).out
    const { out, diagnostics } = through(thoughtExtractor(options), deltas as string[], end)
    return {
      content: out.flatMap((output) => (output.type === 'content' ? output.delta : [])).join(''),
      thoughts: out.flatMap((output) => (output.type === 'thought' ? output.thought : [])),
      diagnostics,
    }
  },

  'thought-events'({ chunks, options, end }) {
    const { out, diagnostics } = through(thoughtEvents(options), chunks as string[], end)
    return { drafts: joined(out), diagnostics }
  },

  'json-patch': ({ document, patch }) => plain(applyJsonPatch(document, patch)),

  'merge-patch': ({ document, patch }) => plain(applyMergePatch(document, patch)),

  'partial-json'({ chunks }) {
    const reader = run(partialJson())
    for (const chunk of chunks as string[]) reader.push(chunk)
    const [result = {}] = reader.end()
    return pick(result, ['value', 'complete', 'openPath', 'verdict'])
  },
}

/** Drafts with adjacent deltas of one kind and type joined. */
function joined(drafts: readonly ThoughtEventDraft[]): ThoughtEventDraft[] {
  const out: ThoughtEventDraft[] = []
  for (const draft of drafts) {
    const last = out.at(-1)
    if (last !== undefined && 'delta' in last && 'delta' in draft && last.kind === draft.kind)
      out[out.length - 1] = { ...last, delta: last.delta + draft.delta }
    else out.push(draft)
  }
  return out
}

function plain(patched: Patched): object {
  if (patched.ok) return { value: patched.value }
  return { error: patched.code, ...('operation' in patched && { operation: patched.operation }) }
}
