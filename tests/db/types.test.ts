import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startChild } from '../support/children.ts';
import { describeEachDatabase, useFreshDatabase } from '../support/databases.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { addActor, addInvoice, addPayment } from '../support/rows.ts';

const ALL = ['America/Mexico_City', 'UTC', 'Europe/Madrid', 'Pacific/Kiritimati'];
const ZONES = IS_LONG_LANE ? ALL : ALL.slice(0, 1);

describeEachDatabase('a value that is read', (fresh) => {
  it('is a number or plain text, the same in every time zone', async () => {
    const { userId } = await addActor(fresh.db);
    const invoice = {
      numfactura: 'F-1',
      fechaemision: '2026-11-20',
      fechavencimiento: '2026-12-31',
      subtotalCents: 800_000_000_000,
      createdAt: '2026-11-21T05:59:59.007Z',
    };
    const id = await addInvoice(fresh.db, invoice);
    await addInvoice(fresh.db, { ...invoice, fechavencimiento: '2026-01-01' });
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 7, userId, paymentdate: '2026-11-20' });
    for (const TZ of ZONES) {
      const child = await startChild({ TZ });
      const read = await child.run('read', fresh.database.url);
      await child.kill();
      expect(read.invoice, TZ).toMatchObject({
        ...invoice,
        id,
        fecharecepcion: null,
        tasa: 160_000,
        ivaCents: 128_000_000_000,
        totalCents: 928_000_000_000,
        paidCents: 7,
        updatedAt: invoice.createdAt,
        version: 1,
      });
      expect(read.payment, TZ).toMatchObject({
        amountCents: 7,
        paymentdate: '2026-11-20',
        facturaproveedorId: id,
      });
      expect(read.sums, TZ).toEqual({ total: 1_856_000_000_000, count: 2, due: '2026-12-31' });
      expect(read.text, TZ).toBe('2026-12-31');
    }
  });
});

describe('PostgreSQL', () => {
  const fresh = useFreshDatabase('postgres');

  it.each(['select sum(9007199254740993::bigint)', 'select 9007199254740993::bigint', 'select 0.5::numeric'])(
    'refuses «%s» instead of rounding it',
    async (query) => {
      await expect(sql.raw(query).execute(fresh.db)).rejects.toThrow('safe integers');
    },
  );
});
