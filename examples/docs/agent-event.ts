import { type ContextAnyEvent, type Diagnostic, iterate, run } from 'agentwire'
import {
  type AgentEvent,
  adaptToolEvent,
  agentEventVerifier,
  fromAgentEvents,
  type ToolEvent,
  toAgentEvents,
} from 'agentwire/agent-event'

/** An agent that uses one tool and forwards its events as AgentEvents. */
export async function* askWithTool(
  tool: (city: string) => AsyncIterable<ToolEvent>,
  city: string,
): AsyncGenerator<AgentEvent> {
  yield { type: 'tool_call', toolName: 'weather', toolArgs: JSON.stringify({ city }) }
  for await (const event of tool(city)) yield adaptToolEvent(event)
  yield { type: 'stream', content: `I looked up ${city}.` }
  yield { type: 'final' }
}

/** Converts the AgentEvents of a run to events of a task. */
export function asTask(
  agent: AsyncIterable<AgentEvent>,
  ids: { contextId: string; taskId: string },
  onDiagnostic: (diagnostic: Diagnostic) => void,
): AsyncGenerator<ContextAnyEvent> {
  return iterate(fromAgentEvents({ ...ids, now: Date.now }), agent, { onDiagnostic })
}

/** Converts the events of a task to AgentEvents. */
export function asAgent(
  events: AsyncIterable<ContextAnyEvent>,
  onDiagnostic: (diagnostic: Diagnostic) => void,
): AsyncGenerator<AgentEvent> {
  return iterate(toAgentEvents({ toolCallIds: true }), events, { onDiagnostic })
}

/** Lists the violated rules, each with the position of its event. */
export function brokenRules(events: Iterable<AgentEvent>): string[] {
  const { push, end } = run(agentEventVerifier())
  return [...[...events].flatMap(push), ...end()].map(({ rule, eventIndex }) => `${eventIndex}: ${rule}`)
}
