// Proves that the reader of Cohere keeps the laws of all providers, whatever a server sends.

import { cohereChat } from 'turnstream/providers'
import { cohereChunk } from '../../support/providers/cohere-chunks.ts'
import { providerLaws, recordingLaws } from '../../support/providers/law.ts'

providerLaws(cohereChat, cohereChunk)
recordingLaws(cohereChat, 'cohere')
