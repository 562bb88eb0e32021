import { type ContextAnyEvent, type Diagnostic, iterate, run } from 'turnstream'
import {
  type AgentEvent,
  adaptToolEvent,
  agentEventVerifier,
  fromAgentEvents,
  type ToolEvent,
  toAgentEvents,
} from 'turnstream/agent-event'

/** An agent that uses one tool and forwards the tool's events as its own. */
export async function* askWithTool(
  tool: (city: string) => AsyncIterable<ToolEvent>,
  city: string,
): AsyncGenerator<AgentEvent> {
  yield { type: 'tool_call', toolName: 'weather', toolArgs: JSON.stringify({ city }) }
  for await (const event of tool(city)) yield adaptToolEvent(event)
  yield { type: 'stream', content: `I looked up ${city}.` }
  yield { type: 'final' }
}

/** Converts the events of an agent to those of a task. */
export function asTask(
  agent: AsyncIterable<AgentEvent>,
  ids: { contextId: string; taskId: string },
  onDiagnostic: (diagnostic: Diagnostic) => void,
): AsyncGenerator<ContextAnyEvent> {
  return iterate(fromAgentEvents({ ...ids, now: Date.now }), agent, { onDiagnostic })
}

/** Converts the events of a task to those of an agent. */
export function asAgent(
  events: AsyncIterable<ContextAnyEvent>,
  onDiagnostic: (diagnostic: Diagnostic) => void,
): AsyncGenerator<AgentEvent> {
  return iterate(toAgentEvents({ toolCallIds: true }), events, { onDiagnostic })
}

/** The rules a stream violates, each with the index of the event. */
export function brokenRules(events: Iterable<AgentEvent>): string[] {
  const { push, end } = run(agentEventVerifier())
  return [...[...events].flatMap(push), ...end()].map(({ rule, eventIndex: index }) => `${index}: ${rule}`)
}
