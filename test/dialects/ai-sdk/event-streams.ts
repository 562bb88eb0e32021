/** Generates legal streams of events with what chunks are particular about: requests about calls, and ids of any form. */
import fc from 'fast-check'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { aboutCalls } from '../../support/about-calls.ts'
import { type LegalStreamOptions, legalStreams } from '../../support/legal-streams.ts'

/** Ids that look like those of chunks, or are names of members that every object has. */
const idForms = [
  'text:0',
  'text:7',
  '__proto__',
  'constructor',
  ' ',
  'a/b~c',
  'input',
  'turnstream:source:0',
] as const

/** Streams whose requests ask to approve calls of the stream, several of them the same call. */
export function eventStreams(options: LegalStreamOptions = {}): fc.Arbitrary<ContextAnyEvent[]> {
  return fc
    .tuple(legalStreams({ revisions: true, ...options }), fc.array(fc.nat(99), { maxLength: 8 }), fc.nat(9))
    .map(([events, picks, form]) => withForm(aboutCalls(events, picks), form))
}

/** The events with another id for one text and one artifact. */
function withForm(events: ContextAnyEvent[], form: number): ContextAnyEvent[] {
  const id = idForms[form]
  if (id === undefined) return events
  const first = events.flatMap((event) => ('artifactId' in event ? [event.artifactId] : []))[0]
  const renamed = (artifactId: string): string => (artifactId === first ? id : artifactId)
  return events.map((event) => {
    const { contentId, artifactId } = event as { contentId?: string; artifactId?: string }
    const artifacts = event.kind === 'task-complete' ? event.artifacts?.map(renamed) : undefined
    return {
      ...event,
      ...(contentId === 'text-1' && { contentId: id }),
      ...(artifactId !== undefined && { artifactId: renamed(artifactId) }),
      ...(artifacts !== undefined && { artifacts }),
    } as ContextAnyEvent
  })
}
