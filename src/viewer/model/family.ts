/** Families of event kinds: what the rows, colors and the filter of the viewer distinguish. */

/** What a row of the timeline shows. */
export type Family =
  | 'task'
  | 'text'
  | 'thought'
  | 'tool'
  | 'request'
  | 'artifact'
  | 'error'
  | 'custom'
  | 'internal'

/** All families, in the order of the legend. */
export const families: readonly Family[] = [
  'task',
  'text',
  'thought',
  'tool',
  'request',
  'artifact',
  'error',
  'custom',
  'internal',
]

const byPrefix: readonly (readonly [prefix: string, family: Family])[] = [
  ['task-error', 'error'],
  ['task-', 'task'],
  ['subtask-', 'task'],
  ['content-', 'text'],
  ['thought-', 'thought'],
  ['tool-', 'tool'],
  ['input-', 'request'],
  ['auth-', 'request'],
  ['file-', 'artifact'],
  ['data', 'artifact'],
  ['artifact-', 'artifact'],
  ['internal:', 'internal'],
]

/** The family of a kind. Kinds that are not known are custom. */
export function familyOf(kind: string): Family {
  return byPrefix.find(([prefix]) => kind.startsWith(prefix))?.[1] ?? 'custom'
}
