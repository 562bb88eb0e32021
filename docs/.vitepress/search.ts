/** The search of the site, and what a test searches with. */
export const searchOptions: {
  readonly fuzzy: number
  readonly prefix: boolean
  readonly boost: Readonly<Record<string, number>>
  readonly boostDocument: (id: string) => number
} = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  // VitePress writes its text into pages: it must use nothing from outside.
  boostDocument(id) {
    if (/\/(?:frames|agent-event|session|looopy)\b/.test(id)) return 0.01
    if (/\/(?:api|reference|languages)\//.test(id)) return 0.3
    return /\/(?:a2a|acp|ag-ui|ai-sdk|mcp|openai)\./.test(id) ? 0.6 : 1
  },
}
