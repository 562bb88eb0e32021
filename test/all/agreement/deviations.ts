/** Where a validator rightly differs from the library, each with the reason. Everything else is a bug. */

export interface Deviation {
  readonly validator: string
  readonly reason: string
  /** Whether the document, as JSON text, is one on which the validator may differ. */
  readonly applies: (text: string) => boolean
}

export const deviations: readonly Deviation[] = [
  {
    validator: 'jsonschema',
    reason: 'In Python, `$` matches before a final line break too.',
    applies: (text) => text.includes('Z\\n"'),
  },
]
