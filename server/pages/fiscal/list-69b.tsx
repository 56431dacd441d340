import { Hono } from 'hono';
import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { describeDaysUntil, formatDate, formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable, MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { MAX_LIST_MB, SITUATION_LABELS, SITUATIONS, type Situation } from '../../formats/sat/list-69b.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readUploadForm } from '../../http/uploads.ts';
import { list69bList } from '../../lists/list-69b.ts';
import { fiscalPaths, LIST_69B_TABLE_LABELS, type List69bTable } from '../../services/fiscal/labels.ts';
import {
  computeCorrectionDeadline,
  countAndSumPresuntos,
  importList69b,
  type List69bReport,
  type ListedPayment,
  type ListedSupplier,
  missingListFileError,
  pickNextCorrectionDeadline,
  readList69bReport,
  readSituation,
  readSituations,
} from '../../services/fiscal/list-69b.ts';
import { redirectWithMessage, renderPage, saveOrRerender } from '../../shell/render.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { FileField } from '../ui/file-field.tsx';
import { LongTable, markGroupEnds, type RowInGroup, readFirstRowIndex } from '../ui/long-table.tsx';
import type { FormState } from '../ui/record-form.tsx';

const MAX_PAYMENT_ROWS = 100;

export const list69bPages = new Hono<AppEnv>({ strict: false })
  .get(fiscalPaths.list69b, (c) => showList69b(c, {}))
  .post(fiscalPaths.list69b, (c) =>
    saveOrRerender(
      c,
      async () => {
        const { files } = await readUploadForm(c, MAX_LIST_MB);
        if (!files.file) throw missingListFileError();
        const { signal } = c.req.raw;
        const { corte, warnings } = await importList69b(c.get('deps').db, actorOf(c), files.file, { signal });
        const text = `Se cargó la lista con corte del ${formatLongDate(corte!)}.`;
        return redirectWithMessage(c, fiscalPaths.list69b, { text, warnings });
      },
      (problem, status) => showList69b(c, { problem, status }),
    ),
  );

async function showList69b(c: AppContext, { problem, status }: Partial<FormState>) {
  const listing = await readList69bReport(c.get('deps').db);
  const { corte, filas } = listing;
  return renderPage(
    c,
    {
      title: list69bList.title,
      status,
      actions: corte && <ExportLinks list={fiscalPaths.list69b} defaultFormat="xlsx" query={{}} />,
    },
    <div className="stack">
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {corte ? (
        <List69bResults listing={listing} from={readFirstRowIndex(c)} today={c.get('today')} />
      ) : (
        <EmptyState title="No se ha cargado ninguna lista">
          Dice de qué contribuyentes presume el SAT, o ya resolvió, que facturan operaciones inexistentes. Con
          ella se marca a tus proveedores que están, y se suma lo que se les pagó. El SAT la publica en su
          portal, con los datos abiertos de contribuyentes, como «Listado completo».
        </EmptyState>
      )}
      <form
        method="post"
        action={fiscalPaths.list69b}
        encType="multipart/form-data"
        className="form"
        data-busy=""
        noValidate
      >
        <div className="fields">
          <FileField
            name="file"
            label="Listado completo 69-B"
            accept=".csv"
            hint={`El CSV que publica el SAT, tal como se descarga. Sustituye a la lista${corte ? ` del ${formatDate(corte)}, de ${formatCount(filas)} renglones` : ' anterior'}.`}
            error={problem?.fields?.file}
          />
        </div>
        <div className="actions">
          <Button look="primary">Cargar</Button>
        </div>
      </form>
    </div>,
  );
}

interface ListingResultsProps {
  listing: List69bReport;
  from: number;
  today: PlainDate;
}

function List69bResults({ listing, from, today }: ListingResultsProps) {
  const { corte, filas, proveedores, pagos, pagadoCents } = listing;
  const counts = SITUATIONS.map(
    (one) => [one, proveedores.filter(({ situacion }) => situacion === one).length] as const,
  );
  const found = counts.filter(([, count]) => count > 0);
  const part = markGroupEnds(
    pagos.slice(from, from + MAX_PAYMENT_ROWS),
    (one, other) => one.supplierId === other.supplierId,
  );
  const shown = from + part.length;
  const isOnly = proveedores.filter(computeCorrectionDeadline).length === 1;
  const deadline = pickNextCorrectionDeadline(proveedores, today);
  const isAhead = deadline !== null && deadline >= today;
  const presuntos = countAndSumPresuntos(proveedores);
  return (
    <>
      <p>
        {formatCount(filas)} contribuyentes al {formatDate(corte)}. De tus proveedores:{' '}
        {found.length === 0
          ? 'ninguno'
          : found
              .map(([one, count]) => `${formatCount(count)} ${SITUATION_LABELS[one].toLowerCase()}`)
              .join(', ')}
        .
      </p>
      {pagos.length > 0 && (
        <Alert tone="error" heading={LIST_69B_TABLE_LABELS.pagos} isDismissible={false}>
          {pluralize(pagos.length, 'pago', 'pagos')} por <Money cents={pagadoCents} href="#pagos" />. Quien
          recibió sus CFDI tiene 30 días hábiles desde la publicación para acreditar las operaciones, o
          corregir.{' '}
          {deadline && (
            <>
              {isOnly ? 'El plazo' : isAhead ? 'El siguiente plazo' : 'El último plazo'}{' '}
              {isAhead ? 'termina' : 'terminó'} el {formatLongDate(deadline)},{' '}
              {describeDaysUntil(deadline, today)}.{' '}
            </>
          )}
          <a href={`${pages.helpTopic('lista-69b')}#que-hacer-69b`}>Ver qué hacer</a>
        </Alert>
      )}
      {presuntos.cents > 0 && (
        <Alert tone="warning" heading="Pagado a presuntos" isDismissible={false}>
          <Money cents={presuntos.cents} href="#proveedores" /> a{' '}
          {pluralize(presuntos.count, 'proveedor', 'proveedores')}. Si el SAT los publica como definitivos,
          habrá que acreditar esas operaciones: reúne ya sus pruebas, y revisa antes de pagar más.
        </Alert>
      )}
      {proveedores.length > 0 && (
        <List69bSection que="proveedores">
          <DataTable
            caption={LIST_69B_TABLE_LABELS.proveedores}
            columns={supplierColumns(today)}
            rows={proveedores}
            rowKey={({ supplierId }) => supplierId}
            rowHref={({ supplierId }) => `${pages.editSupplier}/${supplierId}`}
          />
        </List69bSection>
      )}
      {part.length > 0 && (
        <List69bSection que="pagos">
          <LongTable
            id="lista-pagos"
            {...{ shown, total: pagos.length, noun: ['pago', 'pagos'] }}
            href={`${fiscalPaths.list69b}?desde=${shown}`}
          >
            <DataTable
              caption={LIST_69B_TABLE_LABELS.pagos}
              columns={PAYMENT_COLUMNS}
              rows={part}
              rowKey={({ id }) => id}
              rowHref={({ id }) => pages.editPayment(id)}
              rowClass={({ isLast }) => (isLast ? undefined : 'joined')}
              footer={{ suppliername: 'Total', pagado: <Money cents={pagadoCents} /> }}
            />
          </LongTable>
        </List69bSection>
      )}
    </>
  );
}

const List69bSection = ({ que, children }: { que: List69bTable; children: ReactNode }) => (
  <section aria-labelledby={que}>
    <h2 id={que}>{LIST_69B_TABLE_LABELS[que]}</h2>
    {children}
  </section>
);

const SITUATION_TONES = {
  definitivo: 'danger',
  presunto: 'warn',
  desvirtuado: 'neutral',
  favorable: 'neutral',
} as const;

const SituationChip = ({ situacion }: { situacion: Situation }) => (
  <Chip tone={SITUATION_TONES[situacion]}>{SITUATION_LABELS[situacion]}</Chip>
);

const supplierColumns = (today: PlainDate): Column<ListedSupplier>[] => [
  {
    key: 'suppliername',
    ...{ label: 'Proveedor', card: 'title', isRowLink: true, className: 'wraps names' },
    textBelow: ({ rfc }) => rfc,
  },
  {
    key: 'situacion',
    label: 'Situación',
    card: 'corner',
    render: ({ situacion }) => <SituationChip situacion={situacion} />,
  },
  { ...dateColumn('presunto', 'Presunto desde'), render: ({ presunto }) => renderDayOrDash(presunto) },
  {
    ...dateColumn('definitivo', 'Definitivo desde'),
    render: ({ definitivo }) => renderDayOrDash(definitivo),
  },
  {
    ...{ key: 'plazo', label: 'Fin de 30 días hábiles' },
    render: (supplier) => renderDayOrDash(computeCorrectionDeadline(supplier)),
    textBelow(supplier) {
      const day = computeCorrectionDeadline(supplier);
      return day && describeDaysUntil(day, today);
    },
  },
  moneyColumn('pagado', 'Pagado', ({ pagadoCents }) => pagadoCents, { dash: true }),
];

const renderDayOrDash = (day: PlainDate | null) =>
  day ? <DateText date={day} /> : <span className="zero dash">–</span>;

type PaymentTableRow = RowInGroup<ListedPayment>;

const PAYMENT_COLUMNS: Column<PaymentTableRow>[] = [
  {
    key: 'suppliername',
    ...{ label: 'Proveedor', card: 'line', className: 'wraps names' },
    render: ({ isFirst, suppliername }) => isFirst && suppliername,
  },
  {
    key: 'numfactura',
    ...{ label: 'Factura', card: 'title', isRowLink: true, wraps: MAX_UNWRAPPED_LETTERS },
    render: ({ numfactura, uuid }) => numfactura || uuid || 'Sin número',
  },
  dateColumn('fecha', 'Pagado el', { card: 'half', cardLabel: () => '' }),
  {
    ...{ key: 'alPagar', label: 'Situación al pagar', card: 'half', cardLabel: () => '' },
    render: ({ alPagar }) => (alPagar ? <SituationChip situacion={alPagar} /> : 'No estaba en la lista'),
  },
  moneyColumn('pagado', 'Pagado', ({ pagadoCents }) => pagadoCents, { card: 'corner' }),
];

/** @returns a function that renders a supplier's name and, beside it, the situation Definitivo or Presunto */
export async function readSupplierNameRenderer(db: Db, rfcs: readonly unknown[]) {
  const listed = await readSituations(db, rfcs.filter(Boolean).map(String));
  return (name: string, rfc: unknown): ReactNode => {
    const situacion = listed.get(String(rfc))?.situacion;
    if (situacion !== 'definitivo' && situacion !== 'presunto') return name;
    return [`${name} `, <SituationChip key="chip" situacion={situacion} />];
  };
}

/** The alert on the page of a supplier whom the SAT lists. @returns null for other suppliers */
export async function renderSupplierSituation(c: AppContext, rfc: unknown) {
  const found = await readSituation(c.get('deps').db, rfc);
  if (!found) return null;
  const { situacion, corte } = found;
  return (
    <p>
      <SituationChip situacion={situacion} /> en la lista 69-B del SAT, con corte del {formatDate(corte)}.
    </p>
  );
}
