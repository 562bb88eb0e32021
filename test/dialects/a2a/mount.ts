/** Our events in the executors of both SDKs. What stands between the marks, docs/a2a.md shows. */
import { StreamResponse } from '@a2a-js/sdk'
import type {
  AgentExecutionEvent,
  AgentExecutor,
  ExecutionEventBus,
  RequestContext,
} from '@a2a-js/sdk/server'
import type {
  AgentExecutionEvent as AgentExecutionEventV03,
  AgentExecutor as AgentExecutorV03,
} from 'a2a-sdk-03/server'
import { type ContextAnyEvent, type RunOptions, run } from 'agentwire'
import { type A2aV1StreamResponse, isA2aStreamEnd, type ToA2aState, toA2a } from 'agentwire/a2a'

/** An agent: whoever makes events for a request, stamped with the ids of the task. */
export type Agent = (request: { taskId: string; contextId: string }) => AsyncIterable<ContextAnyEvent>

/** For `@a2a-js/sdk` 1.x. */
export function mount(agent: Agent, extension = false): AgentExecutor {
  // docs: begin
  const tasks = new Map<string, RunOptions<ToA2aState<'1.0'>>>()

  async function execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const mapper = run(toA2a({ version: '1.0', extension }), tasks.get(request.taskId))
    let last: A2aV1StreamResponse | undefined
    const publish = (items: readonly A2aV1StreamResponse[]): void => {
      for (last of items) bus.publish(toSdk(last))
    }
    for await (const event of agent(request)) publish(mapper.push(event))
    if (!isA2aStreamEnd(last)) publish(mapper.end())
    tasks.set(request.taskId, { state: mapper.state })
    bus.finished()
  }

  function toSdk(item: A2aV1StreamResponse): AgentExecutionEvent {
    const { payload } = StreamResponse.fromJSON(item)
    return { kind: payload?.$case, data: payload?.value } as AgentExecutionEvent
  }
  // docs: end
  return { execute, cancelTask: async () => {} }
}

/** For `@a2a-js/sdk` 0.3, which takes the items as they are. */
export function mountV03(agent: Agent, extension = false): AgentExecutorV03 {
  const tasks = new Map<string, RunOptions<ToA2aState<'0.3'>>>()
  const execute: AgentExecutorV03['execute'] = async (request, bus) => {
    const mapper = run(toA2a({ version: '0.3', extension }), tasks.get(request.taskId))
    let last: unknown
    const publish = (items: readonly unknown[]): void => {
      for (last of items) bus.publish(last as AgentExecutionEventV03)
    }
    for await (const event of agent(request)) publish(mapper.push(event))
    if (!isA2aStreamEnd(last)) publish(mapper.end())
    tasks.set(request.taskId, { state: mapper.state })
    bus.finished()
  }
  return { execute, cancelTask: async () => {} }
}
