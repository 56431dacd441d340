import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { withQuery } from '../../../shared/urls.ts';
import type { TodayAndTimeZone } from '../invoices/reading.ts';
import { readSettings } from '../settings/settings.ts';
import {
  crossCheckStateOf,
  excludeRepeatedDocuments,
  PENDING_GROUPS,
  readCrossCheck,
} from './cross-check.ts';
import { buildDiot, countByCause, diotStateOf, EXCLUSION_CAUSES } from './diot.ts';
import { readJournalSummary } from './journal.ts';
import {
  CROSS_CHECK_GROUP_LABELS,
  FISCAL_SUBJECTS,
  type FiscalCardSubject,
  type FiscalState,
  fiscalPaths,
} from './labels.ts';
import { countAndSumPresuntos, pickNextCorrectionDeadline, readList69bReport } from './list-69b.ts';
import { type PaymentWithCfdi, readPaymentsWithCfdi } from './payments-with-cfdi.ts';
import { readReceiptsDue } from './receipts-due.ts';
import { buildWithholdingReport, withholdingStateOf } from './withholdings.ts';

export interface FiscalCard {
  tema: FiscalCardSubject;
  href: string;
  cuenta: number;
  totalCents: Cents;
  estado: FiscalState;
  /** what is missing, so that nothing can be counted and the figures are 0 */
  falta?: string;
  /** set if the deadline depends on the rows and not on the month */
  plazo?: PlainDate | null;
  /** what needs action, the most urgent first; `isUrgent`: it is late, or the SAT sets a deadline */
  pendientes: {
    label: string;
    cuenta: number;
    /** the sum of what is counted, if it is known */
    totalCents?: Cents;
    /** present where the label does not say what is counted */
    noun?: readonly [one: string, many: string];
    href: string;
    isOfOtherMonths?: true;
    isUrgent?: true;
  }[];
}

interface MonthContext {
  db: Db;
  month: Period;
  /** 2026-11 */
  mes: string;
  /** the last day of the month, or today if that is earlier */
  corte: PlainDate;
  today: PlainDate;
  timeZone: string;
  /** the firm's own; '' if it is not known: then only subjects without `needsRfc` are read */
  rfc: string;
  /** the month's payments with their CFDI, read once a subject needs them */
  readPaid(): Promise<PaymentWithCfdi[]>;
}

interface SubjectReader {
  href(context: MonthContext): string;
  needsRfc?: true;
  read(context: MonthContext, href: string): Promise<Omit<FiscalCard, 'tema' | 'href'>>;
}

export async function readFiscalMonth(
  db: Db,
  month: Period,
  { today, timeZone }: TodayAndTimeZone,
  subjects: readonly FiscalCardSubject[] = keysOf(FISCAL_SUBJECTS),
): Promise<FiscalCard[]> {
  const { rfc } = await readSettings(db);
  const corte = month.to < today ? month.to : today;
  let paid: Promise<PaymentWithCfdi[]> | undefined;
  const readMonthPaid = () => {
    paid ??= readPaymentsWithCfdi(db, month);
    return paid;
  };
  const mes = month.from.slice(0, 7);
  const read = { timeZone, rfc: normalizeRfc(rfc), readPaid: readMonthPaid };
  const context = { db, month, mes, corte, today, ...read };
  return Promise.all(
    subjects.map(async (tema) => {
      const { needsRfc, ...subject } = SUBJECT_READERS[tema];
      const href = subject.href(context);
      return { tema, href, ...(needsRfc && !rfc ? CARD_WITHOUT_RFC : await subject.read(context, href)) };
    }),
  );
}

const CARD_WITHOUT_RFC: Omit<FiscalCard, 'tema' | 'href'> = {
  ...{ cuenta: 0, totalCents: 0 },
  estado: 'abierto',
  falta: 'Sin el RFC de la empresa',
  pendientes: [],
};

const UNREVIEWED_NOUN = ['pago sin revisar', 'pagos sin revisar'] as const;
const PRESUNTOS_NOUN = ['proveedor presunto', 'proveedores presuntos'] as const;

const URGENT_CARD = { isUrgent: true } as const;

const createMonthHref = (path: string) => (context: MonthContext) => withQuery(path, { mes: context.mes });

const SUBJECT_READERS: Record<FiscalCardSubject, SubjectReader> = {
  cruce: {
    href: createMonthHref(fiscalPaths.cross),
    needsRfc: true,
    async read({ db, month, mes, rfc }) {
      const cross = await readCrossCheck(db, month, { rfc });
      const pendientes = PENDING_GROUPS.map((que) => ({
        ...{ label: CROSS_CHECK_GROUP_LABELS[que], cuenta: excludeRepeatedDocuments(cross, que).cuenta },
        href: withQuery(fiscalPaths.cross, { mes, que }),
      })).filter(({ cuenta }) => cuenta > 0);
      const falta = cross.cortes.length === 0 ? 'Sin metadatos del mes' : undefined;
      return { ...cross.sat, estado: crossCheckStateOf(cross), falta, pendientes };
    },
  },
  /** Payments up to the end of the month that no receipt (REP) had stated by then. */
  rep: {
    href: ({ corte }) => withQuery(fiscalPaths.receipts, { corte }),
    async read({ db, corte }, href) {
      const { cuenta, faltaCents: totalCents, rows } = await readReceiptsDue(db, corte);
      const late = rows.filter(({ atraso }) => atraso > 0).length;
      const pendientes = late > 0 ? [{ label: 'Vencidos', cuenta: late, href, ...URGENT_CARD }] : [];
      return { cuenta, totalCents, estado: stateOf(late, cuenta > 0), pendientes };
    },
  },
  /** All payments to suppliers that are Definitivo now, as on the list's page; `pendientes` tells the month's apart. */
  lista69b: {
    href: () => fiscalPaths.list69b,
    async read({ db, month: { from, to }, today }, href) {
      const { corte, pagos, pagadoCents, proveedores } = await readList69bReport(db);
      const ofMonth = pagos.filter(({ fecha }) => fecha >= from && fecha <= to).length;
      const presuntos = countAndSumPresuntos(proveedores);
      const elsewhere = { href, isOfOtherMonths: true } as const;
      const pendientes = [
        { label: 'Pagos a Definitivos', cuenta: ofMonth, href, ...URGENT_CARD },
        {
          label: 'Pagos a Definitivos en otros meses',
          cuenta: pagos.length - ofMonth,
          ...elsewhere,
          ...URGENT_CARD,
        },
        {
          ...{ label: 'Presuntos', noun: PRESUNTOS_NOUN, cuenta: presuntos.count },
          ...{ totalCents: presuntos.cents, ...elsewhere },
        },
      ].filter((one) => one.cuenta > 0);
      return {
        ...{ cuenta: pagos.length, totalCents: pagadoCents },
        estado: stateOf(pendientes.length, corte === null),
        falta: corte === null ? 'Sin lista cargada' : undefined,
        plazo: pagos.length > 0 ? pickNextCorrectionDeadline(proveedores, today) : null,
        pendientes,
      };
    },
  },
  diot: {
    href: createMonthHref(fiscalPaths.diot),
    needsRfc: true,
    async read({ month, mes, rfc, readPaid: read }) {
      const diot = buildDiot(month, await read(), rfc);
      const pendientes = countByCause(diot.noReportado.rows).map(({ causa, cuenta }) => ({
        ...{ label: EXCLUSION_CAUSES[causa], cuenta },
        href: withQuery(fiscalPaths.diot, { mes, causa }),
      }));
      const { cuenta, pagadoCents: totalCents } = diot;
      return { cuenta, totalCents, estado: diotStateOf(diot), pendientes };
    },
  },
  retenciones: {
    href: createMonthHref(fiscalPaths.withheld),
    needsRfc: true,
    async read({ month, rfc, readPaid: read }, href) {
      const withheld = buildWithholdingReport(month, await read(), rfc);
      const { rows, difieren, sinRevisar, esperadoCents: totalCents } = withheld;
      const pendientes = [
        { label: 'Sin revisar', noun: UNREVIEWED_NOUN, cuenta: sinRevisar.cuenta, href },
        { label: 'Difieren', cuenta: difieren, href },
      ].filter(({ cuenta }) => cuenta > 0);
      return { cuenta: rows.length, totalCents, estado: withholdingStateOf(withheld), pendientes };
    },
  },
  polizas: {
    href: createMonthHref(fiscalPaths.journal),
    async read({ db, month, timeZone }) {
      const { cuenta, totalCents, cuadra } = await readJournalSummary(db, month, timeZone);
      return { cuenta, totalCents, estado: stateOf(cuadra ? 0 : 1, cuenta === 0), pendientes: [] };
    },
  },
};

const stateOf = (pending: number, isOpen: boolean): FiscalState =>
  pending > 0 ? 'pendientes' : isOpen ? 'abierto' : 'cuadrado';
