type CatalogFieldType = 'text' | 'phone' | 'email' | 'date' | 'textarea' | 'whole' | 'rfc' | 'clabe' | 'ref';

export interface CatalogField {
  /** field name = wire name = column name */
  name: string;
  label: string;
  /** column heading, where that is shorter */
  short?: string;
  type: CatalogFieldType;
  /** longest text or largest number */
  max: number;
  /** its name in the old create payload */
  alias?: string;
  /** the column with the folded text, for searching and sorting */
  fold?: string;
  /** the name by which a sort asks for it, where that is not its own */
  sort?: string;
  /** for type ref: the list that it points to */
  ref?: string;
  /** headings that people use for it in their tables, the likeliest first */
  headings: readonly string[];
  /** value in the template of such a table; a reference shares that of the other list's name */
  example?: string;
  /** of a field that every row needs beside its name: why, and the value where nobody knows it */
  needed?: { why: string; unknown: string };
  /** the setting that gives a new row its default */
  setting?: string;
}

/**
 * The five lists (suppliers, clients, jobs, rubros, funding sources) are plain data, one definition each, which the
 * service, the API, the pages and the command line read. A definition holds no functions, and no key that only one list
 * uses unless it is a name or an alias: a list with a second special need is written out instead.
 */
export interface Catalog<Noun extends string = string, Command extends string = Noun> {
  noun: Noun;
  /** used by `saldo export`, `saldo import` and the import page as the kind of table */
  command: Command;
  table: string;
  nameField: string;
  /** the column with the folded name, for searching and sorting */
  foldField: string;
  /** what rows of other lists call the id of its rows */
  idField: string;
  fields: readonly CatalogField[];
  columns: readonly string[];
  required: readonly string[];
  /** `/{id}` follows `edit`; `apiCreate` follows `api` */
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
  /** of its tables: what they hold, an example command line, the template's columns where not in the fields' order */
  import: {
    hint: string;
    /** a file of such rows, with what may have to be given: our name for a heading, a value for every row */
    example: { file: string; map?: readonly [ours: string, theirs: string]; set?: readonly [string, string] };
    order?: readonly string[];
  };
  /** the name of its rows in the OpenAPI document, and a creation that anybody may try */
  schema: { name: string; example: Readonly<Record<string, string | number>> };
  menu: { icon: string; place: number };
  help: string;
  /** what may refer to a row: table, column, and how a message counts those rows */
  referredBy: ReturnType<typeof referrers>;
}

export const catalogPaths = (one: string) => ({
  list: `/${one}s`,
  create: `/new-${one}`,
  edit: `/edit${one}page`,
  api: `/api/${one}s`,
  apiCreate: `/new${one}`,
});

const REFERRERS = {
  invoices: ['una factura', 'facturas'],
  credit_notes: ['una nota de crédito', 'notas de crédito'],
  payments: ['un pago', 'pagos'],
  payment_batches: ['una programación de pagos', 'programaciones de pagos'],
  payment_receipts: ['un recibo de pago', 'recibos de pago'],
  supplier_accounts: ['una cuenta bancaria', 'cuentas bancarias'],
  petty_cash_movements: ['un movimiento de caja chica', 'movimientos de caja chica'],
  petty_cash_funds: ['una caja chica', 'cajas chicas'],
  budgets: ['un presupuesto', 'presupuestos'],
  jobs: ['una obra', 'obras'],
} as const;

type Referrer = keyof typeof REFERRERS;

export const referrers = (column: string, ...tables: Referrer[]) =>
  tables.map((table) => {
    const [one, many] = REFERRERS[table];
    return { table, column, one, many };
  });

interface CatalogColumn {
  /** a field's name, or `id` */
  name: string;
  label: string;
  hideOnSmall?: true;
}

const ID = { name: 'id', label: 'ID' };

/** The columns of its list and of its pickers; narrow screens keep id and name only. */
export const catalogColumns = ({ columns, fields, nameField }: Catalog): readonly CatalogColumn[] => [
  ID,
  ...columns.map((name) => {
    const { label, short = label } = fields.find((field) => field.name === name)!;
    return { name, label: short, ...(name === nameField ? {} : { hideOnSmall: true as const }) };
  }),
];

export const catalogSorts = ({
  fields,
}: Catalog): readonly { name: string; column: string; label: string }[] => [
  { ...ID, column: 'id' },
  ...fields.flatMap(({ name, sort = name, fold, label, short = label }) =>
    fold ? { name: sort, column: fold, label: short } : [],
  ),
];
