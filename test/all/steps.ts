/** All slow checks, in the order in which they run. A further one is an entry here. */
import { a2aSteps } from './a2a/steps.ts'
import { acpSteps } from './acp/steps.ts'
import { initSteps } from './agent-page/init.ts'
import { agentPageSteps } from './agent-page/steps.ts'
import { agreementSteps } from './agreement/steps.ts'
import { assistantUiSteps } from './assistant-ui/steps.ts'
import { chromiumSteps } from './chromium/steps.ts'
import { copilotSteps } from './copilot/steps.ts'
import { copilotkitSteps } from './copilotkit/steps.ts'
import { docsSteps } from './docs/steps.ts'
import { durableStreamSteps } from './durable-streams/steps.ts'
import { frameworkSteps } from './frameworks/steps.ts'
import { fuzzSteps } from './fuzz.ts'
import { hostileSteps } from './hostile/steps.ts'
import { liveSteps } from './live/steps.ts'
import { mcpSteps } from './mcp/steps.ts'
import { pairSteps } from './pairs/steps.ts'
import { peerSteps } from './peers/steps.ts'
import { providerSteps } from './providers/steps.ts'
import { proxySteps } from './proxies/steps.ts'
import { approvalStep } from './recipes/approval.ts'
import { recipeSteps } from './recipes/steps.ts'
import { redisSteps } from './redis/steps.ts'
import { regexSteps } from './regexes/steps.ts'
import { releaseSteps } from './release/steps.ts'
import { hostSteps } from './runtimes/hosts.ts'
import { runtimeSteps } from './runtimes/steps.ts'
import { sessionSteps } from './session/steps.ts'
import { slowSteps } from './slow/steps.ts'
import { snippetSteps } from './snippets/steps.ts'
import { sqlSteps } from './sql/steps.ts'
import type { Step } from './step.ts'
import { suiteSteps } from './suite/steps.ts'
import { useChatSteps } from './use-chat/steps.ts'
import { viewerSteps } from './viewer/steps.ts'

export const steps: readonly Step[] = [
  ...suiteSteps,
  ...releaseSteps,
  ...chromiumSteps,
  ...docsSteps,
  ...viewerSteps,
  ...liveSteps,
  ...proxySteps,
  ...recipeSteps,
  ...useChatSteps,
  ...copilotSteps,
  ...agentPageSteps,
  approvalStep,
  ...redisSteps,
  ...sqlSteps,
  ...runtimeSteps,
  ...hostSteps,
  ...snippetSteps,
  ...hostileSteps,
  ...slowSteps,
  ...regexSteps,
  ...sessionSteps,
  ...a2aSteps,
  ...pairSteps,
  ...providerSteps,
  ...frameworkSteps,
  ...peerSteps,
  ...mcpSteps,
  ...durableStreamSteps,
  ...agreementSteps,
  ...fuzzSteps,
  ...initSteps,
  ...acpSteps,
  ...assistantUiSteps,
  ...copilotkitSteps,
]
