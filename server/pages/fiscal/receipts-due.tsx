import { Hono } from 'hono';
import type { ReactNode } from 'react';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { formatDate, formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, type ColumnOptions, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { exportPath, pages, withQuery } from '../../../shared/urls.ts';
import { type AppContext, type AppEnv, readSettingsOnce } from '../../http/session.ts';
import { getPageShape } from '../../lists/query-shapes.ts';
import { paymentReceiptsDueList } from '../../lists/receipts-due.ts';
import { fiscalPaths, RECEIPT_LIST_LABELS, type ReceiptListName } from '../../services/fiscal/labels.ts';
import {
  type BalanceMismatch,
  type ReceiptDue,
  type ReceiptsDue,
  type ReceiptsDueSums,
  readBalanceMismatches,
  readLatePue,
  readReceiptsDue,
  type SupplierReceiptsDue,
  sumBySupplier,
} from '../../services/fiscal/receipts-due.ts';
import { composeReceiptsRequestLetter } from '../../services/mails/letters.ts';
import { readReceiptRequestDays } from '../../services/mails/reading.ts';
import { wholeNumberField } from '../../shapes/fields.ts';
import { MailLink, maySendMail } from '../statements/mail-links.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { showReport } from '../ui/report-page.tsx';
import { readSupplierNameRenderer } from './list-69b.tsx';

const MAX_ROWS = 100;

interface PaymentReceiptsQuery {
  corte?: PlainDate | null;
  supplierId?: number | null;
  que?: ReceiptListName;
  desde?: number;
}

const paymentReceiptsDueHref = (place: PaymentReceiptsQuery) => withQuery(fiscalPaths.receipts, { ...place });

export const paymentReceiptsDuePages = new Hono<AppEnv>({ strict: false }).get(fiscalPaths.receipts, (c) =>
  showReport(c, paymentReceiptsDueList, {
    shape: getPageShape(paymentReceiptsDueList).extend({ desde: wholeNumberField('desde', 0, 1_000_000) }),
    first: 'xlsx',
    async read({ corte, supplierId, que = 'pagos', desde }) {
      const place = { corte, supplierId, que, desde };
      const asked = [c.get('deps').db, corte ?? c.get('today'), supplierId] as const;
      if (que === 'saldos')
        return {
          results: (
            <PaymentReceiptRows
              rows={await readBalanceMismatches(...asked)}
              columns={BALANCE_COLUMNS}
              place={place}
            />
          ),
        };
      if (que === 'pue') {
        const { rows, ...sums } = await readLatePue(...asked, { first: desde, count: MAX_ROWS });
        return {
          results: (
            <DuePaymentReceipts sums={sums} place={place}>
              <PaymentReceiptRows rows={rows} total={sums.cuenta} columns={dueColumns(true)} place={place} />
            </DuePaymentReceipts>
          ),
        };
      }
      const due = await readReceiptsDue(...asked);
      const rows = sumBySupplier(due.rows).sort((one, other) => other.faltaCents - one.faltaCents);
      const request = { c, corte: due.corte, empresa: (await readSettingsOnce(c)).empresa };
      const { db, config } = c.get('deps');
      const ids = rows.map((row) => row.supplierId);
      const requestDays = await readReceiptRequestDays(db, ids, config.timeZone);
      const renderName = await readSupplierNameRenderer(
        db,
        rows.map(({ rfc }) => rfc),
      );
      const requestedOn = (row: SupplierReceiptsDue) => {
        const day = requestDays.get(row.supplierId);
        return day ? `Pedido el ${formatDate(day)}` : null;
      };
      return {
        actions: supplierId
          ? rows.map((row) => <PaymentReceiptsRequestLink key={row.id} {...request} row={row} />)
          : rows.length > 1 &&
            maySendMail(c) && (
              <LinkButton
                href={withQuery(fiscalPaths.sendReceiptsRequests, { corte: due.corte })}
                look="primary"
                icon="mail"
              >
                Pedir todos
              </LinkButton>
            ),
        results: supplierId ? (
          <DuePaymentReceipts sums={due} place={place}>
            <PaymentReceiptRows
              rows={due.rows}
              columns={dueColumns(false)}
              place={place}
              note={[rows[0] && requestedOn(rows[0]), LIST_NOTES.pagos].filter(Boolean).join('. ')}
            />
          </DuePaymentReceipts>
        ) : (
          <DuePaymentReceipts sums={due} place={place}>
            <DueBySupplier {...{ due, rows, place, request, requestedOn, renderName }} />
          </DuePaymentReceipts>
        ),
      };
    },
    words: () => ({}),
  }),
);

interface PaymentReceiptsRequestProps {
  c: AppContext;
  corte: PlainDate;
  empresa: string;
  row: SupplierReceiptsDue;
  word?: string;
}

function PaymentReceiptsRequestLink({ c, corte, empresa, row, word }: PaymentReceiptsRequestProps) {
  const { supplierId } = row;
  const sending = withQuery(fiscalPaths.sendReceiptsRequest(supplierId), { corte });
  return (
    <MailLink
      letter={composeReceiptsRequestLetter({ ...row, id: supplierId }, { ...row, corte }, empresa)}
      pdf={requestPdfHref({ corte, supplierId })}
      sendingHref={maySendMail(c) && sending}
      label={word ? `${word} los REP de ${row.suppliername}` : 'Enviar la petición por correo'}
      word={word}
    />
  );
}

const requestPdfHref = (place: PaymentReceiptsQuery) =>
  withQuery(exportPath(fiscalPaths.receipts, 'pdf'), { ...place });

const LIST_NOTES: Readonly<Record<ReceiptListName, string>> = {
  pagos: 'El REP se emite a más tardar el día 5 del mes siguiente al pago.',
  pue: 'Las del año, y las de antes que se deben. Lo que no se paga en el mes de su emisión se factura como PPD: pide que la sustituyan.',
  saldos:
    'REP de este mes y del anterior; de un proveedor, de todo el año. El saldo de aquí cuenta las notas de crédito.',
};

const EMPTY_TEXTS: Readonly<Record<ReceiptListName, string>> = {
  pagos: 'Todos los pagos a facturas PPD tienen su REP.',
  pue: 'Todas las facturas PUE se pagaron en su mes.',
  saldos: 'Los REP dicen el mismo saldo que hay aquí.',
};

interface DueProps {
  sums: ReceiptsDueSums;
  place: PaymentReceiptsQuery;
  children: ReactNode;
}

function DuePaymentReceipts({ sums, place, children }: DueProps) {
  const isPue = place.que === 'pue';
  const label = isPue ? 'Debido al fin de su mes' : 'Sin REP';
  return (
    <>
      <Totals
        label={RECEIPT_LIST_LABELS[place.que!]}
        items={[
          { label: `${label} (${formatCount(sums.cuenta)})`, cents: sums.faltaCents },
          { label: 'Vencido', cents: sums.vencidoCents },
          { label: 'IVA por respaldar', cents: sums.ivaCents },
        ]}
      />
      {children}
    </>
  );
}

interface BySupplierProps {
  requestedOn: (row: SupplierReceiptsDue) => string | null;
  renderName: (name: string, rfc: string | null) => ReactNode;
  due: ReceiptsDue;
  rows: readonly SupplierReceiptsDue[];
  place: PaymentReceiptsQuery;
  request: Pick<PaymentReceiptsRequestProps, 'c' | 'corte' | 'empresa'>;
}

function DueBySupplier({ due, rows, place, request, requestedOn, renderName }: BySupplierProps) {
  const days = new Set(due.rows.map(({ vence }) => vence));
  const [day] = days.size === 1 ? days : [];
  const onlyDay = day && day >= due.corte ? day : undefined;
  const ask = (row: SupplierReceiptsDue) => (
    <>
      <PaymentReceiptsRequestLink {...request} row={row} word="Pedir" />
      <LinkButton
        look="quiet"
        className="hide-sm"
        href={requestPdfHref({ corte: due.corte, supplierId: row.supplierId })}
        aria-label={`PDF de los REP de ${row.suppliername}`}
      >
        PDF
      </LinkButton>
    </>
  );
  return (
    <PaymentReceiptRows<SupplierReceiptsDue>
      rows={rows}
      columns={[
        supplierColumn(requestedOn, ({ suppliername, rfc }) => renderName(suppliername, rfc)),
        { key: 'cuenta', label: 'Pagos', align: 'end', card: 'none', render: paymentCountText },
        ...amountColumns<SupplierReceiptsDue>({ cardLabel: (row) => `${paymentCountText(row)} sin REP` }),
        ...(onlyDay ? [] : [dueDateColumn]),
        { key: 'pedir', label: 'Acciones', card: 'actions', className: 'card-side', render: ask },
      ]}
      place={place}
      note={
        <>
          {onlyDay ? `Todos vencen el ${formatLongDate(onlyDay)}.` : LIST_NOTES.pagos}
          {rows.length > 1 && !request.c.get('deps').config.mail && (
            <>
              {' '}
              Para pedirlos todos a la vez,{' '}
              <a href={`${pages.help}/correos`}>configura el correo del servidor</a>.
            </>
          )}
        </>
      }
    />
  );
}

const paymentCountText = ({ cuenta }: SupplierReceiptsDue) => pluralize(cuenta, 'pago', 'pagos');

interface RowsProps<Row> {
  rows: readonly Row[];
  /** the number of all rows, if `rows` contains only those to be shown */
  total?: number;
  columns: Column<Row>[];
  place: PaymentReceiptsQuery;
  note?: ReactNode;
}

function PaymentReceiptRows<Row extends ReceiptDue | BalanceMismatch>({
  rows,
  total,
  columns,
  place,
  note,
}: RowsProps<Row>) {
  const { que = 'pagos', supplierId, desde = 0 } = place;
  const part = total === undefined ? rows.slice(desde, desde + MAX_ROWS) : rows;
  if (part.length === 0) return <p>{EMPTY_TEXTS[que]}</p>;
  const shown = desde + part.length;
  const hrefOf = (row: Row) => {
    if (que === 'pue') return pages.editInvoice(row.id);
    return que === 'pagos' && !supplierId
      ? paymentReceiptsDueHref({ ...place, desde: undefined, supplierId: row.supplierId })
      : pages.editPayment(row.id);
  };
  return (
    <>
      <p className="note">{note || LIST_NOTES[que]}</p>
      <LongTable
        id={`lista-${que}`}
        {...{ shown, total: total ?? rows.length, noun: paymentReceiptsDueList.noun }}
        href={paymentReceiptsDueHref({ ...place, desde: shown })}
      >
        <DataTable
          caption={RECEIPT_LIST_LABELS[que]}
          columns={columns}
          rows={part}
          rowKey={({ id }) => id}
          rowHref={hrefOf}
        />
      </LongTable>
    </>
  );
}

const supplierColumn = <Row extends ReceiptDue | BalanceMismatch>(
  under?: Column<Row>['textBelow'],
  render: (row: Row) => ReactNode = ({ suppliername }) => suppliername,
): Column<Row> => ({
  key: 'suppliername' as const,
  label: 'Proveedor',
  card: 'title',
  isRowLink: true,
  className: 'wraps names',
  textBelow: under,
  render,
});

const dueDateColumn: Column<ReceiptDue> = {
  key: 'vence',
  label: 'Vence',
  card: 'corner',
  textBelow: ({ atraso }) => (atraso > 0 ? `hace ${pluralize(atraso, 'día', 'días')}` : null),
  render: ({ vence, atraso }) =>
    atraso > 0 ? (
      <Chip tone="danger">
        <DateText date={vence} />
      </Chip>
    ) : (
      <DateText date={vence} />
    ),
};

const amountColumns = <Row extends ReceiptDue>(look: Partial<ColumnOptions<Row>> = {}): Column<Row>[] => [
  moneyColumn('falta', 'Sin REP', ({ faltaCents }) => faltaCents, {
    textBelow: ({ enSuMoneda }) => enSuMoneda,
    card: 'half',
    ...look,
  }),
  moneyColumn('iva', 'IVA por respaldar', ({ ivaCents }) => ivaCents, {
    card: 'half',
    cardLabel: () => 'IVA',
  }),
];

const documentColumns = <Row extends ReceiptDue | BalanceMismatch>(isPue = false): Column<Row>[] => [
  supplierColumn(({ numfactura, uuid }) => numfactura || uuid),
  dateColumn('fecha', isPue ? 'Emitida' : 'Pagado el'),
  moneyColumn('importe', isPue ? 'Total' : 'Pagado', ({ importeCents }) => importeCents),
];

const dueColumns = (isPue: boolean): Column<ReceiptDue>[] => [
  ...documentColumns<ReceiptDue>(isPue),
  ...amountColumns<ReceiptDue>(isPue ? { label: 'Debía' } : {}),
  dueDateColumn,
];

const renderBalanceCell = (cents: Cents | null) => (cents === null ? 'no lo dice' : <Money cents={cents} />);

const BALANCE_COLUMNS: Column<BalanceMismatch>[] = [
  ...documentColumns<BalanceMismatch>(),
  { key: 'numero', label: 'REP' },
  {
    key: 'rep',
    label: 'Saldo del REP',
    align: 'end',
    render: ({ saldoRepCents }) => renderBalanceCell(saldoRepCents),
  },
  {
    key: 'saldo',
    label: 'Saldo aquí',
    align: 'end',
    render: ({ saldoCents }) => renderBalanceCell(saldoCents),
  },
];
