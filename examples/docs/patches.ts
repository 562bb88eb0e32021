import { applyJsonPatch, applyMergePatch, type Patched } from 'turnstream/json'

const booking = { room: 'A1', guests: ['Ada'], note: 'late' }

export const patched: Patched = applyJsonPatch(booking, [
  { op: 'test', path: '/room', value: 'A1' },
  { op: 'add', path: '/guests/-', value: 'Grace' },
])
// { ok: true, value: { room: 'A1', guests: ['Ada', 'Grace'], note: 'late' } }

export const failed: Patched = applyJsonPatch(booking, [{ op: 'remove', path: '/price' }])
// { ok: false, code: 'no-such-place', operation: 0 }

export const merged: Patched = applyMergePatch(booking, { room: 'B2', note: null })
// { ok: true, value: { room: 'B2', guests: ['Ada'] } }
