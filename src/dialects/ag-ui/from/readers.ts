/** What reads each type of event within a run. */

import type { AgUiEventOf, AgUiEventType } from '../wire/types/index.ts'
import { readChunk } from './chunks.ts'
import { readMessagesSnapshot } from './read-messages.ts'
import { readCustom, readEncryptedValue, readRaw, readStep } from './read-other.ts'
import {
  readSpanEnd,
  readSpanStart,
  readThoughtContent,
  readThoughtEnd,
  readThoughtStart,
} from './read-reasoning.ts'
import { readRunError, readRunFinished, readRunStarted } from './read-run.ts'
import { readActivityDelta, readActivitySnapshot, readStateDelta, readStateSnapshot } from './read-state.ts'
import { readSubagentError, readSubagentFinished, readSubagentStarted } from './read-subagent.ts'
import { readTextContent, readTextEnd, readTextStart } from './read-text.ts'
import { readCallArgs, readCallEnd, readCallResult, readCallStart } from './read-tool.ts'
import type { RunWriter } from './state.ts'

export const readers: {
  readonly [Type in AgUiEventType]: (writer: RunWriter, event: AgUiEventOf<Type>) => void
} = {
  RUN_STARTED: readRunStarted,
  RUN_FINISHED: readRunFinished,
  RUN_ERROR: readRunError,
  STEP_STARTED: readStep,
  STEP_FINISHED: readStep,
  SUBAGENT_STARTED: readSubagentStarted,
  SUBAGENT_FINISHED: readSubagentFinished,
  SUBAGENT_ERROR: readSubagentError,
  TEXT_MESSAGE_START: readTextStart,
  TEXT_MESSAGE_CONTENT: readTextContent,
  TEXT_MESSAGE_END: readTextEnd,
  TEXT_MESSAGE_CHUNK: readChunk,
  REASONING_START: readSpanStart,
  REASONING_MESSAGE_START: readThoughtStart,
  REASONING_MESSAGE_CONTENT: readThoughtContent,
  REASONING_MESSAGE_END: readThoughtEnd,
  REASONING_MESSAGE_CHUNK: readChunk,
  REASONING_END: readSpanEnd,
  REASONING_ENCRYPTED_VALUE: readEncryptedValue,
  TOOL_CALL_START: readCallStart,
  TOOL_CALL_ARGS: readCallArgs,
  TOOL_CALL_END: readCallEnd,
  TOOL_CALL_CHUNK: readChunk,
  TOOL_CALL_RESULT: readCallResult,
  STATE_SNAPSHOT: readStateSnapshot,
  STATE_DELTA: readStateDelta,
  ACTIVITY_SNAPSHOT: readActivitySnapshot,
  ACTIVITY_DELTA: readActivityDelta,
  MESSAGES_SNAPSHOT: readMessagesSnapshot,
  RAW: readRaw,
  CUSTOM: readCustom,
}
