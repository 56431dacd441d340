import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { createMovement } from '../../../server/services/petty-cash/movements.ts';
import { pages } from '../../../shared/urls.ts';
import { createTestApp } from '../../support/app.ts';
import { readPage } from '../../support/page.ts';
import { addFund, createExpenseValues } from '../../support/petty-cash.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier } from '../../support/rows.ts';

interface Edited {
  address: string;
  /** the fields that both users post */
  fields: Record<string, string | number>;
  /** what each of the two users types into one field */
  typed: readonly [field: string, theirs: string, mine: string];
  compared: readonly string[];
}

const EDITED: Record<string, (db: Db) => Promise<Edited>> = {
  'a supplier': async (db) => ({
    address: `/editsupplierpage/${await addSupplier(db)}`,
    fields: { suppliercontactperson: 'Ana' },
    typed: ['suppliername', 'Suyo', 'Mío'],
    compared: ['Nombre', 'Suyo', 'Mío'],
  }),
  'a payment': async (db) => {
    const { userId } = await addActor(db);
    const facturaproveedorId = await addInvoice(db);
    const id = await addPayment(db, { facturaproveedorId, amountCents: 10_000, userId });
    return {
      address: `/editpaymentpage/${id}`,
      fields: { facturaproveedorId, paymentdate: '2026-11-20', comments: '' },
      typed: ['paymentamount', '200', '300.00'],
      compared: ['Cantidad pagada', '$200.00', '$300.00'],
    };
  },
  'a movement of a fund': async (db) => {
    const fund = await addFund(db);
    const { movement } = await createMovement(db, await addActor(db), fund.id, createExpenseValues());
    return {
      address: pages.pettyCashMovement(movement.id),
      fields: { fecha: movement.fecha, concepto: 'Casetas', comprobante: 'nota' },
      typed: ['importe', '200', '1,200.50'],
      compared: ['Importe', '$200.00', '$1,200.50'],
    };
  },
  'a fund': async (db) => {
    const { id, openedOn, responsableId, origenderecursoId } = await addFund(db);
    return {
      address: pages.editPettyCashFund(id),
      fields: { openedOn, responsableId: responsableId!, origenderecursoId: origenderecursoId! },
      typed: ['nombre', 'Caja Norte', 'Caja Sur'],
      compared: ['Nombre', 'Caja Norte', 'Caja Sur'],
    };
  },
};

describeOneDatabase('somebody else’s newer save', (fresh) => {
  it.each(Object.entries(EDITED))(
    'of %s is shown with both values, and saving again overwrites it',
    async (_, arrange) => {
      const app = createTestApp({ db: fresh.db });
      const [browser, other] = [await app.as(2), await app.as(2)];
      const { address, fields, typed, compared } = await arrange(fresh.db);
      const [field, theirs, mine] = typed;
      const version = (await readPage(browser.get(address))).value('version');
      const saved = await other.form(address, { ...fields, [field]: theirs, version });
      expect(saved.status).toBe(303);
      const late = await readPage(browser.form(address, { ...fields, [field]: mine, version }));
      expect([late.status, late.alerts.length]).toEqual([409, 1]);
      expect(late.alerts[0]).toMatch(/^error: Otra persona guardó est[ae] .+ mientras l[ao] editabas\./);
      expect([late.rows, late.value(field)]).toEqual([[compared], mine]);
      const again = { ...fields, [field]: mine, version: late.value('version') };
      expect((await browser.form(address, again)).status).toBe(303);
      expect((await readPage(browser.get(address))).value('version')).toBe(String(Number(version) + 2));
    },
  );
});
