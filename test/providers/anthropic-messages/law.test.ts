// Proves that the reader of Messages keeps the laws of all providers, whatever a server sends.

import { anthropicMessages } from 'turnstream/providers'
import { anthropicChunk } from '../../support/providers/anthropic-chunks.ts'
import { providerLaws, recordingLaws } from '../../support/providers/law.ts'

providerLaws(anthropicMessages, anthropicChunk)
recordingLaws(anthropicMessages, 'anthropic')
