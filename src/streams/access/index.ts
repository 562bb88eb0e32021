/** Who may see which event, and which fields of it. */

export {
  type Audience,
  type AudienceOptions,
  addToTaskTree,
  audienceOf,
  audiences,
  emptyTaskTree,
  type RoutedEvent,
  respondersOf,
  type TaskTree,
} from './audience.ts'
export { defaultThoughts, type Redaction, redactions } from './disclosures.ts'
export type { EventFilter, ThoughtPolicy } from './filter.ts'
export { project, type Viewer } from './project.ts'
