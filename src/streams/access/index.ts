/** Who may see which event, and which fields of it. */

export {
  type Audience,
  type AudienceOptions,
  audienceOf,
  audiences,
  emptyTree,
  growTree,
  type RoutedEvent,
  respondersOf,
  type TaskTree,
} from './audience.ts'
export { type Disclosure, defaultThoughts, disclosures } from './disclosures.ts'
export type { EventFilter, ThoughtPolicy } from './filter.ts'
export { project, type Viewer } from './project.ts'
