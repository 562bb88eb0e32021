export { decodeFrame } from './decode.ts'
export { encodeFrame } from './encode.ts'
export { frameVerifier } from './verifier.ts'
