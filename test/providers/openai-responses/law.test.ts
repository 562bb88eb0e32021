// Proves that openaiResponses keeps the laws of providers, whatever a server sends.

import { openaiResponses } from 'turnstream/providers'
import { responsesChunk } from '../../support/providers/chunks.ts'
import { providerLaws, recordingLaws } from '../../support/providers/law.ts'

providerLaws(openaiResponses, responsesChunk)
recordingLaws(openaiResponses, 'responses')
