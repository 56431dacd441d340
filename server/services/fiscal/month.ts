import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { withQuery } from '../../../shared/urls.ts';
import type { BusinessDay } from '../invoices/reading.ts';
import { readSettings } from '../settings/settings.ts';
import { crossStateOf, PENDING_GROUPS, readCross } from './cross.ts';
import { countByCause, DIOT_CAUSES, diotStateOf, toDiot } from './diot.ts';
import { summarizeJournal } from './journal.ts';
import {
  CROSS_LABELS,
  FISCAL_SUBJECTS,
  type FiscalState,
  type FiscalSubject,
  fiscalPaths,
} from './labels.ts';
import { readListing } from './list-69b.ts';
import { type Paid, readPaid } from './paid.ts';
import { readReceiptsDue } from './receipts-due.ts';
import { toWithheld, withheldStateOf } from './withheld.ts';

/** How one subject of the fiscal desk stands in a month. */
export interface FiscalCard {
  tema: FiscalSubject;
  href: string;
  cuenta: number;
  totalCents: Cents;
  estado: FiscalState;
  /** what somebody has to do something about, the most urgent first */
  pendientes: { label: string; cuenta: number; href: string; isOfOtherMonths?: true }[];
}

interface MonthContext {
  db: Db;
  month: Period;
  /** 2026-11 */
  mes: string;
  /** the last day of the month that has come */
  corte: PlainDate;
  timeZone: string;
  /** the firm's own; '' is for those alone that need none */
  rfc: string;
  /** the payments of the month and their CFDI, which are read for the first subject that needs them */
  readPaid(): Promise<Paid[]>;
}

interface Subject {
  href(context: MonthContext): string;
  needsRfc?: true;
  read(context: MonthContext, href: string): Promise<Omit<FiscalCard, 'tema' | 'href'>>;
}

/** @param subjects all by default */
export async function readFiscalMonth(
  db: Db,
  month: Period,
  { today, timeZone }: BusinessDay,
  subjects: readonly FiscalSubject[] = keysOf(FISCAL_SUBJECTS),
): Promise<FiscalCard[]> {
  const { rfc } = await readSettings(db);
  const corte = month.to < today ? month.to : today;
  let paid: Promise<Paid[]> | undefined;
  const readMonthPaid = () => {
    paid ??= readPaid(db, month);
    return paid;
  };
  const mes = month.from.slice(0, 7);
  const context = { db, month, mes, corte, timeZone, rfc: normalizeRfc(rfc), readPaid: readMonthPaid };
  const cards: FiscalCard[] = [];
  for (const tema of subjects) {
    const { needsRfc, ...subject } = SUBJECTS[tema];
    const href = subject.href(context);
    const read = needsRfc && !rfc ? UNKNOWN : await subject.read(context, href);
    cards.push({ tema, href, ...read });
  }
  return cards;
}

const UNKNOWN: Omit<FiscalCard, 'tema' | 'href'> = {
  ...{ cuenta: 0, totalCents: 0 },
  estado: 'abierto',
  pendientes: [],
};

const ofMonth = (path: string) => (context: MonthContext) => withQuery(path, { mes: context.mes });

const SUBJECTS: Record<FiscalSubject, Subject> = {
  cruce: {
    href: ofMonth(fiscalPaths.cross),
    needsRfc: true,
    async read({ db, month, mes, rfc }) {
      const cross = await readCross(db, month, { rfc });
      const pendientes = PENDING_GROUPS.filter((que) => cross[que].cuenta > 0).map((que) => ({
        ...{ label: CROSS_LABELS[que], cuenta: cross[que].cuenta },
        href: withQuery(fiscalPaths.cross, { mes, que }),
      }));
      return { ...cross.sat, estado: crossStateOf(cross), pendientes };
    },
  },
  /** What no receipt stated by then, of that month and of those before it. */
  rep: {
    href: ({ corte }) => withQuery(fiscalPaths.receipts, { corte }),
    async read({ db, corte }, href) {
      const { cuenta, faltaCents: totalCents, rows } = await readReceiptsDue(db, corte);
      const late = rows.filter(({ atraso }) => atraso > 0).length;
      const pendientes = late > 0 ? [{ label: 'Vencidos', cuenta: late, href }] : [];
      return { cuenta, totalCents, estado: stateOf(late, cuenta > 0), pendientes };
    },
  },
  /** The payments of the month to suppliers that are Definitivo by now. Those of other months are still to be corrected. */
  lista69b: {
    href: () => fiscalPaths.list69b,
    async read({ db, month: { from, to } }, href) {
      const { corte, pagos, proveedores } = await readListing(db);
      const paid = pagos.filter(({ fecha }) => fecha >= from && fecha <= to);
      const cuenta = paid.length;
      const presuntos = proveedores.filter(({ situacion }) => situacion === 'presunto').length;
      const isOfOtherMonths = true as const;
      const pendientes = [
        { label: 'Pagos a Definitivos', cuenta, href },
        { label: 'Pagos a Definitivos en otros meses', cuenta: pagos.length - cuenta, href, isOfOtherMonths },
        { label: 'Presuntos', cuenta: presuntos, href, isOfOtherMonths },
      ].filter((one) => one.cuenta > 0);
      return {
        ...{ cuenta, totalCents: paid.reduce((sum, { pagadoCents }) => sum + pagadoCents, 0) },
        estado: stateOf(pendientes.length, corte === null),
        pendientes,
      };
    },
  },
  diot: {
    href: ofMonth(fiscalPaths.diot),
    needsRfc: true,
    async read({ month, mes, rfc, readPaid: read }) {
      const diot = toDiot(month, await read(), rfc);
      const pendientes = countByCause(diot.noReportado.rows).map(({ causa, cuenta }) => ({
        ...{ label: DIOT_CAUSES[causa], cuenta },
        href: withQuery(fiscalPaths.diot, { mes, causa }),
      }));
      const { cuenta, pagadoCents: totalCents } = diot;
      return { cuenta, totalCents, estado: diotStateOf(diot), pendientes };
    },
  },
  retenciones: {
    href: ofMonth(fiscalPaths.withheld),
    needsRfc: true,
    async read({ month, rfc, readPaid: read }, href) {
      const withheld = toWithheld(month, await read(), rfc);
      const { rows, difieren, sinRevisar, esperadoCents: totalCents } = withheld;
      const pendientes = [
        { label: 'Sin revisar', cuenta: sinRevisar.cuenta, href },
        { label: 'Difieren', cuenta: difieren, href },
      ].filter(({ cuenta }) => cuenta > 0);
      return { cuenta: rows.length, totalCents, estado: withheldStateOf(withheld), pendientes };
    },
  },
  polizas: {
    href: ofMonth(fiscalPaths.journal),
    async read({ db, month, timeZone }) {
      const { cuenta, totalCents, cuadra } = await summarizeJournal(db, month, timeZone);
      return { cuenta, totalCents, estado: stateOf(cuadra ? 0 : 1, cuenta === 0), pendientes: [] };
    },
  },
};

const stateOf = (pending: number, isOpen: boolean): FiscalState =>
  pending > 0 ? 'pendientes' : isOpen ? 'abierto' : 'cuadrado';
