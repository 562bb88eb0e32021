/** Executors of both SDKs that send turnstream events. docs/a2a.md shows the part between the marks. */

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
import { type ContextAnyEvent, run } from 'turnstream'
import { type A2aV1StreamResponse, isA2aStreamEnd, toA2a } from 'turnstream/a2a'

/** An agent: yields the events of a request, stamped with the ids of the task. */
export type Agent = (request: { taskId: string; contextId: string }) => AsyncIterable<ContextAnyEvent>

/** For `@a2a-js/sdk` 1.x. */
export function mount(agent: Agent, extension = false): AgentExecutor {
  // docs: begin
  const machine = toA2a({ version: '1.0', extension })
  const states = new Map<string, typeof machine.initial>()

  async function execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const mapper = run(machine, { state: states.get(request.taskId) ?? machine.initial })
    let last: A2aV1StreamResponse | undefined
    const publish = (items: readonly A2aV1StreamResponse[]): void => {
      for (last of items) bus.publish(toSdk(last))
    }
    for await (const event of agent(request)) publish(mapper.push(event))
    if (!isA2aStreamEnd(last)) publish(mapper.end())
    states.set(request.taskId, mapper.state)
    bus.finished()
  }

  function toSdk(item: A2aV1StreamResponse): AgentExecutionEvent {
    const { payload } = StreamResponse.fromJSON(item)
    return { kind: payload?.$case, data: payload?.value } as AgentExecutionEvent
  }
  // docs: end
  return { execute, cancelTask: async () => {} }
}

/** For `@a2a-js/sdk` 0.3, which accepts items as they are. */
export function mountV03(agent: Agent, extension = false): AgentExecutorV03 {
  const machine = toA2a({ version: '0.3', extension })
  const states = new Map<string, typeof machine.initial>()
  const execute: AgentExecutorV03['execute'] = async (request, bus) => {
    const mapper = run(machine, { state: states.get(request.taskId) ?? machine.initial })
    let last: unknown
    const publish = (items: readonly unknown[]): void => {
      for (last of items) bus.publish(last as AgentExecutionEventV03)
    }
    for await (const event of agent(request)) publish(mapper.push(event))
    if (!isA2aStreamEnd(last)) publish(mapper.end())
    states.set(request.taskId, mapper.state)
    bus.finished()
  }
  return { execute, cancelTask: async () => {} }
}
