import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { withQuery } from '../../../shared/urls.ts';
import type { BusinessDay } from '../invoices/reading.ts';
import { readSettings } from '../settings/settings.ts';
import { crossStateOf, PENDING_GROUPS, readCross } from './cross.ts';
import { countByCause, DIOT_CAUSES, diotStateOf, readDiot } from './diot.ts';
import { summarizeJournal } from './journal.ts';
import { CROSS_LABELS, type FiscalState, fiscalPaths } from './labels.ts';
import { readListing } from './list-69b.ts';
import { readReceiptsDue } from './receipts-due.ts';
import { readWithheld, withheldStateOf } from './withheld.ts';

/** How one subject of the fiscal desk stands in a month. */
export interface FiscalCard {
  tema: FiscalSubject;
  href: string;
  cuenta: number;
  totalCents: Cents;
  estado: FiscalState;
  /** what somebody has to do something about, the most urgent first */
  pendientes: { label: string; cuenta: number; href: string }[];
}

export const FISCAL_SUBJECTS = {
  cruce: 'Cruce con el SAT',
  rep: 'REP pendientes',
  lista69b: 'Lista 69-B',
  diot: 'DIOT',
  retenciones: 'Retenciones',
  polizas: 'Pólizas',
} as const;
type FiscalSubject = keyof typeof FISCAL_SUBJECTS;

export async function readFiscalMonth(
  db: Db,
  month: Period,
  { today, timeZone }: BusinessDay,
): Promise<FiscalCard[]> {
  const settings = await readSettings(db);
  return [
    await readCrossCard(db, month, settings.rfc),
    await readReceiptsCard(db, month.to < today ? month.to : today),
    await readListCard(db, month),
    await readDiotCard(db, month, settings.rfc),
    await readWithheldCard(db, month, settings.rfc),
    await readJournalCard(db, month, timeZone),
  ];
}

/** Without the firm's own RFC the month is open, and the page of the cross says what is missing. */
async function readCrossCard(db: Db, month: Period, rfc: string): Promise<FiscalCard> {
  const mes = month.from.slice(0, 7);
  const card = { tema: 'cruce', href: withQuery(fiscalPaths.cross, { mes }) } as const;
  if (!rfc) return { ...card, cuenta: 0, totalCents: 0, estado: 'abierto', pendientes: [] };
  const cross = await readCross(db, month, { rfc });
  const pendientes = PENDING_GROUPS.filter((que) => cross[que].cuenta > 0).map((que) => ({
    ...{ label: CROSS_LABELS[que], cuenta: cross[que].cuenta },
    href: withQuery(fiscalPaths.cross, { mes, que }),
  }));
  return { ...card, ...cross.sat, estado: crossStateOf(cross), pendientes };
}

/** What no receipt stated by then, of that month and of those before it. */
async function readReceiptsCard(db: Db, corte: PlainDate): Promise<FiscalCard> {
  const { cuenta, faltaCents: totalCents, rows } = await readReceiptsDue(db, corte);
  const href = withQuery(fiscalPaths.receipts, { corte });
  const late = rows.filter(({ atraso }) => atraso > 0).length;
  const pendientes = late > 0 ? [{ label: 'Vencidos', cuenta: late, href }] : [];
  const estado = cuenta === 0 ? 'cuadrado' : late > 0 ? 'pendientes' : 'abierto';
  return { tema: 'rep', href, cuenta, totalCents, estado, pendientes };
}

/** The payments of the month to suppliers that are Definitivo by now. */
async function readListCard(db: Db, { from, to }: Period): Promise<FiscalCard> {
  const { corte, pagos } = await readListing(db);
  const paid = pagos.filter(({ fecha }) => fecha >= from && fecha <= to);
  const [cuenta, href] = [paid.length, fiscalPaths.list69b];
  return {
    ...{ tema: 'lista69b', href, cuenta, totalCents: paid.reduce((sum, one) => sum + one.pagadoCents, 0) },
    estado: corte === null ? 'abierto' : cuenta > 0 ? 'pendientes' : 'cuadrado',
    pendientes: cuenta > 0 ? [{ label: 'Pagos a Definitivos', cuenta, href }] : [],
  };
}

async function readDiotCard(db: Db, month: Period, rfc: string): Promise<FiscalCard> {
  const mes = month.from.slice(0, 7);
  const card = { tema: 'diot', href: withQuery(fiscalPaths.diot, { mes }) } as const;
  if (!rfc) return { ...card, cuenta: 0, totalCents: 0, estado: 'abierto', pendientes: [] };
  const diot = await readDiot(db, month, { rfc });
  const pendientes = countByCause(diot.noReportado.rows).map(({ causa, cuenta }) => ({
    ...{ label: DIOT_CAUSES[causa], cuenta },
    href: withQuery(fiscalPaths.diot, { mes, causa }),
  }));
  return {
    ...card,
    cuenta: diot.cuenta,
    totalCents: diot.pagadoCents,
    estado: diotStateOf(diot),
    pendientes,
  };
}

async function readWithheldCard(db: Db, month: Period, rfc: string): Promise<FiscalCard> {
  const href = withQuery(fiscalPaths.withheld, { mes: month.from.slice(0, 7) });
  const card = { tema: 'retenciones', href } as const;
  if (!rfc) return { ...card, cuenta: 0, totalCents: 0, estado: 'abierto', pendientes: [] };
  const withheld = await readWithheld(db, month, { rfc });
  const { rows, difieren: cuenta, esperadoCents: totalCents } = withheld;
  const pendientes = cuenta > 0 ? [{ label: 'Difieren', cuenta, href }] : [];
  return { ...card, cuenta: rows.length, totalCents, estado: withheldStateOf(withheld), pendientes };
}

async function readJournalCard(db: Db, month: Period, timeZone: string): Promise<FiscalCard> {
  const { cuenta, totalCents, cuadra } = await summarizeJournal(db, month, timeZone);
  const href = withQuery(fiscalPaths.journal, { mes: month.from.slice(0, 7) });
  const estado = cuadra ? 'cuadrado' : 'pendientes';
  return { tema: 'polizas', href, cuenta, totalCents, estado, pendientes: [] };
}
