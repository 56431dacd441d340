import type { ListExport } from '../server/formats/sheets/list-export.ts';
import { catalogs } from '../shared/catalogs/all.ts';
import type { Catalog } from '../shared/catalogs/catalog.ts';
import type { PlainDate } from '../shared/dates.ts';
import { INVOICE_SORTS, type InvoiceSort, type StatusFilter } from '../shared/invoices.ts';
import { PAYMENT_SORTS, type PaymentKind, type PaymentSort, type ReceiptState } from '../shared/payments.ts';
import type { UserSort } from '../shared/users.ts';
import type { Opened } from './runtime.ts';

/** What a list may be narrowed by and sorted by, as it was typed. */
export interface Asked {
  number?: string;
  invoice?: string;
  supplier?: string;
  job?: string;
  rubro?: string;
  status?: string;
  kind?: string;
  rep?: string;
  from?: string;
  to?: string;
  dueFrom?: string;
  dueTo?: string;
  corte?: string;
  week?: string;
  year?: string;
  name?: string;
  fund?: string;
  sort?: string;
  desc?: boolean;
}

export type FilterName = Exclude<keyof Asked, 'sort' | 'desc'>;

/** A list as the command names it, what of the above it takes, and how it is read. */
export interface ExportedList {
  name: string;
  description: string;
  options: readonly FilterName[];
  /** what some of them mean here */
  says?: Partial<Record<FilterName, string>>;
  sorts: readonly string[];
  read(opened: Opened, asked: Asked, now: Date): Promise<ListExport<unknown>>;
}

/** The five lists by the command's names. */
const CATALOG_NAMES: Record<Catalog['noun'], string> = {
  suppliers: 'suppliers',
  clients: 'clients',
  jobs: 'jobs',
  rubros: 'rubros',
  'funding-sources': 'origenes',
};

export const EXPORTED_LISTS: readonly ExportedList[] = [
  {
    name: 'invoices',
    description: 'las facturas',
    options: ['number', 'supplier', 'job', 'rubro', 'status', 'from', 'to', 'dueFrom', 'dueTo', 'corte'],
    says: { number: 'parte del número de factura', from: 'emitidas desde ese día, AAAA-MM-DD' },
    sorts: INVOICE_SORTS,
    async read({ db, actor, timeZone }, asked, now) {
      const { invoicesExport } = await import('../server/services/exports/invoices.ts');
      const query = {
        numfactura: asked.number,
        supplierId: await idOf(db, 'suppliers', asked.supplier),
        jobId: await idOf(db, 'jobs', asked.job),
        rubroId: asked.rubro?.trim() === '0' ? 0 : await idOf(db, 'rubros', asked.rubro),
        status: asked.status as StatusFilter | undefined,
        fechaemisionDesde: await dayOf('--from', asked.from),
        fechaemisionHasta: await dayOf('--to', asked.to),
        fechavencimientoDesde: await dayOf('--due-from', asked.dueFrom),
        fechavencimientoHasta: await dayOf('--due-to', asked.dueTo),
        corte: await dayOf('--corte', asked.corte),
        ...orderOf<InvoiceSort>(asked),
      };
      return invoicesExport(db, query, { today: actor.today, timeZone }, now);
    },
  },
  {
    name: 'payments',
    description: 'los pagos',
    options: ['number', 'supplier', 'job', 'invoice', 'kind', 'rep', 'from', 'to'],
    says: { number: 'parte del número de cheque', from: 'pagados desde ese día, AAAA-MM-DD' },
    sorts: PAYMENT_SORTS,
    async read({ db, actor }, asked) {
      const { paymentsExport } = await import('../server/services/exports/payments.ts');
      const query = {
        checknum: asked.number,
        supplierId: await idOf(db, 'suppliers', asked.supplier),
        jobId: await idOf(db, 'jobs', asked.job),
        facturaproveedorId: await wholeNumber('--invoice', asked.invoice),
        kind: asked.kind as PaymentKind | undefined,
        rep: asked.rep as ReceiptState | undefined,
        paymentdateDesde: await dayOf('--from', asked.from),
        paymentdateHasta: await dayOf('--to', asked.to),
        ...orderOf<PaymentSort>(asked),
      };
      return paymentsExport(db, query, actor.today) as Promise<ListExport<unknown>>;
    },
  },
  ...catalogs.map(
    (catalog): ExportedList => ({
      name: CATALOG_NAMES[catalog.noun],
      description: `la lista de ${catalog.texts.many}`,
      options: ['name'],
      sorts: Object.keys(catalog.sortFields),
      async read({ db, actor }, asked) {
        const { catalogExport } = await import('../server/services/exports/catalogs.ts');
        return catalogExport(db, catalog, { text: asked.name, ...orderOf<string>(asked) }, actor.today);
      },
    }),
  ),
  {
    name: 'users',
    description: 'los usuarios, sin contraseñas',
    options: ['name'],
    sorts: ['id', 'username'] satisfies UserSort[],
    async read({ db, actor }, asked) {
      const { usersExport } = await import('../server/services/exports/users.ts');
      return usersExport(db, { username: asked.name, ...orderOf<UserSort>(asked) }, actor.today);
    },
  },
  {
    name: 'caja-chica',
    description:
      'las cajas chicas, o con --fund los movimientos de una; si no se dice, desde su apertura hasta hoy',
    options: ['fund', 'from', 'to'],
    sorts: [],
    async read({ db, actor }, asked) {
      const { fundsExport, statementExport } = await import('../server/services/exports/petty-cash.ts');
      const [from, to] = [await dayOf('--from', asked.from), await dayOf('--to', asked.to)];
      if (asked.fund === undefined) return fundsExport(db, to ?? actor.today);
      const { findFund } = await import('../server/services/petty-cash/reading.ts');
      const fund = await findFund(db, asked.fund);
      const period = { from: from ?? fund.openedOn, to: to ?? actor.today };
      return statementExport(db, fund, period) as Promise<ListExport<unknown>>;
    },
  },
  {
    name: 'balances',
    description: 'los saldos por proveedor y semana, como `saldo report balances`',
    options: ['week', 'year', 'corte', 'supplier', 'job'],
    sorts: [],
    read: async (opened, asked) => (await readBalanceExport(opened, asked)).list,
  },
  {
    name: 'results',
    description: 'el costo por obra y rubro; si no se dice, del año hasta hoy',
    options: ['from', 'to', 'job', 'rubro'],
    says: { from: 'emitidas desde ese día, AAAA-MM-DD' },
    sorts: [],
    async read({ db, actor, timeZone }, asked) {
      const { resultsExport } = await import('../server/services/exports/results.ts');
      const { periodOf, requirePeriod } = await import('../server/shapes/results.ts');
      const desde = await dayOf('--from', asked.from);
      const period = periodOf({ desde, hasta: await dayOf('--to', asked.to) }, actor.today);
      requirePeriod(period);
      const jobId = await idOf(db, 'jobs', asked.job);
      const rubroId = asked.rubro?.trim() === '0' ? 0 : await idOf(db, 'rubros', asked.rubro);
      return resultsExport(db, { ...period, jobId, rubroId }, timeZone);
    },
  },
];

/** The weekly report, and the list that its files are made of. */
export async function readBalanceExport(
  { db, actor, timeZone }: Opened,
  asked: Pick<Asked, 'week' | 'year' | 'corte' | 'supplier' | 'job'>,
) {
  const { readBalances } = await import('../server/services/balances/balances.ts');
  const { balancesExport } = await import('../server/services/exports/balances.ts');
  const query = {
    corte: await dayOf('--corte', asked.corte),
    week: await wholeNumber('--week', asked.week),
    year: await wholeNumber('--year', asked.year),
    supplierId: await idOf(db, 'suppliers', asked.supplier),
    jobId: await idOf(db, 'jobs', asked.job),
  };
  const report = await readBalances(db, query, { today: actor.today, timeZone });
  return { report, list: (await balancesExport(db, query, report)) as ListExport<unknown> };
}

const orderOf = <Sort extends string>({ sort, desc }: Asked) => ({
  sort: sort as Sort | undefined,
  direction: desc ? ('desc' as const) : ('asc' as const),
});

async function idOf(
  db: Opened['db'],
  noun: Catalog['noun'],
  who: string | undefined,
): Promise<number | undefined> {
  if (who === undefined) return undefined;
  const { findRow } = await import('../server/services/catalogs/reading.ts');
  const { catalogOf } = await import('../shared/catalogs/all.ts');
  return (await findRow(db, catalogOf(noun), who)).id;
}

async function dayOf(option: string, text: string | undefined): Promise<PlainDate | undefined> {
  if (text === undefined) return undefined;
  const { parsePlainDate } = await import('../shared/dates.ts');
  return parsePlainDate(text, option);
}

async function wholeNumber(option: string, text: string | undefined): Promise<number | undefined> {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text.trim())) return Number(text);
  const { DomainError } = await import('../shared/errors.ts');
  throw new DomainError('malformed', `${option}: no es un número.`);
}
