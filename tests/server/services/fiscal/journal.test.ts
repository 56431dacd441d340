import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { writeHledger } from '../../../../server/formats/hledger.ts';
import { readInvoicesOpenAt } from '../../../../server/services/balances/balances.ts';
import { computeCostAfterCredits, readCosts, sumCosts } from '../../../../server/services/costs.ts';
import { type MonthlyJournal, readJournalSummary } from '../../../../server/services/fiscal/journal.ts';
import { deletePayment, restorePayment } from '../../../../server/services/payments/payments.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { listFunds } from '../../../../server/services/petty-cash/reading.ts';
import { readUndatedInvoices } from '../../../../server/services/results.ts';
import { DEFAULT_SETTINGS } from '../../../../server/services/settings/definitions.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { addDays } from '../../../../shared/dates.ts';
import { monthPeriodOf } from '../../../../shared/periods.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import {
  arbitraryCompany,
  JOURNAL_MONTHS,
  readJournalOfMonth,
  storeCompany,
  sumAccount,
} from '../../../support/journal.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { chooseRunCount } from '../../../support/proofs.ts';
import {
  addActor,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addPayment,
  addSupplier,
  DAY,
} from '../../../support/rows.ts';

const ACCOUNTS = {
  proveedores: DEFAULT_SETTINGS['cuenta.proveedores'],
  costo: DEFAULT_SETTINGS['cuenta.costo'],
  pendiente: DEFAULT_SETTINGS['cuenta.iva.pendiente'],
  acreditado: DEFAULT_SETTINGS['cuenta.iva.acreditado'],
  retenido: DEFAULT_SETTINGS['cuenta.retenciones'],
};
const FIRST = '2000-01-01';

/** Reads the reports as of the end of a day. */
async function readReports(db: Db, to: string) {
  const open = await readInvoicesOpenAt(db, {}, to, DAY);
  const dated = computeCostAfterCredits(sumCosts(await readCosts(db, { from: FIRST, to }, [])));
  const { sum } = await readUndatedInvoices(db, { from: FIRST, to }, DAY.timeZone, 1);
  const funds = await listFunds(db, to);
  return {
    owed: open.reduce((all, { pendingCents }) => all + pendingCents, 0),
    cost: dated + sum.costCents,
    funds: funds.map(({ nombre, saldoCents }) => [
      `${DEFAULT_SETTINGS['cuenta.caja']}:${nombre}`,
      saldoCents,
    ]) as [string, number][],
  };
}

const textOf = ({ entries }: Pick<MonthlyJournal, 'entries'>) =>
  entries.map(({ fecha, concepto, postings }) => [
    fecha,
    concepto,
    ...postings.map(({ account, cents }) => [account.replace(/^[\d.]+ /, ''), cents]),
  ]);

describeEachDatabase('the journal', (fresh) => {
  const folder = temporaryFolder();

  it('balances each entry of any company, and its accounts are the reports of the same day', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCompany, async (company) => {
        await storeCompany(fresh.db, company);
        const journals: MonthlyJournal[] = [];
        for (const mes of JOURNAL_MONTHS) {
          const journal = await readJournalOfMonth(fresh.db, mes);
          journals.push(journal);
          for (const { code, postings } of journal.entries)
            expect([code, postings.reduce((sum, { cents }) => sum + cents, 0)]).toEqual([code, 0]);
          expect(journal.cuadra).toBe(true);
          const reports = await readReports(fresh.db, journal.month.to);
          expect([mes, 0 - sumAccount(journals, ACCOUNTS.proveedores)]).toEqual([mes, reports.owed]);
          expect([mes, sumAccount(journals, ACCOUNTS.costo)]).toEqual([mes, reports.cost]);
          for (const [account, cents] of reports.funds)
            expect([mes, account, sumAccount(journals, account)]).toEqual([mes, account, cents]);
        }
      }),
      { numRuns: chooseRunCount(3, 40), endOnFailure: true },
    );
  });

  it('is read by hledger, whose balances are the reports of the same day', async () => {
    if (spawnSync('hledger', ['--version']).error) {
      console.info('hledger is not here: its balances were not compared');
      return;
    }
    for (const company of fc.sample(arbitraryCompany, { numRuns: 3, seed: 20_261_129 }))
      await storeCompany(fresh.db, company);
    const file = join(folder.folder, 'todo.journal');
    const texts = [];
    for (const mes of JOURNAL_MONTHS) {
      const { entries, moneda } = await readJournalOfMonth(fresh.db, mes);
      texts.push(writeHledger({ title: mes, currency: moneda }, entries));
    }
    await writeFile(file, texts.join('\n'));
    const hledger = (...args: string[]) =>
      execFileSync('hledger', ['-f', file, ...args], {
        encoding: 'utf8',
        env: { ...process.env, LANG: 'C.UTF-8' },
      });
    expect(() => hledger('check', '--strict')).not.toThrow();
    for (const mes of JOURNAL_MONTHS) {
      const { to } = monthPeriodOf(`${mes}-01`);
      const end = hledger('balance', '--flat', '--empty', '-O', 'csv', '--end', addDays(to, 1));
      const balances = new Map(
        end.split('\n').flatMap((line) => {
          const [, account, amount] = /^"(.*)","(-?[\d.]+)(?: MXN)?"$/.exec(line) ?? [];
          return account ? [[account, Math.round(Number(amount) * 100)]] : [];
        }),
      );
      const reports = await readReports(fresh.db, to);
      expect([mes, 0 - (balances.get(ACCOUNTS.proveedores) ?? 0)]).toEqual([mes, reports.owed]);
      expect([mes, balances.get(ACCOUNTS.costo) ?? 0]).toEqual([mes, reports.cost]);
      for (const [account, cents] of reports.funds)
        expect([mes, account, balances.get(account) ?? 0]).toEqual([mes, account, cents]);
      expect(balances.get('total')).toBe(0);
    }
  });

  it('moves IVA and withholdings with each part of an invoice, the last of which takes the rest', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'BBVA: obra; norte' });
    const facturaproveedorId = await addInvoice(db, {
      ...{ supplierId: await addSupplier(db, { suppliername: 'Aceros' }), numfactura: 'A-1' },
      ...{ fechaemision: '2026-10-01', retencionesCents: 10_000 },
    });
    const about = { facturaproveedorId, userId, origenderecursoId };
    for (const [n, amountCents] of [35_333, 35_333, 35_334].entries())
      await addPayment(db, {
        ...about,
        amountCents,
        paymentdate: `2026-10-0${n + 2}`,
        checknum: n ? '' : '7',
      });
    const bank = 'Bancos nacionales:BBVA obra norte';
    const part = (cents: number, iva: number, withheld: number) => [
      ['Proveedores nacionales', cents],
      [bank, -cents],
      ['IVA acreditable pagado', iva],
      ['IVA pendiente de pago', -iva],
      ['Retenciones pendientes de pago', withheld],
      ['Impuestos retenidos', -withheld],
    ];
    const journal = await readJournalOfMonth(db, '2026-10');
    expect(textOf(journal)).toEqual([
      [
        '2026-10-01',
        'Factura A-1',
        ['Costo de obra', 100_000],
        ['IVA pendiente de pago', 16_000],
        ['Retenciones pendientes de pago', -10_000],
        ['Proveedores nacionales', -106_000],
      ],
      ['2026-10-02', 'Pago de la factura A-1, ref. 7', ...part(35_333, 5_333, 3_333)],
      ['2026-10-03', 'Pago de la factura A-1', ...part(35_333, 5_333, 3_333)],
      ['2026-10-04', 'Pago de la factura A-1', ...part(35_334, 5_334, 3_334)],
    ]);
    expect(sumAccount([journal], ACCOUNTS.pendiente)).toBe(0);
    expect([sumAccount([journal], ACCOUNTS.acreditado), sumAccount([journal], ACCOUNTS.retenido)]).toEqual([
      16_000, -10_000,
    ]);
    expect(await readJournalSummary(db, monthPeriodOf('2026-10-01'), DAY.timeZone)).toMatchObject({
      ...{ cuenta: 4, cuadra: true, totalCents: 116_000 + 106_000 + 16_000 + 10_000 },
    });
    // Payments of earlier months take their shares first.
    await changeDay(db, '2026-10-04', '2026-11-04');
    expect(textOf(await readJournalOfMonth(db, '2026-11'))).toEqual([
      ['2026-11-04', 'Pago de la factura A-1', ...part(35_334, 5_334, 3_334)],
    ]);
  });

  it('has exchange differences, advances, credit notes and petty cash in accounts of their own', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const dollars = { moneda: 'USD', tipocambio: '17.5' };
    const early = await addInvoice(db, {
      supplierId,
      numfactura: 'U-1',
      fechaemision: '2026-11-05',
      ...dollars,
    });
    const about = { facturaproveedorId: early, userId };
    await addPayment(db, {
      ...about,
      amountCents: 100_000,
      importebancoCents: 99_000,
      paymentdate: '2026-10-30',
    });
    const creditNoteId = await addCreditNote(db, {
      ...{ supplierId, userId, numero: 'NC-9', fecha: '2026-11-08', totalCents: 20_000 },
    });
    const credit = { kind: 'credito' as const, creditNoteId, amountCents: 16_000, paymentdate: '2026-11-08' };
    await addPayment(db, { ...about, ...credit });
    const fund = await addFund(db, { nombre: 'Obra', openedOn: '2026-11-10' });
    const holder = await addActor(db);
    const tax = { subtotalCents: 10_000, ivaCents: 1_600, importeCents: 11_600 };
    for (const comprobante of ['cfdi', 'nota'] as const)
      await createMovement(
        db,
        holder,
        fund.id,
        createExpenseValues({ fecha: '2026-11-11', comprobante, ...tax }),
      );
    expect(textOf(await readJournalOfMonth(db, '2026-10'))).toEqual([
      [
        '2026-10-30',
        'Pago de la factura U-1',
        ['Anticipo a proveedores nacionales', 100_000],
        ['Diferencia cambiaria', -1_000],
        ['Bancos nacionales:Sin origen de recurso', -99_000],
      ],
    ]);
    const [issued, advance, note, opening, withCfdi, withNote] = textOf(
      await readJournalOfMonth(db, '2026-11'),
    );
    expect(issued![1]).toBe('Factura U-1');
    expect(advance).toEqual([
      '2026-11-05',
      'Anticipo aplicado a la factura U-1',
      ['Proveedores nacionales', 100_000],
      ['Anticipo a proveedores nacionales', -100_000],
      ['IVA acreditable pagado', 13_793],
      ['IVA pendiente de pago', -13_793],
    ]);
    // The note has no IVA and settles the invoice, so the pending IVA counts as paid.
    expect(note).toEqual([
      '2026-11-08',
      'Nota de crédito NC-9 a la factura U-1',
      ['Proveedores nacionales', 16_000],
      ['Costo de obra', -16_000],
      ['IVA pendiente de pago', -2_207],
      ['IVA acreditable pagado', 2_207],
    ]);
    expect(opening!.slice(2).map((part) => (part as [string, number])[1])).toEqual([-500_000, 500_000]);
    const cash = 'Caja y efectivo:Obra';
    const spent = [
      ['Costo de obra', 10_000],
      [cash, -11_600],
    ];
    expect(withCfdi!.slice(2)).toEqual([spent[0], ['IVA acreditable pagado', 1_600], spent[1]]);
    expect(withNote!.slice(2)).toEqual([spent[0], ['IVA pendiente de pago', 1_600], spent[1]]);
  });

  it('is of the rows as they are: a deleted payment is in no entry until it is restored', async () => {
    const { db } = fresh;
    const accountant = await addActor(db);
    const facturaproveedorId = await addInvoice(db, { fechaemision: '2026-11-03' });
    const id = await addPayment(db, { facturaproveedorId, amountCents: 1_000, userId: accountant.userId });
    const codes = async () => (await readJournalOfMonth(db, '2026-11')).entries.map(({ code }) => code);
    const both = [`F-${facturaproveedorId}`, `P-${id}`];
    expect(await codes()).toEqual(both);
    await deletePayment(db, accountant, id);
    expect(await codes()).toEqual(both.slice(0, 1));
    await restorePayment(db, accountant, id);
    expect(await codes()).toEqual(both);
  });

  it('uses the accounts of the settings, which refuse what a journal would not take for an account', async () => {
    const { db } = fresh;
    await addInvoice(db, { fechaemision: '2026-11-03' });
    const administrator = await addActor(db);
    await changeSetting(db, administrator, 'cuenta.costo', ' Costo  de   obra: directo ');
    const { accounts } = await readJournalOfMonth(db, '2026-11');
    expect(accounts.map(({ cuenta }) => cuenta)).toContain('Costo de obra: directo');
    for (const name of ['', 'Costo; obra', '(Costo)', '*Costo', ':Costo', 'Costo::obra', 'Costo|obra'])
      await expect(changeSetting(db, administrator, 'cuenta.costo', name)).rejects.toMatchObject({
        kind: 'invalid',
      });
  });
});

const changeDay = (db: Db, from: string, to: string) =>
  db.updateTable('payments').set({ paymentdate: to }).where('paymentdate', '=', from).execute();

it('a journal has one account, amount and description for each line, whatever people have typed', () => {
  const postings = [
    { account: 'B', cents: 1_050 },
    { account: 'A', cents: -1_050 },
  ];
  const entry = {
    code: 'P-1',
    fecha: '2026-11-03',
    nombre: 'Uno;\n dos | tres',
    concepto: 'Pago ; de\n|',
    uuid: 'U',
  };
  expect(writeHledger({ title: 'Pólizas', currency: 'MXN' }, [{ ...entry, postings }])).toBe(
    [
      ...['; Pólizas', 'decimal-mark .', 'commodity 1000.00 MXN', 'account A', 'account B', ''],
      ...['2026-11-03 (P-1) Uno dos tres | Pago de', '    ; uuid:U'],
      ...['    B  10.50 MXN', '    A  -10.50 MXN', ''],
    ].join('\n'),
  );
});
