// Proves that openaiChat keeps the laws of providers, whatever a server sends.

import { openaiChat } from 'turnstream/providers'
import { chatChunk } from '../../support/providers/chunks.ts'
import { providerLaws, recordingLaws } from '../../support/providers/law.ts'

providerLaws(openaiChat, chatChunk)
recordingLaws(openaiChat, 'openai')
recordingLaws(openaiChat, 'chat')
