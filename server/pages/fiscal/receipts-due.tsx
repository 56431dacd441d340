import { Hono } from 'hono';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { exportPath, pages, withQuery } from '../../../shared/urls.ts';
import { type AppContext, type AppEnv, requestSettings } from '../../http/session.ts';
import { receiptsDueList } from '../../lists/receipts-due.ts';
import { pageShape } from '../../lists/shapes.ts';
import { fiscalPaths, RECEIPT_LIST_LABELS, type ReceiptListName } from '../../services/fiscal/labels.ts';
import {
  bySupplier,
  type ReceiptDue,
  type ReceiptSums,
  type ReceiptsDue,
  readLatePue,
  readReceiptsDue,
  readStatedBalances,
  type StatedBalance,
  sumReceipts,
} from '../../services/fiscal/receipts-due.ts';
import { receiptsLetter } from '../../services/mails/letters.ts';
import { readSupplier } from '../../services/statements/reading.ts';
import { wholeField } from '../../shapes/fields.ts';
import { MailLink, maySendMail } from '../statements/mail.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { showReport } from '../ui/report-page.tsx';

const MAX_ROWS = 100;

interface Place {
  corte?: PlainDate | null;
  supplierId?: number | null;
  que?: ReceiptListName;
  desde?: number;
}

const addressOf = (place: Place) => withQuery(fiscalPaths.receipts, { ...place });

export const receiptsDuePages = new Hono<AppEnv>({ strict: false }).get(fiscalPaths.receipts, (c) =>
  showReport(c, receiptsDueList, {
    shape: pageShape(receiptsDueList).extend({ desde: wholeField('desde', 0, 1_000_000) }),
    first: 'xlsx',
    async read({ corte, supplierId, que = 'pagos', desde }) {
      const place = { corte, supplierId, que, desde };
      const asked = [c.get('deps').db, corte ?? c.get('today'), supplierId] as const;
      if (que === 'saldos')
        return {
          results: <Rows rows={await readStatedBalances(...asked)} columns={BALANCES} place={place} />,
        };
      if (que === 'pue') {
        const rows = await readLatePue(...asked);
        return { results: <Due sums={sumReceipts(rows)} rows={rows} place={place} /> };
      }
      const due = await readReceiptsDue(...asked);
      return {
        actions: supplierId && due.cuenta > 0 && (await renderRequest(c, due, { corte, supplierId })),
        results: <Due sums={due} rows={due.rows} place={place} />,
      };
    },
  }),
);

async function renderRequest(c: AppContext, due: ReceiptsDue, place: Place & { supplierId: number }) {
  const supplier = await readSupplier(c.get('deps').db, place.supplierId);
  const sending = withQuery(fiscalPaths.sendReceiptsRequest(supplier.id), { corte: place.corte });
  return (
    <MailLink
      letter={receiptsLetter(supplier, due, (await requestSettings(c)).empresa)}
      pdf={requestPath(place)}
      sending={maySendMail(c) && sending}
      label="Enviar la petición por correo"
    />
  );
}

const requestPath = (place: Place) => withQuery(exportPath(fiscalPaths.receipts, 'pdf'), { ...place });

const NOTES: Readonly<Record<ReceiptListName, string>> = {
  pagos: 'El REP se emite a más tardar el día 5 del mes siguiente al pago.',
  pue: 'Las del año, y las de antes que se deben. Lo que no se paga en el mes de su emisión se factura como PPD: pide que la sustituyan.',
  saldos:
    'REP de este mes y del anterior; de un proveedor, de todo el año. El saldo de aquí cuenta las notas de crédito.',
};

const EMPTY: Readonly<Record<ReceiptListName, string>> = {
  pagos: 'Todos los pagos a facturas PPD tienen su REP.',
  pue: 'Todas las facturas PUE se pagaron en su mes.',
  saldos: 'Los REP dicen el mismo saldo que hay aquí.',
};

function Due({ sums, rows, place }: { sums: ReceiptSums; rows: readonly ReceiptDue[]; place: Place }) {
  const { que, supplierId } = place;
  const isGrouped = que === 'pagos' && !supplierId;
  const label = que === 'pue' ? 'Debido al fin de su mes' : 'Sin REP';
  return (
    <>
      <Totals
        label={RECEIPT_LIST_LABELS[que!]}
        items={[
          { label: `${label} (${formatCount(sums.cuenta)})`, cents: sums.faltaCents },
          { label: 'Vencido', cents: sums.vencidoCents },
          { label: 'IVA por respaldar', cents: sums.ivaCents },
        ]}
      />
      {isGrouped ? (
        <Rows rows={bySupplier(rows)} columns={supplierColumns(place)} place={place} />
      ) : (
        <Rows rows={rows} columns={dueColumns(que === 'pue')} place={place} />
      )}
    </>
  );
}

interface RowsProps<Row> {
  rows: readonly Row[];
  columns: Column<Row>[];
  place: Place;
}

function Rows<Row extends ReceiptDue | StatedBalance>({ rows, columns, place }: RowsProps<Row>) {
  const { que = 'pagos', supplierId, desde = 0 } = place;
  const part = rows.slice(desde, desde + MAX_ROWS);
  if (part.length === 0) return <p>{EMPTY[que]}</p>;
  const shown = desde + part.length;
  const hrefOf = (row: Row) => {
    if (que === 'pue') return pages.editInvoice(row.id);
    return que === 'pagos' && !supplierId
      ? addressOf({ ...place, desde: undefined, supplierId: row.supplierId })
      : pages.editPayment(row.id);
  };
  return (
    <>
      <p className="note">{NOTES[que]}</p>
      <LongTable
        id={`lista-${que}`}
        {...{ shown, total: rows.length, noun: receiptsDueList.noun }}
        href={addressOf({ ...place, desde: shown })}
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

const supplierColumn = <Row extends ReceiptDue | StatedBalance>(
  under?: Column<Row>['under'],
): Column<Row> => ({
  key: 'suppliername' as const,
  label: 'Proveedor',
  card: 'title',
  link: true,
  className: 'wraps names',
  under,
  render: ({ suppliername }) => suppliername,
});

const dueColumn: Column<ReceiptDue> = {
  key: 'vence',
  label: 'Vence',
  card: 'corner',
  under: ({ atraso }) => (atraso > 0 ? `hace ${pluralize(atraso, 'día', 'días')}` : null),
  render: ({ vence, atraso }) =>
    atraso > 0 ? (
      <Chip tone="danger">
        <DateText date={vence} />
      </Chip>
    ) : (
      <DateText date={vence} />
    ),
};

const amountColumns = (isPue = false): Column<ReceiptDue>[] => [
  moneyColumn('falta', isPue ? 'Debía' : 'Sin REP', ({ faltaCents }) => faltaCents, {
    under: ({ enSuMoneda }) => enSuMoneda,
    card: 'half',
  }),
  moneyColumn('iva', 'IVA por respaldar', ({ ivaCents }) => ivaCents, { card: 'half' }),
  dueColumn,
];

const supplierColumns = (place: Place): Column<ReceiptDue & ReceiptSums>[] => [
  supplierColumn(),
  { key: 'cuenta', label: 'Pagos', align: 'end', render: ({ cuenta }) => formatCount(cuenta) },
  ...(amountColumns() as Column<ReceiptDue & ReceiptSums>[]),
  {
    key: 'pedir',
    label: 'Acciones',
    card: 'actions',
    render: ({ supplierId, suppliername }) => (
      <LinkButton
        look="quiet"
        href={requestPath({ corte: place.corte, supplierId })}
        aria-label={`Pedir los REP de ${suppliername}`}
      >
        Pedir
      </LinkButton>
    ),
  },
];

const documentColumns = <Row extends ReceiptDue | StatedBalance>(isPue = false): Column<Row>[] => [
  supplierColumn(({ numfactura, uuid }) => numfactura || uuid),
  dateColumn('fecha', isPue ? 'Emitida' : 'Pagado el'),
  moneyColumn('importe', isPue ? 'Total' : 'Pagado', ({ importeCents }) => importeCents),
];

const dueColumns = (isPue: boolean): Column<ReceiptDue>[] => [
  ...documentColumns<ReceiptDue>(isPue),
  ...amountColumns(isPue),
];

const balance = (cents: Cents | null) => (cents === null ? 'no lo dice' : <Money cents={cents} />);

const BALANCES: Column<StatedBalance>[] = [
  ...documentColumns<StatedBalance>(),
  { key: 'numero', label: 'REP' },
  { key: 'rep', label: 'Saldo del REP', align: 'end', render: ({ saldoRepCents }) => balance(saldoRepCents) },
  { key: 'saldo', label: 'Saldo aquí', align: 'end', render: ({ saldoCents }) => balance(saldoCents) },
];
