/** What was appended and read in a torture run: finds holes, duplicates and contradictions. */
import { ok } from 'node:assert/strict'
import type { Cursor } from 'turnstream/streams'
import type { Report } from './torture-report.ts'

/** Where a reader process stands. */
export interface Place {
  readonly name: string
  cursor: Cursor | undefined
}

export class Truth {
  /** Epoch → seq → id of the event. */
  private readonly epochs = new Map<string, Map<number, string>>()
  /** Epoch → id → seq. */
  private readonly positions = new Map<string, Map<string, number>>()

  /** Adds a position that a writer got. */
  appended({ epoch, seq, id }: Report & { type: 'appended' }): void {
    this.add(epoch, seq, id, 'a writer')
  }

  /** Adds a batch: it begins where its reader stands, and holds each `seq` once. */
  read(place: Place, { after, events, cursor }: Report & { type: 'batch' }): void {
    const { name, cursor: from } = place
    const expected = from ?? { epoch: cursor.epoch, seq: -1 }
    ok(cursor.epoch === expected.epoch, `${name} got a batch of ${cursor.epoch} in ${expected.epoch}`)
    ok(after === expected.seq, `a hole: ${name} stood at ${expected.seq} and got a batch after ${after}`)
    const seqs = events.map(({ seq }) => seq)
    const all = Array.from({ length: cursor.seq - after }, (_, i) => after + 1 + i)
    ok(seqs.join() === all.join(), `a hole: ${name} got ${seqs} from ${after} to ${cursor.seq}`)
    for (const { seq, id } of events) this.add(cursor.epoch, seq, id, name)
    place.cursor = cursor
  }

  private add(epoch: string, seq: number, id: string, who: string): void {
    const ids = this.epochs.get(epoch) ?? new Map<number, string>()
    this.epochs.set(epoch, ids)
    const known = ids.get(seq)
    ok(known === undefined || known === id, `a hole: ${who} has ${id} at ${seq} of ${epoch}, not ${known}`)
    ids.set(seq, id)
    const seqs = this.positions.get(epoch) ?? new Map<string, number>()
    this.positions.set(epoch, seqs)
    const other = seqs.get(id)
    ok(
      other === undefined || other === seq,
      `a duplicate: ${who} has ${id} at ${other} and ${seq} of ${epoch}`,
    )
    seqs.set(id, seq)
  }
}
