import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BankStatementMovement } from '../../../../server/formats/bank-statements/movements.ts';
import {
  type ExpectedTransfer,
  TransferMatcher,
} from '../../../../server/services/bank-statements/matching.ts';
import {
  recognizeStoredMovements,
  type StoredMovement,
} from '../../../../server/services/bank-statements/movements.ts';
import { clabeOf } from '../../../support/accounts.ts';

const AMOUNTS = [116_000, 232_000];
const dayOf = (n: number) => `2026-11-${String(n).padStart(2, '0')}`;

const orders = fc.array(
  fc.record({
    supplierId: fc.integer({ min: 1, max: 3 }),
    amount: fc.nat(1),
    sent: fc.integer({ min: 1, max: 20 }),
  }),
  { minLength: 1, maxLength: 6 },
);
/** Events at the bank: the order that is paid, after how many days, and whether it was returned. */
const happened = fc.array(
  fc.record({ order: fc.nat(5), after: fc.integer({ min: -5, max: 5 }), back: fc.boolean() }),
  { minLength: 1, maxLength: 10 },
);
/** Downloads of the account in one of two formats, each with some of the days. */
const downloads = fc.array(
  fc.record({
    form: fc.nat(1),
    from: fc.integer({ min: 1, max: 20 }),
    days: fc.integer({ min: 0, max: 25 }),
    newestFirst: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

interface Event extends BankStatementMovement {
  event: number;
}

describe('bank movements with any days, signs and downloads', () => {
  it('pay nothing that was ordered after them, nothing twice, and undo nothing that was paid later', () => {
    fc.assert(
      fc.property(orders, happened, downloads, (asked, events, files) => {
        const transfers = asked.map(
          ({ supplierId, amount, sent }, n): ExpectedTransfer => ({
            ...{ batchId: n + 1, supplierId, amountCents: AMOUNTS[amount]! },
            ...{ clabe: clabeOf('032', supplierId), referencia: String(9_401_000 + n) },
            ...{ invoiceIds: [n], sentOn: dayOf(sent), paidOn: null, state: 'open' },
          }),
        );
        const movements = events.map(({ order, after, back }, event) => {
          const of = transfers[order % transfers.length]!;
          const day = Math.max(1, Number(of.sentOn.slice(8)) + after);
          return { event, of, fecha: dayOf(day), amountCents: back ? of.amountCents : -of.amountCents };
        });
        const stored: (StoredMovement & { event: number; of?: ExpectedTransfer })[] = [];
        for (const { form, from, days, newestFirst } of files) {
          const inFile = movements
            .filter(({ fecha }) => fecha >= dayOf(from) && fecha <= dayOf(from + days))
            .sort((a, b) => (a.fecha < b.fecha ? -1 : 1) * (newestFirst ? -1 : 1))
            .map(({ event, of, ...said }, line): Event => {
              const folio = String(7_700_000 + event);
              const texts =
                form === 0
                  ? { referencia: of.referencia, descripcion: `SPEI ${of.clabe} FOLIO ${folio}` }
                  : { referencia: '', descripcion: `${of.clabe} ${of.referencia} ${folio} ${said.fecha}` };
              return { line, event, ...said, ...texts };
            });
          const identified = inFile.map((movement) => ({
            movement,
            identity: JSON.stringify([movement.event, movement.referencia, movement.descripcion]),
          }));
          const matcher = new TransferMatcher(transfers);
          const inTime = recognizeStoredMovements(identified, stored).sort(
            ({ movement: a }, { movement: b }) =>
              (a.fecha < b.fecha ? -1 : a.fecha > b.fecha ? 1 : 0) || a.amountCents - b.amountCents,
          );
          for (const { movement, identity, storedMovement: was, isDoubtful } of inTime) {
            if (was) expect((was as { event: number } & StoredMovement).event).toBe(movement.event);
            if (was && ['pagado', 'devuelto'].includes(was.outcome)) continue;
            const before = transfers.map(({ state, paidOn }) => ({ state, paidOn }));
            const { outcome, transfer } = matcher.match(movement, isDoubtful);
            const place = transfer ? transfers.indexOf(transfer) : -1;
            if (outcome === 'pagado') {
              expect(transfer!.sentOn <= movement.fecha).toBe(true);
              expect(before[place]!.state).toBe('open');
            }
            if (outcome === 'devuelto') expect(before[place]!.paidOn! <= movement.fecha).toBe(true);
            if (was) Object.assign(was, { outcome, transfer });
            else
              stored.push({ ...movement, id: stored.length + 1, identity, outcome, transfer, of: transfer });
          }
        }
        // Each event is stored once, and each order is paid by at most one movement.
        expect(new Set(stored.map(({ event }) => event)).size).toBe(stored.length);
        const paid = stored.filter(({ outcome }) => outcome === 'pagado').map(({ transfer }) => transfer);
        expect(new Set(paid).size).toBe(paid.length);
      }),
      { numRuns: 500 },
    );
  });
});
