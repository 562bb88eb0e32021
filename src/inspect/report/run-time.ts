/** How long tools run. */

import type { ToolCompleteEvent } from '../../events/tool.ts'

/**
 * The run time of a tool in milliseconds: as its end states, or else from its `tool-start` to its end, without the time in
 * which the model wrote the arguments. `undefined` if unknown.
 *
 * @param startedAt - The time of the start. `undefined` if unknown.
 * @param endedAt - The time of the end. `undefined` if unknown.
 */
export function runTimeOf(
  { metadata }: Pick<ToolCompleteEvent, 'metadata'>,
  startedAt: number | undefined,
  endedAt: number | undefined,
): number | undefined {
  if (metadata?.duration !== undefined) return metadata.duration
  return startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt
}
