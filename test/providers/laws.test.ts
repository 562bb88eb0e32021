// Proves that each reader keeps the laws of all providers, whatever a server sends.

import { openaiChat } from 'turnstream/providers'
import { describe } from 'vitest'
import { providerLaws, recordingLaws } from '../support/providers/law.ts'
import { allReaders } from '../support/providers/readers.ts'

describe.each(allReaders)('the reader of %s', (name, create, chunk) => {
  providerLaws(create, chunk)
  recordingLaws(create, name)
})

recordingLaws(openaiChat, 'chat')
