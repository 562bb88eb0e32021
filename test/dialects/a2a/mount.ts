/** Our events in the executors of both SDKs, as docs/a2a.md shows it. */
import { StreamResponse } from '@a2a-js/sdk'
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server'
import type {
  AgentExecutor as AgentExecutorV03,
  ExecutionEventBus as ExecutionEventBusV03,
  RequestContext as RequestContextV03,
} from 'a2a-sdk-03/server'
import { isA2aStreamEnd, type ToA2aState, toA2a } from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { run } from '../../../src/machine.ts'

/** An agent: whoever makes events for a request, stamped with the ids of the task. */
export type Agent = (request: { taskId: string; contextId: string }) => AsyncIterable<ContextAnyEvent>

/** For `@a2a-js/sdk` 1.x. */
export function mount(agent: Agent, extension = false): AgentExecutor {
  // docs: begin
  const states = new Map<string, ToA2aState<'1.0'>>()
  const execute = async (request: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const state = states.get(request.taskId)
    const mapper = run(toA2a({ version: '1.0', extension }), state && { state })
    let isOver = false
    const publish = (items: ReturnType<typeof mapper.push>): void => {
      for (const item of items) {
        const { payload } = StreamResponse.fromJSON(item)
        if (payload)
          bus.publish({ kind: payload.$case, data: payload.value } as Parameters<typeof bus.publish>[0])
        isOver = isA2aStreamEnd(item)
      }
    }
    for await (const event of agent(request)) publish(mapper.push(event))
    if (!isOver) publish(mapper.end())
    states.set(request.taskId, mapper.state)
    bus.finished()
  }
  // docs: end
  return { execute, cancelTask: async () => {} }
}

/** For `@a2a-js/sdk` 0.3. */
export function mountV03(agent: Agent, extension = false): AgentExecutorV03 {
  const states = new Map<string, ToA2aState<'0.3'>>()
  const execute = async (request: RequestContextV03, bus: ExecutionEventBusV03): Promise<void> => {
    const state = states.get(request.taskId)
    const mapper = run(toA2a({ version: '0.3', extension }), state && { state })
    let isOver = false
    const publish = (items: ReturnType<typeof mapper.push>): void => {
      for (const item of items) {
        bus.publish(item as Parameters<typeof bus.publish>[0])
        isOver = isA2aStreamEnd(item)
      }
    }
    for await (const event of agent(request)) publish(mapper.push(event))
    if (!isOver) publish(mapper.end())
    states.set(request.taskId, mapper.state)
    bus.finished()
  }
  return { execute, cancelTask: async () => {} }
}
