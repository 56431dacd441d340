import { sql } from 'kysely';
import type { OpenDatabase } from '../../../db/open.ts';
import type { Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { addDays, HOME_ZONE } from '../../../shared/dates.ts';
import { type Cents, toDecimalText } from '../../../shared/money.ts';
import { listLastMonths } from '../../../shared/periods.ts';
import type { MovementFieldValues } from '../../../shared/petty-cash.ts';
import { toPlainText } from '../../../shared/remarks.ts';
import { attachFile } from '../attachments.ts';
import type { Actor } from '../audit/audit.ts';
import { saveBudgetOfJob } from '../budgets/write.ts';
import { CLOSING_KEY } from '../closing/closing.ts';
import { importCfdi } from '../documents/import.ts';
import { storeList69b } from '../fiscal/list-69b.ts';
import { claimNextMail, storeDeliveryOutcome } from '../mails/delivering.ts';
import { prepareMails, queueMails } from '../mails/queueing.ts';
import { createPayment } from '../payments/payments.ts';
import { countCash } from '../petty-cash/counting.ts';
import { closeFund, createFund, handOverFund } from '../petty-cash/funds.ts';
import { createMovement } from '../petty-cash/movements.ts';
import { authorizeReplenishment, requestReplenishment } from '../petty-cash/replenishing.ts';
import { listReplenishments } from '../petty-cash/requests.ts';
import { changeSetting } from '../settings/settings.ts';
import { addBatches } from './payment-batches.ts';
import { addDemoUsers, type DemoActorsByName } from './people.ts';
import { addSatMetadata } from './sat-metadata.ts';
import { COMPANY_RFC, deriveUuid, importCompanyTable, readCompanyFile, readCompanyTable } from './tables.ts';

/** The demo company's data are always the same, except that their days are relative to the actor's today. */
export async function fillDemo({ db }: OpenDatabase, actor: Actor): Promise<void> {
  const { today } = actor;
  await inTransaction(db, async (trx) => {
    for (const [key, value] of Object.entries(DEMO_SETTINGS)) await changeSetting(trx, actor, key, value);
    const people = await addDemoUsers(trx, actor);
    const { teresa, ana } = people;
    for (const kind of ['suppliers', 'clients', 'jobs', 'rubros', 'origenes', 'invoices'] as const)
      await importCompanyTable(trx, ana, kind);
    // These come before the payments, because a fund must have the money that it pays.
    for (const kind of ['cajas', 'movimientos-caja'] as const) await importCompanyTable(trx, teresa, kind);
    await importCompanyTable(trx, ana, 'payments');
    await importCompanyTable(trx, teresa, 'budgets');
    await raiseBudgets(trx, teresa);
    await importPaymentReceipts(trx, ana);
    await importDemoDocuments(trx, ana);
    await addBatches(trx, people);
    await addPettyCashFunds(trx, people);
    await addMails(trx, people.ana);
    await addSatMetadata(trx, ana);
    await addList69b(trx, ana);
    // As is usual in the middle of a month, the month before is still open.
    await changeSetting(trx, actor, CLOSING_KEY, listLastMonths(today, 3)[0]!.to);
  });
}

async function addList69b(trx: Trx, actor: Actor): Promise<void> {
  const { rows } = await sql<{ rfc: string; suppliername: string; owed: number }>`
    select s.rfc, s.suppliername, sum(i."totalCents" - i."paidCents") as owed from suppliers s
    join invoices i on i."supplierId" = s.id where s.rfc <> '' group by s.id, s.rfc, s.suppliername
    order by owed, s.id limit 2`.execute(trx);
  const presunto = addDays(actor.today, -200);
  const listed = rows.map(({ rfc, suppliername: nombre }, index) => {
    const [situacion, definitivo] =
      index === 0 ? (['definitivo', addDays(actor.today, -40)] as const) : (['presunto', null] as const);
    return { rfc, nombre, situacion, presunto, definitivo };
  });
  const corte = addDays(actor.today, -15);
  const file = { filename: 'Listado_completo_69-B.csv', sha256: deriveUuid('69-B') };
  await storeList69b(trx, actor, file, { corte, filas: 14_203, rows: listed });
}

const DEMO_SETTINGS = {
  empresa: 'Constructora Valle del Roble, S.A. de C.V.',
  rfc: COMPANY_RFC,
  direccion: 'Av. Lázaro Cárdenas 2400, piso 4, Valle Oriente, San Pedro Garza García, N.L., C.P. 66269',
  idioma: 'es',
  // A missing XML is ignored, because most of the invoices have none. A missing receipt (REP) holds a payment.
  'semaforo.xml': 'ignorar',
  'semaforo.rep': 'impedir',
};

async function addMails(trx: Trx, actor: Actor): Promise<void> {
  const suppliers = await trx.selectFrom('suppliers').select('id').orderBy('id').limit(3).execute();
  const context = { now: new Date(actor.at), today: actor.today, timeZone: HOME_ZONE };
  for (const [index, { id }] of suppliers.entries()) {
    await queueMails(trx, actor, await prepareMails(trx, { supplierId: id }, {}, context));
    const { claim } = (await claimNextMail(trx, actor))!;
    await storeDeliveryOutcome(trx, actor, claim, MAIL_OUTCOMES[index]!);
  }
}

const MAIL_OUTCOMES = [
  { kind: 'sent', response: '250 2.0.0 Ok: queued as 4bX2kD0' },
  { kind: 'failed', response: '451 4.7.1 Greylisted, try again later' },
  { kind: 'refused', response: '550 5.1.1 User unknown' },
] as const;

async function raiseBudgets(trx: Trx, chief: Actor): Promise<void> {
  const budgets = await trx
    .selectFrom('budgets')
    .innerJoin('jobs', 'jobs.id', 'budgets.jobId')
    .leftJoin('rubros', 'rubros.id', 'budgets.rubroId')
    .select(['jobId', 'rubroId', 'jobtitle', 'nombrerubro'])
    .execute();
  for (const { values } of (await readCompanyTable('convenios', 'budgets', chief.today)).rows) {
    const { jobtitle, nombrerubro, presupuesto, motivo } = values;
    const { jobId, rubroId } = budgets.find(
      (one) => one.jobtitle === jobtitle && one.nombrerubro === nombrerubro,
    )!;
    const partidas = [{ rubroId, presupuestoCents: Number(presupuesto) }];
    await saveBudgetOfJob(trx, chief, jobId, { motivo: String(motivo), partidas });
  }
}

/**
 * Adds three funds: in the first the replenishment of what was spent is requested; in the second a voucher is late, and
 * a cash count found too little; the third was handed over and closed.
 */
async function addPettyCashFunds(trx: Trx, people: DemoActorsByName): Promise<void> {
  const { teresa: chief, ana: accountant, claudia: holder, fernando: resident } = people;
  const { today } = chief;
  const [source] = await trx.selectFrom('funding_sources').select('id').orderBy('id').limit(1).execute();
  const jobs = await trx.selectFrom('jobs').select(['id', 'jobtitle']).orderBy('id').limit(3).execute();
  const rubros = await trx.selectFrom('rubros').select('id').orderBy('id').limit(3).execute();
  const openFund = async (index: number, responsableId: number, pesos: number) => {
    const fund = await createFund(
      trx,
      accountant,
      {
        nombre: `Caja ${jobs[index]!.jobtitle}`.slice(0, 120),
        responsableId,
        jobId: jobs[index]!.id,
        montofijoCents: pesos * 100,
        topeCents: 150_000,
        origenderecursoId: source!.id,
        openedOn: addDays(today, -30),
      },
      pesos * 100,
    );
    const [requestedFund] = await listReplenishments(trx, fund.id);
    if (requestedFund?.estado === 'solicitada') await authorizeReplenishment(trx, chief, requestedFund.id);
    return fund;
  };
  const recordExpenses = async (
    actor: Actor,
    fundId: number,
    index: number,
    expenses: readonly Expense[],
  ) => {
    for (const [daysAgo, concepto, beneficiario, importeCents, more] of expenses) {
      const draft = { fecha: addDays(today, -daysAgo), concepto, beneficiario, importeCents, ...more };
      await createMovement(trx, actor, fundId, { jobId: jobs[index]!.id, comprobante: 'nota', ...draft });
    }
  };

  const requestedFund = await openFund(0, holder.userId, 5_000);
  const [first, , third] = rubros.map(({ id }) => ({ rubroId: id }));
  await recordExpenses(holder, requestedFund.id, 0, [
    [12, 'Alambre recocido', 'Ferretería La Palma', 86_000, { ...first, folio: 'N-412' }],
    [9, 'Gasolina para revolvedora', 'Gasolinera Cumbres', 120_000, { ...first, folio: 'N-409' }],
    [5, 'Garrafones de agua', 'Agua Purificada Regia', 36_000, { ...third, folio: 'N-405' }],
  ]);
  await requestReplenishment(trx, holder, requestedFund.id, {});
  const uuid = '3F2504E0-4F89-41D3-9A0C-0305E82C3301';
  const receipt = { comprobante: 'cfdi', uuid, folio: 'FP-2291', ivaCents: 8_000 } as const;
  await recordExpenses(holder, requestedFund.id, 0, [
    [1, 'Brocas y disco de corte', 'Ferretería La Palma', 58_000, { ...first, ...receipt }],
  ]);

  const awaitingFund = await openFund(1, resident.userId, 4_000);
  const none = { comprobante: 'ninguno' } as const;
  await recordExpenses(resident, awaitingFund.id, 1, [
    [14, 'Anticipo de fletes, por comprobar', 'Fletes Hermanos Garza', 150_000, none],
    [2, 'Viáticos del topógrafo', 'Ing. Sergio Villarreal', 80_000, none],
  ]);
  await countCash(trx, chief, awaitingFund.id, {
    denominaciones: { '500': 2, '200': 3, '50': 1, '20': 1 },
    sorpresa: true,
    comments: 'Conteo en la obra, con el residente presente',
  });

  const closedFund = await openFund(2, holder.userId, 2_000);
  const denominaciones = { '500': 4 };
  await handOverFund(trx, chief, closedFund.id, { responsableId: resident.userId, denominaciones });
  await closeFund(trx, chief, closedFund.id, undefined, { denominaciones, comments: 'Terminó la obra' });
}

type Expense = readonly [
  daysAgo: number,
  concepto: string,
  beneficiario: string,
  cents: number,
  more: MovementFieldValues,
];

/** They are in order of arrival; an invoice has its rubro, and the day on which it came, counted from today. */
const DEMO_DOCUMENTS: readonly (readonly [name: string, rubro?: string, received?: number])[] = [
  ['NC-104'],
  ['CP-7741', 'Concreto', -11],
  ['MC-30218', 'Cemento y agregados', -5],
  ['V-1187', 'Instalación eléctrica', -3],
  ['AT-5520', 'Acero', -2],
  ['NC-88'],
  ['P-902'],
  ['HP-37', 'Proyectos y permisos', -2],
  ['MS-212', 'Mano de obra', -2],
  ['FM-905', 'Fletes y acarreos', -2],
];

/**
 * The payments of these invoices make the report of withholdings: HP-37 withholds what it has to, MS-212 withholds
 * nothing although its issuer is RESICO, and FM-905 withholds the 4 % of a freight.
 */
const PAID_CENTS_BY_NUMBER: Readonly<Record<string, Cents>> = {
  'HP-37': 1_906_667,
  'MS-212': 928_000,
  'FM-905': 560_000,
};

async function importDemoDocuments(trx: Trx, actor: Actor): Promise<void> {
  const { today } = actor;
  const jobs = trx.selectFrom('jobs').select('id').where('jobstartdate', '<=', today);
  const { id: jobId } = await jobs.orderBy('jobstartdate', 'desc').limit(1).executeTakeFirstOrThrow();
  const rubros = await trx.selectFrom('rubros').select(['id', 'nombrerubro']).execute();
  const source = await trx.selectFrom('funding_sources').select('id').orderBy('id').executeTakeFirstOrThrow();
  for (const [name, rubro, received] of DEMO_DOCUMENTS) {
    const [invoiceId] = await importDocuments(
      trx,
      actor,
      [[`${name}.xml`, readCompanyFile(`${name}.xml`, today)]],
      {
        jobId,
        rubroId: rubros.find(({ nombrerubro }) => nombrerubro === rubro)?.id,
        fecharecepcion: received === undefined ? undefined : addDays(today, received),
        fundingSourceId: source.id,
      },
    );
    // Half of its dollars is paid, at the rate of that day, 18.6050.
    if (name === 'V-1187')
      await createPayment(trx, actor, {
        facturaproveedorId: invoiceId!,
        origenderecursoId: source.id,
        paymentdate: addDays(today, -1),
        checknum: 'SPEI 70412',
        importemonedaCents: 280_140,
        importebancoCents: 5_212_005,
      });
    if (name in PAID_CENTS_BY_NUMBER)
      await createPayment(trx, actor, {
        facturaproveedorId: invoiceId!,
        origenderecursoId: source.id,
        paymentdate: addDays(today, -1),
        amountCents: PAID_CENTS_BY_NUMBER[name]!,
      });
    const filename = `${name}.pdf`;
    if (name === 'CP-7741')
      await attachFile(trx, actor, invoiceId!, {
        filename,
        bytes: Buffer.from(readCompanyFile(filename, today)),
      });
  }
}

/** Suppliers send their receipts some weeks after a payment: those of the last twenty days have not come. */
const DAYS_UNTIL_RECEIPT = 20;

async function importPaymentReceipts(trx: Trx, actor: Actor): Promise<void> {
  const paid = await trx
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'facturaproveedorId')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .select(['suppliername', 'suppliers.rfc', 'invoices.uuid as invoiceUuid', 'paymentdate', 'amountCents'])
    .where('metodopago', '=', 'PPD')
    .where('kind', '=', 'pago')
    .where('paymentdate', '<=', addDays(actor.today, -DAYS_UNTIL_RECEIPT))
    .orderBy('payments.id')
    .execute();
  const template = readCompanyFile('recibo.xml', actor.today);
  const receipts = paid.map(({ amountCents, ...payment }, index) => {
    const name = `P-${501 + index}`;
    const values: Record<string, string | null> = {
      ...payment,
      folio: String(501 + index),
      uuid: deriveUuid(name),
      fecha: addDays(payment.paymentdate, 5),
      pagado: toDecimalText(amountCents),
    };
    return [`${name}.xml`, template.replace(/\{(\w+)\}/g, (_, key) => values[key]!)] as const;
  });
  // Receipts belong to no obra, but the option is required.
  await importDocuments(trx, actor, receipts, { jobId: 0 });
}

/** @returns the ids of the invoices; 0 for other documents */
async function importDocuments(
  trx: Trx,
  actor: Actor,
  files: readonly (readonly [name: string, xml: string])[],
  options: Parameters<typeof importCfdi>[3],
): Promise<number[]> {
  const documents = files.map(([name, xml]) => ({ name, bytes: Buffer.from(xml) }));
  const source = files.length === 1 ? files[0]![0] : 'empresa de demostración';
  const { files: outcomes } = await importCfdi(trx, actor, documents, { ...options, source });
  return outcomes.map(({ file, outcome, reason = '', invoiceId = 0 }) => {
    if (outcome === 'refused') throw new Error(`${file}: ${toPlainText(reason)}`);
    return invoiceId;
  });
}
