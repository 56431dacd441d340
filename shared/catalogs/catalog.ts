import { toDecimal } from '../money.ts';

type CatalogFieldType =
  | 'text'
  | 'phone'
  | 'email'
  | 'date'
  | 'textarea'
  | 'whole'
  | 'money'
  | 'rfc'
  | 'clabe'
  | 'ref';

export interface CatalogField {
  /** also the name in JSON and of the database column, except for an amount, whose column is `cents` */
  name: string;
  cents?: string;
  label: string;
  shortLabel?: string;
  type: CatalogFieldType;
  /** length of the longest text, or the largest number */
  max: number;
  /** another name of the field that a request to create a row may use */
  alias?: string;
  /** the column with the folded text, for searching and sorting */
  foldedColumn?: string;
  /** the field's name in a request's sort parameter, where that differs */
  sort?: string;
  ref?: string;
  /** headings that people use for the field in their tables, the likeliest first */
  headings: readonly string[];
  /** the value in the template for imports; a reference uses the example of the other list's name */
  example?: string;
  /** for a field that every row needs besides its name: why, and the value to use where it is unknown */
  requirement?: { why: string; unknown: string };
  /** the setting that gives a new row its default */
  defaultSetting?: string;
}

/**
 * The five catalogs are plain data, without functions, which the service, the API, the pages and the command line read.
 * Each of these properties, except names and aliases, is used by several catalogs. What only one catalog needs is
 * written in the code that uses it, under that catalog's noun.
 */
export interface Catalog<Noun extends string = string, Command extends string = Noun> {
  noun: Noun;
  /** the name of the list in `saldo export` and `saldo import`, and of its kind of table on the import page */
  command: Command;
  table: string;
  nameField: string;
  foldField: string;
  idField: string;
  fields: readonly CatalogField[];
  columns: readonly string[];
  required: readonly string[];
  /** a row's page is at `edit` with `/{id}` after it; its creation by the API is at `api` with `apiCreate` after it */
  paths: { list: string; create: string; edit: string; api: string; apiCreate: string };
  texts: {
    list: string;
    create: string;
    edit: string;
    filter: string;
    picker: string;
    one: string;
    many: string;
    save: string;
    emptyHint: string;
    requiredOnCreate: string;
    requiredOnEdit: string;
    created: string;
    updated: string;
  };
  /** about imports; `order`: the fields in the order of the template's columns, if that is not the order of `fields` */
  import: {
    hint: string;
    /** an example of an import: the file and, if needed, our name for one of its headings and a value for every row */
    example: { file: string; map?: readonly [ours: string, theirs: string]; set?: readonly [string, string] };
    order?: readonly string[];
  };
  schema: { name: string; example: Readonly<Record<string, string | number>> };
  menu: { icon: string; place: number };
  help: string;
  referredBy: ReturnType<typeof defineReferrers>;
}

/** The name of the field's database column, which is also the name of its property in a row. */
export const columnNameOf = ({ name, cents = name }: CatalogField): string => cents;

/** Returns a row or draft as the API has it: amounts are decimals, under the names of their fields. */
export const toApiRow = (
  { fields }: Catalog,
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const cents = new Map(fields.flatMap((field) => (field.cents ? [[field.cents, field.name]] : [])));
  return Object.fromEntries(
    Object.entries(row).map(([member, value]) => {
      const name = cents.get(member);
      return name ? [name, typeof value === 'number' ? toDecimal(value) : value] : [member, value];
    }),
  );
};

export const catalogPaths = (one: string) => ({
  list: `/${one}s`,
  create: `/new-${one}`,
  edit: `/edit${one}page`,
  api: `/api/${one}s`,
  apiCreate: `/new${one}`,
});

const REFERRER_WORDS = {
  invoices: ['una factura', 'facturas'],
  credit_notes: ['una nota de crédito', 'notas de crédito'],
  payments: ['un pago', 'pagos'],
  payment_batches: ['una programación de pagos', 'programaciones de pagos'],
  payment_receipts: ['un recibo de pago', 'recibos de pago'],
  supplier_accounts: ['una cuenta bancaria', 'cuentas bancarias'],
  mails: ['un correo', 'correos'],
  petty_cash_movements: ['un movimiento de caja chica', 'movimientos de caja chica'],
  petty_cash_funds: ['una caja chica', 'cajas chicas'],
  budgets: ['un presupuesto', 'presupuestos'],
  jobs: ['una obra', 'obras'],
} as const;

type Referrer = keyof typeof REFERRER_WORDS;

export const defineReferrers = (column: string, ...tables: Referrer[]) =>
  tables.map((table) => {
    const [one, many] = REFERRER_WORDS[table];
    return { table, column, one, many };
  });

interface CatalogColumn {
  name: string;
  label: string;
  hideOnSmall?: true;
}

const ID_COLUMN = { name: 'id', label: 'ID' };

export const describeCatalogListColumns = ({
  columns,
  fields,
  nameField,
}: Catalog): readonly CatalogColumn[] => [
  ID_COLUMN,
  ...columns.map((name) => {
    const { label, shortLabel = label } = fields.find((field) => field.name === name)!;
    return { name, label: shortLabel, ...(name === nameField ? {} : { hideOnSmall: true as const }) };
  }),
];

export function describeCatalogListSorts(catalog: Catalog): Record<string, string> {
  const own = describeCatalogPickerSorts(catalog);
  const columns = new Set(own.map(({ column }) => column));
  const others = describeCatalogListColumns(catalog).filter(({ name }) => {
    const { foldedColumn = name } = catalog.fields.find((field) => field.name === name) ?? {};
    return !columns.has(foldedColumn);
  });
  const all = [...own, ...others].map(({ name, label }) => [name, label]);
  return { ...Object.fromEntries(all), ...FIGURE_SORTS[catalog.noun] };
}

/** Computed figures that a list shows beside the columns of its rows, and can be sorted by. */
export const FIGURE_SORTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  suppliers: { owed: 'Saldo', overdue: 'Vencido', nextDue: 'Próx. vencimiento' },
  jobs: { cost: 'Costo sin IVA', owed: 'Por pagar' },
};

export const describeCatalogPickerSorts = ({
  fields,
}: Catalog): readonly { name: string; column: string; label: string }[] => [
  { ...ID_COLUMN, column: 'id' },
  ...fields.flatMap(({ name, sort = name, foldedColumn, label, shortLabel = label }) =>
    foldedColumn ? { name: sort, column: foldedColumn, label: shortLabel } : [],
  ),
];
