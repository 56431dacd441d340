import { expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { listBudget } from '../../../../server/services/budgets/reading.ts';
import { saveBudgetOfJob } from '../../../../server/services/budgets/write.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import {
  createInvoice,
  deleteInvoice,
  restoreInvoice,
  updateInvoice,
} from '../../../../server/services/invoices/invoices.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { BUDGET_EXCESS_POLICIES } from '../../../../shared/budgets.ts';
import { toPlainText } from '../../../../shared/remarks.ts';
import { buildCfdi, bytesOf } from '../../../support/cfdi.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { cfdiInWords } from '../../../support/remarks.ts';
import { addActor, addJob, addRubro, addSupplier } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';
import { importRows } from '../../../support/table-rows.ts';

const BEYOND = 'Presupuesto 500,000 · Gastado 430,000 · Esta 90,000 → excede 20,000';

describeEachDatabase('spending against a budget', (fresh) => {
  /** Stores an obra with 500,000 for Acero, of which 430,000 are spent. */
  async function begin(rule: (typeof BUDGET_EXCESS_POLICIES)[number] = 'avisar', part: Partial<Actor> = {}) {
    const { db } = fresh;
    const actor = await addActor(db, part);
    const places = {
      jobId: await addJob(db, { jobtitle: 'Torre' }),
      rubroId: await addRubro(db, { nombrerubro: 'Acero' }),
      supplierId: await addSupplier(db, { suppliername: 'Aceros', rfc: 'EKU9003173C9' }),
    };
    const partidas = [{ rubroId: places.rubroId, presupuestoCents: 50_000_000 }];
    await saveBudgetOfJob(db, actor, places.jobId, { motivo: 'Contrato', partidas });
    const { invoice: spent } = await createInvoice(db, actor, { ...places, subtotalCents: 43_000_000 });
    await changeSetting(db, await addActor(db), 'presupuesto', rule);
    const spend = (subtotalCents: number, more: object = {}, as = actor) =>
      createInvoice(db, as, { ...places, subtotalCents, ...more });
    const gastado = async () => (await listBudget(db, places.jobId)).map(({ gastadoCents }) => gastadoCents);
    return { db, actor, places, spent, spend, gastado };
  }

  it('counts a rubro without a budget as 0 if its obra has a budget, and limits no obra without any', async () => {
    const { db, spend } = await begin('impedir');
    await expect(spend(100, { rubroId: null })).rejects.toMatchObject({
      code: 'budget_exceeded',
      extra: { presupuesto: 0, gastado: 0, importe: 1, excede: 1 },
    });
    expect((await spend(100, { jobId: await addJob(db) })).warnings).toEqual([]);
  });

  it('is refused with its figures, unless Dirección gives a reason, which is kept', async () => {
    const { db, spend, actor } = await begin('impedir', { roles: [2] });
    const figures = { presupuesto: 500_000, gastado: 430_000, importe: 90_000, excede: 20_000 };
    const refusal = { kind: 'invalid', code: 'budget_exceeded', extra: figures };
    await expect(spend(9_000_000)).rejects.toMatchObject(refusal);
    await expect(spend(9_000_000, {}, { ...actor, motivo: 'Urge' })).rejects.toMatchObject(refusal);
    const director = await addActor(db, { roles: [1] });
    const refused = await spend(9_000_000, {}, director).catch((error: unknown) => error);
    expect(refused).toMatchObject({ ...refusal, fields: { motivo: 'Indica el motivo.' } });
    const { invoice, warnings } = await spend(9_000_000, {}, { ...director, motivo: 'Urge' });
    expect(warnings).toEqual([BEYOND]);
    const kept = await readRows(db, 'audit', { entityId: String(invoice.id) }, ['after']);
    expect(kept.map(({ after }) => JSON.parse(after ?? '{}').motivo)).toContain('Urge');
  });

  it('checks of an edit only the additional amount, wherever it goes, and never refuses one that adds nothing', async () => {
    const { db, actor, places, spent } = await begin('impedir');
    const edit = (draft: object) => updateInvoice(db, actor, spent.id, draft);
    await expect(edit({ subtotalCents: 50_000_001 })).rejects.toMatchObject({
      extra: { gastado: 0, importe: 500_000.01, excede: 0.01 },
    });
    expect((await edit({ subtotalCents: 50_000_000 })).warnings).toEqual([]);
    await saveBudgetOfJob(db, actor, places.jobId, {
      motivo: 'Recorte',
      partidas: [{ rubroId: places.rubroId, presupuestoCents: 100 }],
    });
    expect((await edit({ comments: 'Entregada' })).warnings).toEqual([]);
    expect((await edit({ subtotalCents: 49_000_000 })).warnings).toEqual([]);
    await expect(edit({ rubroId: null })).rejects.toMatchObject({ code: 'budget_exceeded' });
    await deleteInvoice(db, actor, spent.id);
    await expect(restoreInvoice(db, actor, spent.id)).rejects.toMatchObject({ code: 'budget_exceeded' });
  });

  it('refuses one of two who spend the same remainder at once', async () => {
    const { db, spend, gastado } = await begin('impedir');
    const others = [await addActor(db), await addActor(db), await addActor(db)];
    const tried = await Promise.allSettled(others.map((one) => spend(6_000_000, {}, one)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await gastado()).toEqual([49_000_000]);
  });

  it.each(BUDGET_EXCESS_POLICIES)(
    'checks a table row by row, including the rows before (%s)',
    async (rule) => {
      const { db, actor, gastado } = await begin(rule);
      const row = (numfactura: string, subtotal: string) => ({
        suppliername: 'Aceros',
        jobtitle: 'Torre',
        nombrerubro: 'Acero',
        numfactura,
        subtotal,
        tasa: '16',
      });
      const rows = [row('A-1', '60000.00'), row('A-2', '20000.00'), row('A-3', '10000.00')];
      const figures = 'Presupuesto 500,000 · Gastado 490,000 · Esta 20,000 → excede 10,000';
      const dry = await importRows(db, actor, 'invoices', rows, { dryRun: true, onError: 'skip' });
      const stored = await importRows(db, actor, 'invoices', rows, { onError: 'skip' });
      for (const { refused, warnings } of [dry, stored]) {
        const why = `La factura excede el presupuesto. ${figures}. Solo Dirección puede guardarla, con un motivo.`;
        const reasons = rule === 'impedir' ? [why] : [];
        expect(refused.map(({ reason }) => reason)).toEqual(reasons);
        // Two invoices exceed it, with one warning.
        const both = 'Presupuesto 500,000 · Gastado 490,000 · Estas 2: 30,000 → excede 20,000';
        const warned = warnings.filter(({ reason }) => /excede/.test(toPlainText(reason)));
        expect(warned).toEqual(rule === 'avisar' ? [{ row: 3, reason: both }] : []);
      }
      expect(await gastado()).toEqual([rule === 'impedir' ? 50_000_000 : 52_000_000]);
    },
  );

  it.each(BUDGET_EXCESS_POLICIES)(
    'checks documents one after the other, and says so before they are stored (%s)',
    async (rule) => {
      const { db, places, gastado, spend } = await begin(rule);
      const actor = await addActor(db, { roles: [2] });
      await spend(6_900_000);
      const files = [1, 2, 3].map((n) => {
        const uuid = `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;
        return { name: `${n}.xml`, bytes: bytesOf(buildCfdi({ uuid, root: { Folio: `${n}` } })) };
      });
      const figures = 'Presupuesto 500,000 · Gastado 500,000 · Esta 1,000 → excede 1,000';
      for (const dryRun of [true, false]) {
        const { files: outcomes } = cfdiInWords(await importCfdi(db, actor, files, { ...places, dryRun }));
        expect(outcomes[0]!.outcome).toBe('created');
        const both = 'Presupuesto 500,000 · Gastado 500,000 · Estas 2: 2,000 → excede 2,000';
        const warned = outcomes.map(({ warnings = [] }) => warnings.includes(both));
        expect(warned).toEqual([false, rule === 'avisar', false]);
        if (rule === 'impedir')
          expect(outcomes[1]).toMatchObject({
            outcome: 'refused',
            reason: `La factura excede el presupuesto. ${figures}. Solo Dirección puede guardarla, con un motivo.`,
          });
      }
      expect(await gastado()).toEqual([rule === 'impedir' ? 50_000_000 : 50_200_000]);
    },
  );
});
