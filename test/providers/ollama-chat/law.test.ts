// Proves that the reader of Ollama keeps the laws of all providers, whatever a server sends.

import { ollamaChat } from 'turnstream/providers'
import { providerLaws, recordingLaws } from '../../support/providers/law.ts'
import { ollamaChunk } from '../../support/providers/ollama-chunks.ts'

providerLaws(ollamaChat, ollamaChunk)
recordingLaws(ollamaChat, 'ollama')
