/** What the reader of Cohere keeps between chunks: nothing of its own. */

import type { ModelWriter } from '../shared/model-writer.ts'

export type Writer = ModelWriter<null>
