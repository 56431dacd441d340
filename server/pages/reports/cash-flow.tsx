import { Hono } from 'hono';
import { Fragment, type ReactNode } from 'react';
import type { z } from 'zod';
import type { Db } from '../../../db/schema.ts';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { joinFirst } from '../../../shared/counts.ts';
import { addDays, formatDate, formatShortDayMonth, type PlainDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { batchName } from '../../../shared/payment-batches.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { BarChart } from '../../../shared/ui/BarChart.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import { getPageShape } from '../../lists/query-shapes.ts';
import { cashFlowList } from '../../lists/reports.ts';
import {
  type CashFlow,
  type CashFlowColumn,
  type CashFlowFundingSource,
  type CashFlowItem,
  type CashFlowQuery,
  malformedFieldError,
  readCashFlow,
} from '../../services/balances/cash-flow.ts';
import { describeRunway } from '../../services/exports/cash-flow.ts';
import { readInvoices } from '../../services/invoices/reading.ts';
import { mapById } from '../../services/stored-rows.ts';
import { choiceField, idField, textField, wholeNumberField } from '../../shapes/fields.ts';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { showReport } from '../ui/report-page.tsx';

const BREAKDOWN_ROWS_ON_PAGE = 50;
const OUTFLOW_KINDS = ['vence', 'programado', 'fechado'] as const satisfies readonly CashFlowItem['kind'][];

/**
 * `columna`, `hasta` and `que` choose a figure whose rows are shown; `caja` and `banco` choose a funding source whose
 * outflows other than payments are shown.
 */
const queryShape = getPageShape(cashFlowList).extend({
  columna: textField('columna', 40),
  hasta: textField('hasta', 40),
  que: choiceField('que', OUTFLOW_KINDS),
  caja: idField('caja'),
  banco: idField('banco'),
  desde: wholeNumberField('desde', 0, 1_000_000),
});

type CashFlowPageState = Partial<Omit<z.output<typeof queryShape>, keyof CashFlowQuery>>;

export const cashFlowPages = new Hono<AppEnv>({ strict: false }).get(pages.cashFlow, async (c) => {
  const typed = findTypedWhatIfHref(c.req.query(), c.req.queries());
  if (typed) return c.redirect(typed);
  return showReport(c, cashFlowList, {
    shape: queryShape,
    first: 'xlsx',
    loadFailed: 'Ocurrió un error al cargar el flujo.',
    controls: (fields, { semanas }) =>
      fields.map((field): FilterField => {
        if (field.kind !== 'text' || field.name !== 'semanas') return field;
        const counts = new Set([4, 8, 12, 26, ...(semanas ? [semanas] : [])]);
        const choices = [...counts]
          .sort((a, b) => a - b)
          .map((count) => ({ value: `${count}`, label: `${count}` }));
        return { ...field, kind: 'select', options: [{ value: '', label: 'Como en Saldos' }, ...choices] };
      }),
    async read({ semanas, mover, sin, saldo, ...place }) {
      const query = { semanas, mover, sin, saldo };
      const flow = await readCashFlow(c.get('deps').db, query, c.get('today'));
      const rows = await readFigureBreakdown(c.get('deps').db, flow, place);
      return { results: <CashFlowResults flow={flow} query={query} place={place} rows={rows} /> };
    },
  });
});

/** The form sends a what-if change in two fields. @returns the report's address, where the two are one parameter */
function findTypedWhatIfHref(
  { factura, dia, origen, cantidad, semanas }: Record<string, string>,
  { mover = [], sin = [], saldo = [] }: Record<string, string[]>,
): string | undefined {
  if (!factura && !origen) return undefined;
  const replaceWhatIf = (texts: readonly string[], id: string | undefined, value: string | undefined) =>
    id && value?.trim()
      ? [...texts.filter((text) => !text.startsWith(`${id}:`)), `${id}:${value.trim()}`]
      : texts;
  return withQuery(pages.cashFlow, {
    ...{ semanas, sin },
    mover: replaceWhatIf(mover, factura, dia),
    saldo: replaceWhatIf(saldo, origen, cantidad),
  });
}

const cashFlowHref = (query: CashFlowQuery, place: CashFlowPageState = {}) =>
  withQuery(pages.cashFlow, { ...query, ...place }) + (Object.keys(place).length > 0 ? '#filas' : '');

interface CashFlowResultsProps {
  flow: CashFlow;
  query: CashFlowQuery;
  place: CashFlowPageState;
  rows: FigureBreakdown | undefined;
}

function CashFlowResults({ flow, query, place, rows }: CashFlowResultsProps) {
  const { whatIfChanges, disponibleCents, columns, alcanzaHasta } = flow;
  const counted = flow.sources.filter(sourceHasFigures);
  const uncounted = flow.sources.filter((source) => !sourceHasFigures(source));
  const short = columns.find(({ quedaCents }) => quedaCents < 0);
  const last = columns.at(-1)!;
  const lastDay = last.column.to ? `al ${formatShortDayMonth(last.column.to)}` : 'al final';
  return (
    <div className="stack">
      {whatIfChanges.length > 0 && <WhatIfList flow={flow} query={query} />}
      <div>
        {short && (
          <h2 className="late">
            No alcanza para {short.column.heading}: faltan {formatMoney(-short.quedaCents)}
            {last.quedaCents < short.quedaCents && `; ${lastDay}, ${formatMoney(-last.quedaCents)}`}
          </h2>
        )}
        <p className="note">{describeRunway(alcanzaHasta)} Solo cuenta salidas, no cobros por recibir.</p>
      </div>
      <Totals
        label="Lo que queda"
        items={[
          {
            ...{ label: 'Saldo en bancos', cents: disponibleCents, isLate: disponibleCents < 0 },
            href: '#origenes',
          },
          { label: `Sale ${lastDay}`, cents: disponibleCents - last.quedaCents, op: '−' },
          {
            ...{ label: `Queda ${lastDay}`, cents: last.quedaCents, op: '=', isLate: last.quedaCents < 0 },
            href: cashFlowHref(query, { hasta: last.column.key }),
          },
        ]}
      />
      <BarChart
        caption="Lo que sale por semana y lo que queda después"
        series={['Sale', 'Queda']}
        negativeLabel="Falta"
        bars={columns.map(({ column: { key, days }, saleCents, quedaCents }) => ({
          // A phone only has space for the number of the week.
          ...{ label: key.replace(/^SEM (\S+).*/, '$1').replace('ANTERIORES', 'Antes'), note: days },
          amounts: [
            { cents: saleCents, href: saleCents > 0 ? cashFlowHref(query, { columna: key }) : undefined },
            { cents: quedaCents, href: cashFlowHref(query, { hasta: key }) },
          ],
        }))}
      />
      <div>
        <DataTable
          caption="Flujo por semana"
          columns={weekColumns(columns, query)}
          rows={columns}
          rowKey={({ column }) => column.key}
        />
        <DebtReconciliation flow={flow} query={query} />
      </div>
      {rows && <FigureBreakdownTable rows={rows} query={query} place={place} />}
      <section id="origenes" aria-labelledby="accounts" className="stack">
        <div>
          <h2 id="accounts">Saldo en bancos</h2>
          <DataTable
            caption="Saldo en bancos"
            columns={fundingSourceColumns(flow, query)}
            rows={counted}
            rowKey={({ id }) => id}
          />
          <UncountedFundingSources sources={uncounted} />
        </div>
        {flow.sources.length > 0 && (
          <WhatIfForm query={query}>
            <Field
              kind="select"
              name="origen"
              label="Probar otro saldo de hoy"
              options={[...counted, ...uncounted].map(({ id, name }) => ({ value: id, label: name }))}
            />
            <Field kind="money" name="cantidad" label="Saldo" />
          </WhatIfForm>
        )}
      </section>
    </div>
  );
}

/** Many funding sources are no bank accounts and have no figures. */
const sourceHasFigures = ({
  fuente,
  paidCents,
  toFundsCents,
  otherMovementsCents,
}: CashFlowFundingSource): boolean =>
  fuente !== null || paidCents !== 0 || toFundsCents !== 0 || otherMovementsCents !== 0;

const UncountedFundingSources = ({ sources }: { sources: readonly CashFlowFundingSource[] }) =>
  sources.length > 0 && (
    <p className="note">
      Sin saldo del banco, cuentan $0.00:{' '}
      <a href={fundingSources.paths.list}>
        {joinFirst(
          sources.map(({ name }) => name),
          MAX_NAMED_FUNDING_SOURCES,
        )}
      </a>
      .
    </p>
  );

const MAX_NAMED_FUNDING_SOURCES = 8;

const WhatIfList = ({ flow, query }: Pick<CashFlowResultsProps, 'flow' | 'query'>) => (
  <Alert tone="info" heading="Es una prueba: nada se guarda" isDismissible={false}>
    <ul>
      {flow.whatIfChanges.map(({ name, text, label }) => (
        <li key={name + text}>
          {label}.{' '}
          <a href={cashFlowHref({ ...query, [name]: query[name]!.filter((one) => one !== text) })}>Quitar</a>
        </li>
      ))}
    </ul>
  </Alert>
);

function DebtReconciliation({
  flow: { columns, postponed, postponedCents },
  query,
}: Pick<CashFlowResultsProps, 'flow' | 'query'>) {
  const sumOf = (name: 'venceCents' | 'programadoCents') => columns.reduce((sum, one) => sum + one[name], 0);
  const [vence, programado] = [sumOf('venceCents'), sumOf('programadoCents')];
  const owed = withQuery(pages.invoices, { status: 'por-pagar' });
  return (
    <p className="note">
      Por pagar <Money cents={vence + programado + postponedCents} href={owed} /> = vence{' '}
      <Money cents={vence} href={cashFlowHref(query, { que: 'vence' })} /> + programado{' '}
      <Money cents={programado} href={cashFlowHref(query, { que: 'programado' })} />
      {postponed.map(({ supplierId, cents }, index) => (
        <Fragment key={supplierId}>
          {index > 0 ? ' + ' : ' + pospuesto '}
          <Money cents={cents} href={withQuery(pages.invoices, { status: 'por-pagar', supplierId })} />
        </Fragment>
      ))}
      .
    </p>
  );
}

function weekColumns(weeks: readonly CashFlowColumn[], query: CashFlowQuery): Column<CashFlowColumn>[] {
  const createKindColumn = (que: CashFlowItem['kind']) =>
    moneyColumn<CashFlowColumn>(que, OUTFLOW_KIND_LABELS[que], (row) => row[`${que}Cents`], {
      ...{ dash: true, card: 'half' },
      href: ({ column }) => cashFlowHref(query, { columna: column.key, que }),
    });
  return [
    { key: 'columna', label: 'Semana', card: 'title', render: ({ column }) => column.heading },
    ...OUTFLOW_KINDS.filter((que) => weeks.some((week) => week[`${que}Cents`] > 0)).map(createKindColumn),
    moneyColumn('sale', 'Sale', ({ saleCents }) => saleCents, {
      ...{ dash: true, card: 'half' },
      href: ({ column }) => cashFlowHref(query, { columna: column.key }),
    }),
    {
      ...{ key: 'queda', label: 'Queda', align: 'end', card: 'half' },
      render: ({ column, quedaCents }) => (
        <strong className={quedaCents < 0 ? 'late' : undefined}>
          <Money cents={quedaCents} href={cashFlowHref(query, { hasta: column.key })} />
        </strong>
      ),
    },
  ];
}

const BANK_BALANCE_ORIGIN_LABELS = { estado: 'Estado de cuenta', capturado: 'Capturado' } as const;

/** Changes of the balance since its day have columns where there are some. */
function fundingSourceColumns(
  { today, sources }: CashFlow,
  query: CashFlowQuery,
): Column<CashFlowFundingSource>[] {
  const createMovedColumn = (
    name: 'paidCents' | 'toFundsCents' | 'otherMovementsCents',
    label: string,
    href: (source: CashFlowFundingSource) => string,
  ) =>
    sources.some((source) => source[name] !== 0)
      ? [moneyColumn<CashFlowFundingSource>(name, label, (source) => source[name], { dash: true, href })]
      : [];
  return [
    {
      ...{ key: 'name', label: fundingSources.texts.list, card: 'title', className: 'wraps' },
      render: ({ id, name }) => <a href={`${fundingSources.paths.edit}/${id}`}>{name}</a>,
    },
    moneyColumn('saldo', 'Saldo', ({ saldoCents }) => saldoCents, {
      href: ({ id, statementId }) =>
        statementId ? pages.bankStatement(statementId) : `${fundingSources.paths.edit}/${id}`,
    }),
    {
      ...{ key: 'fuente', label: 'De', card: 'line' },
      render: ({ fuente, fecha }) =>
        fuente ? `${BANK_BALANCE_ORIGIN_LABELS[fuente]}, ${formatDate(fecha)}` : 'Sin saldo del banco',
    },
    ...createMovedColumn('paidCents', 'Pagos después', ({ id, fecha }) =>
      withQuery(pages.payments, {
        ...{ origenderecursoId: id, kind: 'pago', paymentdateHasta: today },
        paymentdateDesde: fecha && addDays(fecha, 1),
      }),
    ),
    ...createMovedColumn('toFundsCents', 'A cajas', ({ id }) => cashFlowHref(query, { caja: id })),
    ...createMovedColumn('otherMovementsCents', 'Otros movimientos', ({ id }) =>
      cashFlowHref(query, { banco: id }),
    ),
    moneyColumn('disponible', 'Saldo hoy', ({ disponibleCents }) => disponibleCents),
  ];
}

interface WhatIfFormProps {
  query: CashFlowQuery;
  fields?: Readonly<Record<string, number>>;
  children: ReactNode;
}

const WhatIfForm = ({ query, fields, children }: WhatIfFormProps) => (
  <form action={pages.cashFlow} className="filters">
    {Object.entries({ ...query, ...fields }).flatMap(([name, values]) =>
      [values ?? []]
        .flat()
        .map((value) => <input key={name + value} type="hidden" name={name} value={value} />),
    )}
    {children}
    <Button>Probar</Button>
  </form>
);

interface BreakdownRow {
  id: string;
  day: PlainDate;
  cents: Cents;
  what: string;
  href: string;
  suppliername: string;
  /** present where a what-if change can move the invoice to another day */
  invoiceId?: number;
  supplierId?: number;
}

interface FigureBreakdown {
  title: string;
  /** what the rows leave of the available money; absent where the figure is their sum */
  leaves?: { disponibleCents: Cents; quedaCents: Cents };
  rows: readonly BreakdownRow[];
  count: number;
  sumCents: Cents;
}

async function readFigureBreakdown(
  db: Db,
  { items, columns, sources, disponibleCents }: CashFlow,
  { columna, hasta, que, caja, banco, desde = 0 }: CashFlowPageState,
): Promise<FigureBreakdown | undefined> {
  if (caja || banco) {
    const source = sources.find(({ id }) => id === (caja ?? banco));
    if (!source) throw malformedFieldError(caja ? 'caja' : 'banco', 'No existe ese origen de recurso.');
    const { movements } = source;
    const rows = movements.filter(({ kind }) => kind === (caja ? 'caja' : 'banco'));
    const shown = rows.map(({ id, fecha, cents, texto, statementId }, index) => ({
      ...{ id: `m${index}`, day: fecha, cents, what: texto || `Movimiento ${id}`, suppliername: '' },
      href: statementId ? pages.bankStatement(statementId) : pages.pettyCashMovement(id),
    }));
    return { title: caja ? 'A cajas' : 'Otros movimientos', ...sliceAndSumRows(shown, desde) };
  }
  if (!columna && !hasta && !que) return undefined;
  const chosen = columns.find(({ column }) => column.key === (columna ?? hasta))?.column;
  if ((columna || hasta) && !chosen)
    throw malformedFieldError(
      columna ? 'columna' : 'hasta',
      `El flujo de hoy no tiene la columna ${columna ?? hasta}.`,
    );
  const [from, to] = [(columna && chosen?.from) || '', chosen?.to ?? '9999-12-31'];
  const isShown = ({ day, kind }: CashFlowItem) => (!que || kind === que) && day >= from && day <= to;
  const page = sliceAndSumRows(
    items
      .filter(isShown)
      .sort((a, b) => Number(a.day > b.day) - Number(a.day < b.day) || a.invoiceId - b.invoiceId),
    desde,
  );
  const invoices = mapById(
    await readInvoices(
      db,
      page.rows.map(({ invoiceId }) => invoiceId),
    ),
  );
  const rows = page.rows.map(
    ({ kind, day, cents, invoiceId, supplierId, batchId, paymentId }): BreakdownRow => {
      const invoice = invoices.get(invoiceId);
      const number = `Factura ${invoice?.numfactura || `#${invoiceId}`}`;
      return {
        ...{ id: `${kind}${invoiceId}-${batchId ?? paymentId ?? ''}`, day, cents },
        what: batchId
          ? `${batchName(batchId)}: ${number}`
          : paymentId
            ? `Pago de la ${number.toLowerCase()}`
            : number,
        href: batchId
          ? pages.paymentBatch(batchId)
          : paymentId
            ? pages.editPayment(paymentId)
            : pages.editInvoice(invoiceId),
        suppliername: invoice?.suppliername ?? '',
        ...(kind !== 'fechado' && { supplierId }),
        ...(kind === 'vence' && { invoiceId }),
      };
    },
  );
  const kind = que ? OUTFLOW_KIND_LABELS[que] : 'Lo que sale';
  const { quedaCents } = columns.find(({ column }) => column.key === hasta) ?? {};
  return {
    ...page,
    ...(quedaCents !== undefined && !que && { leaves: { disponibleCents, quedaCents } }),
    title: [kind, columna && `en ${columna}`, hasta && `hasta ${hasta}`].filter(Boolean).join(' '),
    rows,
  };
}

const OUTFLOW_KIND_LABELS = { vence: 'Vence', programado: 'Programado', fechado: 'Fechado' } as const;

const sliceAndSumRows = <Row extends { cents: Cents }>(rows: readonly Row[], from: number) => ({
  rows: rows.slice(from, from + BREAKDOWN_ROWS_ON_PAGE),
  count: rows.length,
  sumCents: rows.reduce((sum, { cents }) => sum + cents, 0),
});

function FigureBreakdownTable({
  rows: { title, rows, count, sumCents, leaves },
  query,
  place,
}: Pick<CashFlowResultsProps, 'query' | 'place'> & { rows: FigureBreakdown }) {
  const shown = (place.desde ?? 0) + rows.length;
  const columns: Column<BreakdownRow>[] = [
    dateColumn('day', 'Día', { card: 'foot' }),
    {
      key: 'what',
      label: 'Qué',
      card: 'title',
      className: 'wraps names',
      render: ({ what, href }) => <a href={href}>{what}</a>,
    },
    { key: 'suppliername', label: 'Proveedor', className: 'wraps names', card: 'line' },
    moneyColumn('cents', 'Importe', ({ cents }) => cents, { card: 'side' }),
    {
      ...{ key: 'probar', label: 'Probar', card: 'actions' },
      render({ invoiceId, supplierId, what, suppliername }) {
        if (!supplierId) return null;
        const without = cashFlowHref({ ...query, sin: [...(query.sin ?? []), String(supplierId)] });
        return invoiceId ? (
          <Disclosure summary="Probar" label={`Probar con: ${what}`}>
            <WhatIfForm query={query} fields={{ factura: invoiceId }}>
              <Field kind="date" name="dia" id={`dia-${invoiceId}`} label="Pagar otro día" />
            </WhatIfForm>
            <a href={without}>Sin {suppliername}</a>
          </Disclosure>
        ) : (
          <LinkButton href={without} look="quiet" aria-label={`Sin este proveedor: ${suppliername}`}>
            Sin este proveedor
          </LinkButton>
        );
      },
    },
  ];
  return (
    <section aria-labelledby="filas">
      <h2 id="filas">
        {title}: <Money cents={sumCents} />
      </h2>
      {leaves && (
        <p className="note">
          Queda <Money cents={leaves.quedaCents} /> = saldo en bancos{' '}
          <Money cents={leaves.disponibleCents} href="#origenes" /> − sale <Money cents={sumCents} />.
        </p>
      )}
      <LongTable
        id="renglones"
        shown={shown}
        total={count}
        noun={['renglón', 'renglones']}
        href={cashFlowHref(query, { ...place, desde: shown })}
      >
        <DataTable caption={title} columns={columns} rows={rows} rowKey={({ id }) => id} />
      </LongTable>
    </section>
  );
}
