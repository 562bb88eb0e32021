/** Responses one after the other, each read as a task of its own. */

import { isFields } from '../../validation/predicates.ts'
import type { RecordedValue } from '../recording/recorded.ts'
import type { CoreOutput, EventReader } from './event-reader.ts'
import type { IsStart } from './response-starts.ts'

/**
 * Reads several responses.
 *
 * @param open - The reader of one response, by its first value.
 * @param isStart - Whether a value begins another response.
 */
export function responseReader(open: (first: RecordedValue) => EventReader, isStart: IsStart): EventReader {
  let reader: EventReader | undefined
  return {
    push(recorded) {
      const ended: CoreOutput[] = []
      if (isFields(recorded.value) && isStart(recorded.value) && reader !== undefined) {
        ended.push(...reader.end())
        reader = undefined
      }
      reader ??= open(recorded)
      return [...ended, ...reader.push(recorded)]
    },
    end: () => reader?.end() ?? [],
  }
}
