import type { ReactNode } from 'react';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Chip, StatusChip, type StatusName } from '../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../shared/ui/DataTable.tsx';
import { DateText } from '../../shared/ui/DateText.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Money } from '../../shared/ui/Money.tsx';
import { Pager } from '../../shared/ui/Pager.tsx';
import { Totals } from '../../shared/ui/Totals.tsx';

/** Every component in every state, with the content that is hardest on it. Routed in development alone. */
export function UiPage() {
  return (
    <div className="stack">
      <Section title="Lista">
        <Filters />
        <Totals
          label="Totales del filtro"
          items={[
            { label: 'Total facturado', cents: 1_284_730_55 },
            { label: 'Total pagado', cents: 412_500_00, op: '−' },
            { label: 'Total pendiente', cents: 872_230_55, op: '=' },
          ]}
        />
        <InvoiceTable />
        <Pager shown={50} total={12_408} noun="facturas" href="?cursor=50" />
      </Section>
      <Section title="Lista vacía">
        <EmptyState
          title="Todavía no hay proveedores"
          action={
            <LinkButton href="/new-supplier" look="primary" icon="plus">
              Nuevo proveedor
            </LinkButton>
          }
        >
          Aquí se guardan las empresas que facturan a tus obras. Da de alta la primera, o importa tu lista
          desde un archivo.
        </EmptyState>
      </Section>
      <Section title="Mensajes">
        <Alert tone="error">El total pagado no puede ser mayor que el total de la factura.</Alert>
        <Alert tone="success">Se guardó la factura A-10482.</Alert>
        <Alert tone="warning">
          Se parece a la factura <a href="/editinvoicepage/7">FCC-0098</a>: mismo proveedor, mismo total,
          emitida con 3 días de diferencia.
        </Alert>
        <Alert tone="info" dismissible={false}>
          Comparte esta contraseña: <kbd>k3v9x0qa</kbd>
        </Alert>
      </Section>
      <Section title="Formulario">
        <InvoiceForm />
      </Section>
      <Section title="Datos de solo lectura">
        <Facts />
      </Section>
      <Section title="Botones, estados y esperas">
        <Controls />
      </Section>
      <Section title="Diálogos">
        <Dialogs />
      </Section>
      <Section title="Saldos por proveedor">
        <BalanceTable />
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 style={{ marginBlockEnd: 12 }}>{title}</h2>
      {children}
    </section>
  );
}

export function Filters() {
  const all = [{ value: '', label: 'Todos' }];
  return (
    <form className="filters" action="/invoices">
      <Field label="Número de factura" name="numfactura" kind="search" />
      <details className="more">
        <summary className="btn">Más filtros</summary>
        <Field label="Proveedor" name="supplierId" kind="select" options={all} />
        <Field label="Obra" name="jobId" kind="select" options={all} />
        <Field label="Estado" name="status" kind="select" options={all} />
        <Field label="Vence desde" name="fechavencimientoDesde" kind="date" />
        <Field label="hasta" name="fechavencimientoHasta" kind="date" value="2026-12-31" />
      </details>
      <div className="actions">
        <Button>Buscar</Button>
        <LinkButton href="?" look="quiet">
          Limpiar
        </LinkButton>
      </div>
    </form>
  );
}

const AGUA = 'Materiales y Acabados del Valle de México, S.A. de C.V.';

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

export function InvoiceForm() {
  return (
    <form className="form with-amounts" method="post" noValidate>
      <div className="fields">
        <Picker label="Proveedor" name="supplier" required value={AGUA} button="Seleccionar proveedor" />
        <Picker
          label="Obra"
          name="job"
          required
          button="Seleccionar obra"
          error="Ingrese proveedor, obra y subtotal."
        />
        <Picker label="Rubro" name="rubro" value="Acabados" button="Seleccionar rubro" />
        <Field label="Número de factura" name="numfactura-new" value="A-10482" maxLength={60} />
        <Field label="Fecha de emisión" name="fechaemision" kind="date" value="2026-11-18" />
        <Field label="Fecha de recepción" name="fecharecepcion" kind="date" value="2026-11-20" />
        <Field
          label="Fecha de vencimiento"
          name="fechavencimiento"
          kind="date"
          hint="Vacía: 30 días de crédito del proveedor."
        />
        <Field label="Tipo" name="tipo" kind="select" options={[{ value: 1, label: 'Ingreso' }]} readOnly />
        <Field
          label="Observaciones"
          name="comments"
          kind="textarea"
          wide
          value="Entrega parcial en obra; falta la segunda remisión."
        />
      </div>
      <div className="amounts">
        <h2>Importe</h2>
        <Field
          label="Subtotal"
          name="subtotal"
          kind="money"
          value="300,000.001"
          required
          error="Subtotal: a lo más dos decimales."
        />
        <Field label="Tasa (1-100)" name="tasa" kind="number" value="16" suffix="%" />
        <div className="sum">
          <span className="label">IVA</span>
          <Money cents={48_000_00} />
        </div>
        <details className="disclosure" open>
          <summary>
            <Icon name="chevron" />
            Otros impuestos y retenciones
          </summary>
        </details>
        <Field label="Otros impuestos" name="otrosimpuestos" kind="money" value="0.00" />
        <Field label="Retenciones" name="retenciones" kind="money" value="0.00" />
        <div className="sum total">
          <span className="label">Total</span>
          <Money cents={348_000_00} />
        </div>
        <p className="hint">Total ya pagado: $12,000.00</p>
      </div>
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
        <LinkButton href="/invoices">Regresar</LinkButton>
      </div>
    </form>
  );
}

function Picker({
  label,
  name,
  value = '',
  button,
  required,
  error,
}: {
  label: string;
  name: string;
  value?: string;
  button: string;
  required?: boolean;
  error?: string;
}) {
  return (
    <Field label={label} name={name} required={required} error={error}>
      <div className="picker">
        <input
          className="control"
          id={name}
          readOnly
          value={value}
          placeholder="Ninguno"
          aria-invalid={Boolean(error)}
          aria-describedby={error && `${name}-note`}
        />
        <Button type="button" icon="search" aria-label={button} tip={button} />
        {value && (
          <Button type="button" icon="close" aria-label={`Quitar ${label.toLowerCase()}`} tip="Quitar" />
        )}
      </div>
    </Field>
  );
}

function Facts() {
  const facts: [string, ReactNode][] = [
    ['Proveedor', AGUA],
    ['RFC', 'MAV980312K41'],
    ['Obra', 'Torre Reforma 483, etapa 2'],
    ['Rubro', 'Acabados'],
    ['Creado', <DateText key="d" date="2026-11-20" />],
    ['Pendiente', <Money key="m" cents={335_999_99} />],
  ];
  return (
    <dl className="facts">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Controls() {
  return (
    <div className="stack">
      <div className="actions">
        <Button look="primary" icon="plus">
          Nueva factura
        </Button>
        <Button icon="export">Exportar</Button>
        <Button look="quiet" icon="undo">
          Deshacer
        </Button>
        <Button look="danger" icon="trash">
          Eliminar
        </Button>
        <Button icon="edit" tip="Editar" />
        <Button look="danger" icon="trash" tip="Eliminar el pago" />
        <Button disabled>No disponible</Button>
        <Button look="primary" busy>
          Ingresando…
        </Button>
      </div>
      <div className="actions">
        <StatusChip status="pagada" />
        <StatusChip status="vencida" />
        <StatusChip status="sin-vencimiento" />
        <StatusChip status="parcial" />
        <StatusChip status="pendiente" />
        <StatusChip status="pendiente" text="Vence mañana" soon />
        <Chip>Inactivo</Chip>
        <Chip tone="done">CFDI</Chip>
      </div>
      <label className="check">
        <input type="checkbox" name="allowDuplicate" defaultChecked />
        Guardar de todas formas aunque el número se repita
      </label>
      <div aria-busy="true">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
      <progress aria-label="Importando" value={0.62} />
      <p>
        <span className="spinner" /> Buscando… <span className="note">Nota al pie de una tabla</span>
      </p>
    </div>
  );
}

const PICKED = [
  { id: 12, name: 'Aceros Tepeyac' },
  { id: 31, name: 'Concretos del Norte' },
  { id: 7, name: AGUA },
];

function Dialogs() {
  return (
    <div className="stack">
      <div className="modal">
        <div className="dialog">
          <DialogHead title="Seleccionar proveedor" />
          <div className="dialog-body">
            <div className="filters">
              <Field label="Nombre" name="suppliername" kind="search" />
              <Field
                label="Ordenar por"
                name="sort"
                kind="select"
                options={[{ value: 'id', label: 'Nombre' }]}
              />
            </div>
            <DataTable
              caption="Proveedores"
              columns={[
                { key: 'id', label: 'ID', align: 'end', render: (row) => row.id },
                { key: 'name', label: 'Nombre', clip: true, card: 'title', render: (row) => row.name },
                {
                  key: 'pick',
                  label: 'Seleccionar',
                  card: 'actions',
                  className: 'btn-text',
                  render: (row) => (
                    <Button look="quiet" aria-label={`Seleccionar ${row.name}`}>
                      Seleccionar
                    </Button>
                  ),
                },
              ]}
              rows={PICKED}
              rowKey={(row) => row.id}
            />
          </div>
          <div className="dialog-foot">
            <Button>Cancelar</Button>
          </div>
        </div>
      </div>
      <div className="modal small">
        <div className="dialog">
          <DialogHead title="¿Eliminar el pago 8812?" />
          <div className="dialog-body">
            <p>Se liberan $58,025.00 de la factura FCC-0098. Podrás deshacerlo.</p>
          </div>
          <div className="dialog-foot">
            <Button>Cancelar</Button>
            <Button look="danger">Eliminar</Button>
          </div>
        </div>
      </div>
      <div className="modal">
        <div className="dialog command">
          <input className="control" aria-label="Ir a" placeholder="Página, proveedor o número de factura" />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
          <ul className="options" tabIndex={0}>
            <li className="option-group">Facturas</li>
            <li className="option" data-focused="">
              <Icon name="invoice" /> A-10482 <span className="meta">{AGUA}</span>
            </li>
            <li className="option">
              <Icon name="invoice" /> A-10480 <span className="meta">Aceros Tepeyac</span>
            </li>
          </ul>
        </div>
      </div>
      <dl className="keys">
        {[
          ['/', 'Ir al filtro'],
          ['n', 'Nuevo'],
          ['Ctrl K', 'Ir a cualquier parte'],
          ['?', 'Ayuda'],
        ].map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function DialogHead({ title }: { title: string }) {
  return (
    <div className="dialog-head">
      <h2>{title}</h2>
      <Button type="button" icon="close" tip="Cerrar" />
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
