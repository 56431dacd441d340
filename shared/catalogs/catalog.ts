type CatalogFieldType = 'text' | 'phone' | 'email' | 'date' | 'textarea' | 'whole' | 'rfc' | 'clabe' | 'ref';

export interface CatalogField {
  /** field name = wire name = column name */
  name: string;
  label: string;
  /** in the heading of its column, where that is shorter */
  short?: string;
  type: CatalogFieldType;
  /** longest text, or largest number */
  max: number;
  /** the name in the old create payload */
  alias?: string;
  /** the column that holds the text folded, for searching and sorting */
  fold?: string;
  /** a sort by it is asked for under this name, where that is not its own */
  sort?: string;
  /** for type ref: the list that it points into */
  ref?: string;
  /** headings that people use for it in tables of this list, the likeliest first */
  headings: readonly string[];
  /** in the template of such a table; of a reference the other list's name says it */
  example?: string;
  /** of one that every row needs beside its name: why, and what stands there where nobody knows */
  needed?: { why: string; unknown: string };
  /** the setting that gives a new row its value where none is sent */
  setting?: string;
}

/**
 * The five lists (suppliers, clients, jobs, rubros, funding sources) are plain data, one definition each;
 * the service, the API, the pages and the command line are four ordinary readers of it. No functions in a
 * definition, and no key that only one list uses unless it is a name or an alias: a list with a second
 * special need is written out instead.
 */
export interface Catalog<Noun extends string = string, Command extends string = Noun> {
  noun: Noun;
  /** `saldo export` and `saldo import`, and the kind of table that the page of imports asks for */
  command: Command;
  table: string;
  nameField: string;
  /** the stored folded column behind searching and sorting by name */
  foldField: string;
  /** what rows of other lists call the id of a row of this one */
  idField: string;
  fields: readonly CatalogField[];
  /** the fields that its list shows after the id */
  columns: readonly string[];
  required: readonly string[];
  /** `edit` goes on with /{id}; `apiCreate` comes after `api` */
  paths: { list: string; create: string; edit: string; api: string; apiCreate: string };
  texts: {
    list: string;
    create: string;
    edit: string;
    filter: string;
    picker: string;
    /** a record, as in "No existe el proveedor 7." */
    one: string;
    /** several of them, as in "50 de 128 proveedores" */
    many: string;
    save: string;
    emptyHint: string;
    requiredOnCreate: string;
    requiredOnEdit: string;
    created: string;
    updated: string;
  };
  /** of tables of it: what they hold, a file on the command line, and the order of a template's columns where it is not the fields' */
  import: {
    hint: string;
    /** a file of such rows, with what may have to be said of it: our name of a heading, a value for every row */
    example: { file: string; map?: readonly [ours: string, theirs: string]; set?: readonly [string, string] };
    order?: readonly string[];
  };
  /** the name of its rows in the document of the API, and a creation that anybody may try */
  schema: { name: string; example: Readonly<Record<string, string | number>> };
  /** among the lists of the menu; the icon is one of shared/ui/Icon.tsx */
  menu: { icon: string; place: number };
  /** the page of the guide about it: "/help/proveedores" */
  help: string;
  /** what may refer to a row: table, column, and how a message counts it */
  referredBy: ReturnType<typeof referrers>;
}

/** The addresses of a list follow from the English word for one of its rows: "/clients", "/new-client". */
export const pathsOf = (one: string) => ({
  list: `/${one}s`,
  create: `/new-${one}`,
  edit: `/edit${one}page`,
  api: `/api/${one}s`,
  apiCreate: `/new${one}`,
});

/** The rows of these tables refer to rows of the lists, and a message counts them in these words. */
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

/** @param column by which these tables refer to the list */
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

/** The columns of its list and of its pickers; where room is short id and name alone stay. */
export const columnsIn = ({ columns, fields, nameField }: Catalog): readonly CatalogColumn[] => [
  ID,
  ...columns.map((name) => {
    const { label, short = label } = fields.find((field) => field.name === name)!;
    return { name, label: short, ...(name === nameField ? {} : { hideOnSmall: true as const }) };
  }),
];

/** A list may be sorted by its id, and by each text that is stored folded. */
export const sortsIn = ({ fields }: Catalog): readonly { name: string; column: string; label: string }[] => [
  { ...ID, column: 'id' },
  ...fields.flatMap(({ name, sort = name, fold, label, short = label }) =>
    fold ? { name: sort, column: fold, label: short } : [],
  ),
];
