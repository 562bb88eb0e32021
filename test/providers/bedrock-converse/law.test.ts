// Proves that the reader of Converse keeps the laws of all providers, whatever a server sends.

import { bedrockConverse } from 'turnstream/providers'
import { bedrockChunk } from '../../support/providers/bedrock-chunks.ts'
import { providerLaws, recordingLaws } from '../../support/providers/law.ts'

providerLaws(bedrockConverse, bedrockChunk)
recordingLaws(bedrockConverse, 'bedrock')
