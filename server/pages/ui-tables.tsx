import { LinkButton } from '../../shared/ui/Button.tsx';
import { StatusChip, type StatusName } from '../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../shared/ui/DataTable.tsx';
import { DateText } from '../../shared/ui/DateText.tsx';
import { Money } from '../../shared/ui/Money.tsx';

export const AGUA = 'Materiales y Acabados del Valle de México, S.A. de C.V.';

// long names, a credit note, no number, no due date, the largest amount that is stored
const INVOICES = lines(`
10482|A-10482|${AGUA}|Torre Reforma 483, etapa 2|34800000|0|2026-11-17|vencida|Vencida hace 3 días
10479|FCC-0098|Concretos del Norte|Residencial Los Encinos|116050|58025|2026-11-25|parcial|Vence en 5 días (SEM 48)|soon
10477|7F3C9A12|Aceros Tepeyac|Nave industrial Lerma|120499999|120499999|2026-10-30|pagada|Pagada
10476|B 2291|Renta de Maquinaria Peña e Hijos|Torre Reforma 483, etapa 2|8746400|0||sin-vencimiento|Sin vencimiento
10471|NC-118|Ferretería La Ñ|Residencial Los Encinos|-1276000|0|2026-12-18|pendiente|Vence en 28 días (SEM 51)
10470||Instalaciones Ibáñez|Ampliación de la planta tratadora de Cuautitlán Izcalli|999999999999|0|2026-11-20|parcial|Vence hoy|soon
`).map(([id, numfactura, supplier, job, total, paid, due, status, text, soon]) => ({
  id: Number(id),
  numfactura,
  supplier,
  job,
  total: Number(total),
  paid: Number(paid),
  due,
  status: status as StatusName,
  text,
  soon: soon === 'soon',
}));

type Invoice = (typeof INVOICES)[number];

const INVOICE_COLUMNS: Column<Invoice>[] = [
  {
    key: 'id',
    label: 'ID',
    align: 'end',
    hideOnSmall: true,
    sort: { href: '?sortfield=id', direction: 'desc' },
    render: (row) => row.id,
  },
  {
    key: 'numfactura',
    label: 'Factura',
    link: true,
    card: 'title',
    render: (row) => row.numfactura || '(sin número)',
  },
  { key: 'supplier', label: 'Proveedor', clip: true, render: (row) => row.supplier },
  { key: 'job', label: 'Obra', clip: true, render: (row) => row.job },
  {
    key: 'total',
    label: 'Total',
    align: 'end',
    sort: { href: '?sortfield=total' },
    render: (row) => <Money cents={row.total} />,
  },
  { key: 'paid', label: 'Pagado', align: 'end', render: (row) => <Money cents={row.paid} /> },
  {
    key: 'pending',
    label: 'Pendiente',
    align: 'end',
    render: (row) => <Money cents={row.total - row.paid} />,
  },
  {
    key: 'due',
    label: 'Vencimiento',
    sort: { href: '?sortfield=fechavencimiento' },
    render: (row) => <DateText date={row.due} />,
  },
  {
    key: 'status',
    label: 'Estado',
    card: 'corner',
    render: (row) => <StatusChip status={row.status} text={row.text} soon={row.soon} />,
  },
  { key: 'actions', label: 'Acciones', card: 'actions', render: (row) => <InvoiceActions row={row} /> },
];

function InvoiceActions({ row }: { row: Invoice }) {
  return (
    <>
      {row.status !== 'pagada' && (
        <LinkButton
          href={`/new-payment?facturaproveedorId=${row.id}`}
          icon="pay"
          tip={`Pagar ${row.numfactura}`}
        />
      )}
      <LinkButton href={`/editinvoicepage/${row.id}`} icon="edit" tip={`Editar ${row.numfactura}`} />
    </>
  );
}

/** `times` makes a page long enough to scroll. */
export function InvoiceTable({ times = 1 }: { times?: number }) {
  const rows = Array.from({ length: times }, (_, n) =>
    INVOICES.map((row) => ({ ...row, id: row.id - n * 20 })).slice(0, n === 0 ? undefined : 5),
  ).flat();
  return (
    <div className="table-wrap">
      <DataTable
        caption="Facturas"
        columns={INVOICE_COLUMNS}
        rows={rows}
        rowKey={(row) => row.id}
        rowHref={(row) => `/editinvoicepage/${row.id}`}
        footer={{
          numfactura: 'Total',
          total: <Money cents={1_284_730_55} />,
          paid: <Money cents={412_500_00} />,
          pending: <Money cents={872_230_55} />,
        }}
      />
    </div>
  );
}

const WEEKS = lines(`
ANTERIORES|antes del 16 nov
SEM 47|16 – 22 nov
SEM 48|23 – 29 nov
SEM 49|30 nov – 6 dic
SEM 50|7 – 13 dic
SEM 51|14 – 20 dic
SEM 52|21 – 27 dic
SEM 53|28 dic – 3 ene
SEM 1 2027|4 – 10 ene
SEM 2+ 2027|desde el 11 ene
`);

// supplier, job, number, then the week and the amount
const BALANCES = lines(`
Aceros Tepeyac|Nave industrial Lerma|7F3C9A12|0|4820000
Aceros Tepeyac|Torre Reforma 483, etapa 2|7F3C9B77|2|116050
${AGUA}|Torre Reforma 483, etapa 2|A-10482|1|34800000
${AGUA}|Residencial Los Encinos|A-10391 *|7|2291000
`).map(([supplier = '', job, number, week, amount]) => ({
  supplier,
  job,
  number,
  isSummary: false,
  weeks: WEEKS.map((_, index) => (index === Number(week) ? Number(amount) : 0)),
}));

type Balance = (typeof BALANCES)[number];

const sumOf = (rows: Balance[]) =>
  WEEKS.map((_, week) => rows.reduce((sum, row) => sum + row.weeks[week]!, 0));

const BALANCE_ROWS: Balance[] = [...new Set(BALANCES.map((row) => row.supplier))].flatMap((supplier) => {
  const rows = BALANCES.filter((row) => row.supplier === supplier);
  return [
    ...rows,
    { supplier: `Total ${supplier}`, job: '', number: '', isSummary: true, weeks: sumOf(rows) },
  ];
});

const BALANCE_COLUMNS: Column<Balance>[] = [
  {
    key: 'supplier',
    label: 'Proveedor',
    className: 'c1',
    render: (row) => (row.isSummary ? <span className="across">{row.supplier}</span> : row.supplier),
  },
  { key: 'job', label: 'Obra', className: 'c2', render: (row) => row.job },
  { key: 'number', label: 'Factura', className: 'c3', render: (row) => row.number },
  ...WEEKS.map(
    ([label = '', note], week): Column<Balance> => ({
      key: label,
      label,
      note,
      align: 'end',
      className: week === 0 ? 'late' : undefined,
      render: (row) => <Money cents={row.weeks[week]!} dash />,
    }),
  ),
  {
    key: 'total',
    label: 'Total',
    align: 'end',
    render: (row) => <Money cents={row.weeks.reduce((sum, amount) => sum + amount, 0)} />,
  },
];

export function BalanceTable() {
  const totals = sumOf(BALANCES);
  const footer = Object.fromEntries(
    WEEKS.map(([label], week) => [label, <Money key={label} cents={totals[week]!} dash />]),
  );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className="report-frame" tabIndex={0} aria-label="Saldos por proveedor">
        <DataTable
          className="report"
          caption="Saldos por proveedor y semana"
          columns={BALANCE_COLUMNS}
          rows={BALANCE_ROWS}
          rowKey={(row) => row.supplier + row.number}
          rowClass={(row) => (row.isSummary ? 'summary' : undefined)}
          footer={{
            ...footer,
            supplier: <span className="across">Total general</span>,
            total: <Money cents={totals.reduce((sum, amount) => sum + amount, 0)} />,
          }}
        />
      </section>
      <p className="note">
        Total general = <a href="/invoices">pendiente de la lista de facturas</a>. * Vencimiento estimado.
      </p>
    </>
  );
}

function lines(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('|'));
}
