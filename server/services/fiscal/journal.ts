import { sql } from 'kysely';
import { bankAmountExpression, creditCostExpression } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import { addDays, type Instant, type PlainDate, plainDateIn, startOfNextDay } from '../../../shared/dates.ts';
import { type Cents, divideHalfUp, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import type { Period } from '../../../shared/periods.ts';
import { type Movement, movementKindLabel, signedAmountOf } from '../../../shared/petty-cash.ts';
import { fold } from '../../../shared/text.ts';
import { pages } from '../../../shared/urls.ts';
import { readMovements } from '../petty-cash/reading.ts';
import { readSettings } from '../settings/settings.ts';
import type { JournalKind } from './labels.ts';
import { type LedgerAccounts, readLedgerAccounts } from './ledger-accounts.ts';

/** A positive amount is a cargo, a negative one an abono. */
interface Posting {
  account: string;
  cents: Cents;
}

/** Its postings sum to zero. */
interface JournalEntry {
  /** names the row that it is made from, such as F-12: its kind and id */
  code: string;
  fecha: PlainDate;
  concepto: string;
  nombre: string;
  uuid: string | null;
  href: string;
  postings: Posting[];
}

export type JournalRow = Omit<JournalEntry, 'postings'> & Posting;

interface JournalSummary {
  /** the number of entries */
  cuenta: number;
  /** the sum of all cargos */
  totalCents: Cents;
  cuadra: boolean;
}

export interface MonthlyJournal extends JournalSummary {
  month: Period;
  moneda: string;
  entries: JournalEntry[];
  rows: JournalRow[];
  accounts: { cuenta: string; cargoCents: Cents; abonoCents: Cents }[];
}

/**
 * The entries of a month, made from the current rows. Deleted rows have no entry, so each account adds up to what a
 * report of the same moment says.
 */
export const readJournal = (db: Db, month: Period, timeZone: string): Promise<MonthlyJournal> =>
  inSnapshot(db, async (snapshot) => {
    const { moneda, ...settings } = await readSettings(snapshot);
    const entries = [...(await readEntries(snapshot, month, timeZone, settings))];
    entries.sort((one, other) => (one.fecha < other.fecha ? -1 : one.fecha > other.fecha ? 1 : 0));
    return { month, moneda, entries, rows: toRows(entries), ...sumEntries(entries) };
  });

const toRows = (entries: readonly JournalEntry[]): JournalRow[] =>
  entries.flatMap(({ postings, ...entry }) => postings.map((posting) => ({ ...entry, ...posting })));

export interface JournalFilter {
  /** part of an entry's code, text or name, or one of its amounts */
  q?: string;
  tipo?: JournalKind;
  cuenta?: string;
}

/** The entries stay whole, so that they can be posted, but with `cuenta` only the rows of that account remain. */
export function filterJournal(
  journal: MonthlyJournal,
  { q = '', tipo = '' as JournalKind, cuenta }: JournalFilter,
): MonthlyJournal {
  const toSearchText = (text: string) => fold(text).replace(/[$,]/g, '');
  const searched = toSearchText(q);
  const entries = journal.entries.filter(({ code, concepto, nombre, postings }) => {
    if (!code.startsWith(tipo) || (cuenta && postings.every(({ account }) => account !== cuenta)))
      return false;
    const amounts = postings.map(({ cents }) => formatMoney(Math.abs(cents)));
    return (
      !searched || [code, concepto, nombre, ...amounts].some((text) => toSearchText(text).includes(searched))
    );
  });
  const rows = toRows(entries).filter(({ account }) => !cuenta || account === cuenta);
  return { ...journal, entries, rows, ...sumEntries(entries) };
}

export const readJournalSummary = (db: Db, month: Period, timeZone: string): Promise<JournalSummary> =>
  inSnapshot(db, async (snapshot) =>
    sumEntries(await readEntries(snapshot, month, timeZone, await readSettings(snapshot))),
  );

/** Yields each entry as it is asked for, because a summary keeps none. */
async function readEntries(
  db: Db,
  month: Period,
  timeZone: string,
  settings: Parameters<typeof readLedgerAccounts>[1],
): Promise<IteratorObject<JournalEntry>> {
  const accounts = await readLedgerAccounts(db, settings);
  const movements = await readMovements(db, sql`m.fecha between ${month.from} and ${month.to}`);
  const ofInvoices = await readInvoiceEntries(db, month, timeZone, accounts);
  const ofMovements = movements.values().map((movement) => toPettyCashEntry(movement, accounts));
  return [ofInvoices, ofMovements]
    .values()
    .flatMap((entries) => entries.filter(({ postings }) => postings.length > 0));
}

function sumEntries(entries: Iterable<JournalEntry>): JournalSummary & Pick<MonthlyJournal, 'accounts'> {
  const sums = new Map<string, MonthlyJournal['accounts'][number]>();
  let cuenta = 0;
  let cuadra = true;
  for (const { postings } of entries) {
    cuenta++;
    let balanceCents = 0;
    for (const { account: cuenta, cents } of postings) {
      const sum = sums.get(cuenta) ?? { cuenta, cargoCents: 0, abonoCents: 0 };
      sum[cents > 0 ? 'cargoCents' : 'abonoCents'] += Math.abs(cents);
      sums.set(cuenta, sum);
      balanceCents += cents;
    }
    cuadra &&= balanceCents === 0;
  }
  const accounts = [...sums.values()].sort((one, other) => one.cuenta.localeCompare(other.cuenta, 'es'));
  return {
    accounts,
    cuenta,
    totalCents: accounts.reduce((sum, { cargoCents }) => sum + cargoCents, 0),
    cuadra,
  };
}

interface InvoiceRow {
  id: number;
  numfactura: string;
  suppliername: string;
  uuid: string | null;
  fechaemision: PlainDate | null;
  createdAt: Instant;
  totalCents: Cents;
  ivaCents: Cents;
  retencionesCents: Cents;
}

/** A settlement is anything that reduces what an invoice owes. */
interface SettlementRow
  extends Pick<Payment, 'id' | 'kind' | 'paymentdate' | 'checknum' | 'amountCents' | 'origenderecursoId'> {
  invoiceId: number;
  bankCents: Cents;
  /** the members below are of a credit note; `costCents` is the cost that the applied part subtracts */
  numero: string | null;
  noteUuid: string | null;
  costCents: Cents | null;
  noteTotalCents: Cents | null;
  noteWithheldCents: Cents | null;
}

/**
 * The shares of a payment depend on all earlier payments, so invoices with an entry in the month are read with all
 * their payments.
 */
async function readInvoiceEntries(
  db: Db,
  { from, to }: Period,
  timeZone: string,
  accounts: LedgerAccounts,
): Promise<IteratorObject<JournalEntry>> {
  const [start, end] = [startOfNextDay(addDays(from, -1), timeZone), startOfNextDay(to, timeZone)];
  const chosen = sql`(select id from invoices where fechaemision between ${from} and ${to}
    union all select id from invoices where fechaemision is null and "createdAt" >= ${start} and "createdAt" < ${end}
    union all select "facturaproveedorId" from payments where paymentdate between ${from} and ${to})`;
  const { rows: invoices } = await sql<InvoiceRow>`
    select i.id, i.numfactura, s.suppliername, i.uuid, i.fechaemision, i."createdAt", i."totalCents", i."ivaCents",
      i."retencionesCents"
    from invoices i join suppliers s on s.id = i."supplierId" where i.id in ${chosen} order by i.id`.execute(
    db,
  );
  const { rows: settlements } = await sql<SettlementRow>`
    select p.id, p.kind, p.paymentdate, p.checknum, p."amountCents", p."origenderecursoId",
      p."facturaproveedorId" as "invoiceId", ${bankAmountExpression('p')} as "bankCents",
      n.numero, n.uuid as "noteUuid", n."totalCents" as "noteTotalCents", n."retencionesCents" as "noteWithheldCents",
      case when n.id is not null then ${creditCostExpression('p', 'n')} end as "costCents"
    from payments p left join credit_notes n on n.id = p."creditNoteId"
    where p."facturaproveedorId" in ${chosen} order by p.paymentdate, p.id`.execute(db);
  const byInvoice = Map.groupBy(settlements, ({ invoiceId }) => invoiceId);
  return invoices.values().flatMap((invoice) => {
    const day = invoice.fechaemision ?? plainDateIn(new Date(invoice.createdAt), timeZone);
    return buildInvoiceEntries({ ...invoice, day }, byInvoice.get(invoice.id) ?? [], accounts, { from, to });
  });
}

/**
 * @param settlements all payments and credits of the invoice, oldest first
 * @param period the days whose entries are returned
 */
function buildInvoiceEntries(
  invoice: InvoiceRow & { day: PlainDate },
  settlements: readonly SettlementRow[],
  accounts: LedgerAccounts,
  period: Period,
): JournalEntry[] {
  const { id, day, totalCents, suppliername: nombre } = invoice;
  const isInPeriod = (fecha: PlainDate) => fecha >= period.from && fecha <= period.to;
  const name = `factura ${invoice.numfactura || `#${id}`}`;
  // Each payment takes its share of the debt, of the pending IVA and of the pending withholdings; this is the rest.
  const left = { debt: totalCents, iva: invoice.ivaCents, withheld: invoice.retencionesCents };
  const about = { nombre, uuid: invoice.uuid, href: pages.editInvoice(id) };
  const entries: JournalEntry[] = [];
  if (isInPeriod(day))
    entries.push({
      ...{ ...about, code: `F-${id}`, fecha: day, concepto: `Factura ${invoice.numfactura || `#${id}`}` },
      postings: mergePostings([
        [accounts.costo, totalCents - left.iva + left.withheld],
        [accounts.ivaPendiente, left.iva],
        [accounts.retencionesPendientes, -left.withheld],
        [accounts.proveedores, -totalCents],
      ]),
    });
  for (const settlement of settlements) {
    const { paymentdate, amountCents, bankCents, costCents, checknum } = settlement;
    const isNote = settlement.kind === 'credito';
    const isEarly = paymentdate < day;
    const withheld = isNote
      ? computeShare(settlement.noteWithheldCents!, amountCents, settlement.noteTotalCents!)
      : 0;
    const iva = isNote ? amountCents - costCents! + withheld : 0;
    left.iva -= iva;
    left.withheld -= withheld;
    // A credit note moves tax from pending to paid only if it settles the invoice. Then it moves all that is left.
    const part = isNote && amountCents < left.debt ? 0 : amountCents;
    const moved = {
      iva: computeShare(left.iva, part, left.debt),
      withheld: computeShare(left.withheld, part, left.debt),
    };
    left.debt -= amountCents;
    left.iva -= moved.iva;
    left.withheld -= moved.withheld;
    const settled: UnmergedPosting[] = isNote
      ? [
          [accounts.costo, -costCents!],
          [accounts.ivaPendiente, -iva],
          [accounts.retencionesPendientes, withheld],
        ]
      : [
          [accounts.cambiaria, bankCents - amountCents],
          [accounts.sourceOf(settlement.origenderecursoId, paymentdate), -bankCents],
        ];
    const taxes: UnmergedPosting[] = [
      [accounts.ivaAcreditado, moved.iva],
      [accounts.ivaPendiente, -moved.iva],
      [accounts.retencionesPendientes, moved.withheld],
      [accounts.retenciones, -moved.withheld],
    ];
    const code = `${isNote ? 'N' : 'P'}-${settlement.id}`;
    if (isInPeriod(paymentdate))
      entries.push({
        ...{ ...about, code, fecha: paymentdate },
        ...(isNote
          ? { concepto: `Nota de crédito ${settlement.numero} a la ${name}`, uuid: settlement.noteUuid }
          : {
              concepto: `Pago de la ${name}${checknum && `, ref. ${checknum}`}`,
              href: pages.editPayment(settlement.id),
            }),
        postings: mergePostings([
          [isEarly ? accounts.anticipos : accounts.proveedores, amountCents],
          ...settled,
          ...(isEarly ? [] : taxes),
        ]),
      });
    if (isEarly && isInPeriod(day))
      entries.push({
        ...{ ...about, code, fecha: day, concepto: `Anticipo aplicado a la ${name}` },
        postings: mergePostings([
          [accounts.proveedores, amountCents],
          [accounts.anticipos, -amountCents],
          ...taxes,
        ]),
      });
  }
  return entries;
}

function toPettyCashEntry(movement: Movement, accounts: LedgerAccounts): JournalEntry {
  const { id, fundId, tipo, fecha, origenderecursoId, subtotalCents, ivaCents, comprobante } = movement;
  const effectCents = signedAmountOf(movement);
  const other: UnmergedPosting[] =
    tipo === 'gasto'
      ? [
          [accounts.costo, subtotalCents],
          // IVA can be credited only with a CFDI.
          [comprobante === 'cfdi' ? accounts.ivaAcreditado : accounts.ivaPendiente, ivaCents],
        ]
      : tipo === 'ajuste' && origenderecursoId === null
        ? [[accounts.diferenciasDeCaja, -effectCents]]
        : [[accounts.sourceOf(origenderecursoId, fecha), -effectCents]];
  return {
    ...{ code: `C-${id}`, fecha, uuid: movement.uuid, href: pages.pettyCashMovement(id) },
    concepto: `${movementKindLabel(tipo)}: ${movement.concepto}`,
    nombre: movement.beneficiario,
    postings: mergePostings([...other, [accounts.fundOf(fundId), effectCents]]),
  };
}

type UnmergedPosting = [account: string, cents: Cents];

function mergePostings(parts: readonly UnmergedPosting[]): Posting[] {
  const merged: Posting[] = [];
  for (const [account, cents] of parts) {
    const same = merged.find((posting) => posting.account === account);
    if (same) same.cents += cents;
    else merged.push({ account, cents });
  }
  return merged.filter(({ cents }) => cents !== 0);
}

const computeShare = (cents: Cents, part: Cents, whole: Cents): Cents =>
  part === whole ? cents : divideHalfUp(BigInt(cents) * BigInt(part), BigInt(whole));
