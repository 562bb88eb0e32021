/** One step of `toAgentEvents`, and how AgentEvents have texts, thoughts and calls. */

import { type BoundedMap, boundedSet, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { ToolStartEvent } from '../../../events/tool.ts'
import { EventWriter } from '../../engine/event-writer.ts'
import type { ItemFormats } from '../../engine/write-item.ts'
import { newTask, type TaskState } from '../../engine/write-task.ts'
import { argumentsText } from '../wire/json-text.ts'
import { keyOf, noOpenCalls, type OpenCall, type OpenCalls, openCall } from '../wire/open-calls.ts'
import type { AgentEvent } from '../wire/types.generated.ts'
import { losses } from './coverage.ts'

export interface ToAgentEventsState extends TaskState {
  /**
   * The segment that a receiver has: nothing of it; open; after a tool call, which ends it; not the segment of the task;
   * complete, with no tool call since.
   */
  readonly segment: 'none' | 'open' | 'split' | 'merged' | 'complete'
  /** The progress of each running call, as a receiver reads it. */
  readonly progress: BoundedMap<number>
  /** The number of calls so far. */
  readonly callCount: number
  /** The open calls of a receiver that matches events by the name of the tool alone. */
  readonly receiverCalls: OpenCalls<OpenCall>
}

export const initialState: ToAgentEventsState = {
  ...newTask,
  segment: 'none',
  progress: emptyBoundedMap,
  callCount: 0,
  receiverCalls: noOpenCalls,
}

/** A copy to assign to. Written out: spreading is slow. */
function copyState(state: ToAgentEventsState): Mutable<ToAgentEventsState> {
  return {
    phase: state.phase,
    taskId: state.taskId,
    items: state.items,
    text: state.text,
    segment: state.segment,
    progress: state.progress,
    callCount: state.callCount,
    receiverCalls: state.receiverCalls,
  }
}

export class RunWriter extends EventWriter<Mutable<ToAgentEventsState>, AgentEvent> {
  /** Whether events have the id of their call. */
  readonly hasCallIds: boolean

  constructor(state: ToAgentEventsState, hasCallIds: boolean) {
    super(copyState(state), losses)
    this.hasCallIds = hasCallIds
  }

  /** What an event states of its call. */
  callId(toolCallId: string): { toolCallId?: string } {
    return this.hasCallIds ? { toolCallId } : {}
  }

  /** A tool call ends the segment of a receiver. */
  splitText(): void {
    const { segment } = this.state
    this.state.segment = segment === 'complete' ? 'none' : segment === 'open' ? 'split' : segment
  }

  reportSegment(): void {
    this.lossy('content', 'A receiver cannot see where the segment begins and ends.')
  }
}

export const formats: ItemFormats<RunWriter> = {
  // AgentEvents do not state where a text ends: a tool call and the end of the run do.
  text: {
    isAlone: true,
    open(writer) {
      if (writer.state.segment === 'none') return
      writer.reportSegment()
      writer.state.segment = 'merged'
    },
    append(writer, _, content) {
      const { segment } = writer.state
      if (segment === 'split' || segment === 'complete') writer.reportSegment()
      writer.state.segment = segment === 'none' || segment === 'open' ? 'open' : 'merged'
      writer.emit({ type: 'stream', content })
    },
    close(writer) {
      const { segment } = writer.state
      writer.state.segment = segment === 'split' ? 'none' : 'complete'
    },
  },
  thought: {
    closesWithWhole: true,
    close(writer, _, { content, thoughtType, verbosity }) {
      writer.emit({ type: 'thought', content })
      if (thoughtType !== 'reasoning')
        writer.lossy('thoughtType', `A receiver reads reasoning, not ${thoughtType}.`)
      if (verbosity !== 'normal')
        writer.lossy('verbosity', `A receiver reads normal verbosity, not ${verbosity}.`)
    },
  },
  call: { closesWithWhole: true, namesResults: true, close: (writer, _, event) => writeCall(writer, event) },
}

function writeCall(
  writer: RunWriter,
  { toolCallId, toolName, arguments: args, metadata }: ToolStartEvent,
): void {
  const { state } = writer
  const { text: original } = argumentsText(args, metadata?.toolArgs)
  if (original === undefined) writer.lossy('arguments', 'The arguments are not JSON; sent as {}.')
  writer.emit({ type: 'tool_call', toolName, toolArgs: original ?? '{}', ...writer.callId(toolCallId) })
  writer.splitText()
  state.callCount++
  state.progress = boundedSet(state.progress, toolCallId, 0).map
  if (writer.hasCallIds) return
  const received = { key: keyOf(state.callCount), toolName, order: state.callCount, statedId: toolCallId }
  state.receiverCalls = openCall(state.receiverCalls, received)
}
