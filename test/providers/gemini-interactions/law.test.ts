// Proves that the reader of Interactions keeps the laws of all providers, whatever a server sends.

import { geminiInteractions } from 'turnstream/providers'
import { interactionsChunk } from '../../support/providers/interactions-chunks.ts'
import { providerLaws, recordingLaws } from '../../support/providers/law.ts'

providerLaws(geminiInteractions, interactionsChunk)
recordingLaws(geminiInteractions, 'interactions')
