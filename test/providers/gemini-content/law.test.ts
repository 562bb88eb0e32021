// Proves that the reader of Gemini keeps the laws of all providers, whatever a server sends.

import { geminiContent } from 'turnstream/providers'
import { geminiChunk } from '../../support/providers/gemini-chunks.ts'
import { providerLaws, recordingLaws } from '../../support/providers/law.ts'

providerLaws(geminiContent, geminiChunk)
recordingLaws(geminiContent, 'gemini')
