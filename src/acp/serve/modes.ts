/** The modes of an agent, of which the editor chooses one. */

import {
  mismatch,
  optional,
  requireArray,
  requireObject,
  requireOnly,
  requireText,
} from '../../core/require.ts'

/** A mode of an agent, such as one that only plans. */
export interface AcpMode {
  /** Unique among the modes. */
  readonly id: string
  /** What the editor shows. */
  readonly name: string
  /** What the agent does in it. Omitted: nothing more is shown. */
  readonly description?: string
}

/** Throws a TypeError for what is no list of modes. */
export function requireModes(name: string, modes: unknown): asserts modes is readonly AcpMode[] {
  requireArray(name, modes)
  const ids = new Set<unknown>()
  for (const mode of modes as readonly unknown[]) {
    requireObject(`${name}[]`, mode)
    requireOnly(`${name}[]`, mode, ['id', 'name', 'description'])
    const { id, name: label, description } = mode as Partial<AcpMode>
    requireText(`${name}[].id`, id)
    requireText(`${name}[].name`, label)
    optional(requireText, `${name}[].description`, description)
    if (ids.has(id)) throw mismatch(`${name}[].id`, 'unique', id)
    ids.add(id)
  }
  if (ids.size === 0) throw mismatch(name, 'a list of at least one mode', modes)
}

/** What a response about a session states of its modes: nothing if there are none. */
export function modesField(
  modes: readonly AcpMode[],
  currentModeId: string | undefined,
): { readonly modes?: { readonly currentModeId: string; readonly availableModes: readonly AcpMode[] } } {
  return currentModeId === undefined ? {} : { modes: { currentModeId, availableModes: modes } }
}
