/**
 * SHA-256, synchronous: the platform's `crypto.subtle.digest` is not, and a reducer cannot wait.
 *
 * @see https://csrc.nist.gov/pubs/fips/180-4/upd1/final
 */

/** The digest of bytes in the format of artifacts: `sha-256:` and 64 lower-case hexadecimal digits. */
export function digestOf(bytes: Uint8Array): string {
  const state = Int32Array.from(INITIAL)
  const schedule = new Int32Array(64)
  const view = padded(bytes)
  for (let at = 0; at < view.byteLength; at += 64) compress(state, schedule, view, at)
  return `sha-256:${Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')}`
}

/** The digest of the UTF-8 bytes of a text. */
export function textDigest(text: string): string {
  return digestOf(new TextEncoder().encode(text))
}

/** The first characters of a digest in Base64: of 6 bits each, at most 42. */
export function base64Of(digest: string, length: number): string {
  const bytes = digitsOf(digest).replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
  return btoa(bytes).slice(0, length)
}

/** The first hexadecimal digits of a digest, or all of them. */
export function digitsOf(digest: string, count = 64): string {
  // They follow `sha-256:`.
  return digest.slice(8, 8 + count)
}

/** The message in whole blocks: the bytes, a 1 bit, zeros, and its length in bits. */
function padded(bytes: Uint8Array): DataView {
  const { length } = bytes
  const blocks = new Uint8Array(Math.ceil((length + 9) / 64) * 64)
  blocks.set(bytes)
  blocks[length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(blocks.length - 8, Math.floor(length / 0x20000000))
  view.setUint32(blocks.length - 4, (length << 3) >>> 0)
  return view
}

/** Without iterators, which would take as long as the rest. */
function compress(state: Int32Array, w: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i)
  for (let i = 16; i < 64; i++) {
    const x = word(w, i - 15)
    const y = word(w, i - 2)
    const s0 = rotateRight(x, 7) ^ rotateRight(x, 18) ^ (x >>> 3)
    const s1 = rotateRight(y, 17) ^ rotateRight(y, 19) ^ (y >>> 10)
    w[i] = (word(w, i - 16) + s0 + word(w, i - 7) + s1) | 0
  }
  let a = word(state, 0)
  let b = word(state, 1)
  let c = word(state, 2)
  let d = word(state, 3)
  let e = word(state, 4)
  let f = word(state, 5)
  let g = word(state, 6)
  let h = word(state, 7)
  for (let i = 0; i < 64; i++) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(ROUND, i) + word(w, i)) | 0
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = word(state, i) + (mixed[i] ?? 0)
}

function rotateRight(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by))
}

function word(words: Int32Array, i: number): number {
  return words[i] ?? 0
}

/** The constants of the standard: the first 32 fractional bits of a root of each of the first primes. */
function rootsOf(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 0x100000000) | 0)
}

const INITIAL = /* @__PURE__ */ rootsOf(8, Math.sqrt)
const ROUND = /* @__PURE__ */ rootsOf(64, Math.cbrt)
