import { Fragment, type ReactNode } from 'react';
import type { PickerFallback } from '../../../islands/pickers/picker.ts';
import { joinFirst } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  groupRemarksByKind,
  MAX_UNGROUPED_REMARKS,
  type Remark,
  remarkKindKey,
  toPlainText,
  toStructuredRemark,
} from '../../../shared/remarks.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { pages } from '../../../shared/urls.ts';
import type { StoredOutcome } from '../../services/documents/loads.ts';
import type { CfdiOutcome } from '../../services/documents/outcomes.ts';

export const DOCUMENT_KIND_LABELS = { I: 'Factura', E: 'Nota de crédito', P: 'Recibo de pago' } as const;

export interface DocumentRow
  extends Pick<StoredOutcome, 'name' | 'numero' | 'emisor' | 'totalCents' | 'kind' | 'linked'> {
  outcome: CfdiOutcome['outcome'];
  isStored?: boolean;
  href?: string;
  fecha?: PlainDate;
  isNewSupplier?: boolean;
  invoiceId?: number;
  remarks: readonly Remark[];
  pdf?: string;
}

export const documentNameOf = ({ numero, name }: Pick<DocumentRow, 'numero' | 'name'>): string =>
  numero || name;

/** Remarks that are shown above the table (`isShared`) are left out of rows, except the first sentence of a refusal. */
export const documentColumns = <Row extends DocumentRow>(
  label: string,
  { isShared }: SharedRemarks,
): readonly Column<Row>[] => [
  {
    key: 'document',
    label: 'Documento',
    card: 'title',
    className: 'wraps names',
    render: ({ kind, fecha, href, ...row }) => (
      <>
        {href ? (
          <a href={href} title={row.name}>
            {documentNameOf(row)}
          </a>
        ) : (
          documentNameOf(row)
        )}
        {(kind || fecha) && (
          <div className="hint">
            {kind && DOCUMENT_KIND_LABELS[kind]}
            {kind && fecha && ' · '}
            {fecha && <DateText date={fecha} />}
          </div>
        )}
      </>
    ),
  },
  {
    key: 'supplier',
    label: 'Proveedor',
    card: 'line',
    className: 'wraps names',
    render: ({ emisor, isNewSupplier }) => (
      <>
        {emisor} {isNewSupplier && <Chip tone="accent">Alta</Chip>}
      </>
    ),
  },
  {
    key: 'total',
    label: 'Total',
    align: 'end',
    render: ({ totalCents }) => totalCents !== undefined && formatMoney(totalCents),
  },
  {
    key: 'outcome',
    label,
    card: 'line',
    className: 'wraps',
    render: ({ remarks, invoiceId, pdf, isStored, ...row }) => (
      <div>
        <OutcomeChip {...row} isStored={isStored} />{' '}
        {invoiceId !== undefined && <a href={pages.editInvoice(invoiceId)}>Ver factura</a>}
        {remarkTexts(
          remarks.flatMap((one, index) => {
            if (!isShared(one)) return one;
            return row.outcome === 'refused' && index === 0 ? toPlainText(one).split(/(?<=\.) /)[0]! : [];
          }),
        ).map((text) => (
          <div key={text} className="hint">
            {text}
          </div>
        ))}
        {pdf && !isStored && <div className="hint">Con su PDF, {pdf}.</div>}
      </div>
    ),
  },
];

const MAX_REMARKS = 4;
const MAX_REMARK_LENGTH = 400;

function remarkTexts(remarks: readonly Remark[]): string[] {
  const texts = [...new Set(remarks.map(toPlainText))];
  const more = texts.length - MAX_REMARKS;
  const shownTexts = texts
    .slice(0, MAX_REMARKS)
    .map((text) => (text.length > MAX_REMARK_LENGTH ? `${text.slice(0, MAX_REMARK_LENGTH)}…` : text));
  return more > 0 ? [...shownTexts, `Y ${more} avisos más.`] : shownTexts;
}

/** A shared remark names at most this many documents, so that a page of 500 documents stays within 200 KB. */
const MAX_NAMED_DOCUMENTS = 100;

interface SharedRemarks {
  sentences: readonly ReactNode[];
  isShared: (remark: Remark) => boolean;
}

export function collectSharedRemarks(documents: readonly DocumentRow[]): SharedRemarks {
  const shownTexts = documents.flatMap((one) =>
    one.remarks.map((remark) => [documentNameOf(one), remark] as const),
  );
  const kinds = [...groupRemarksByKind(shownTexts)].filter(
    ([, { names }]) => names.length > MAX_UNGROUPED_REMARKS,
  );
  const shared = new Set(kinds.map(([kind]) => kind));
  return {
    sentences: kinds.map(([kind, { first, isSame, names }]) => (
      <Fragment key={kind}>
        {`En ${names.length} documentos${isSame ? '' : ', por ejemplo'}: ${toPlainText(first)}`}
        <Disclosure summary="Ver cuáles">{joinFirst(names, MAX_NAMED_DOCUMENTS)}</Disclosure>
      </Fragment>
    )),
    isShared: (remark) => shared.has(remarkKindKey(remark)),
  };
}

export const WarningAlert = ({ sentences }: Pick<SharedRemarks, 'sentences'>) =>
  sentences.length > 0 && (
    <Alert tone="warning" isDismissible={false}>
      {sentences.length === 1 ? (
        sentences
      ) : (
        <ul>
          {sentences.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, on the server
            <li key={index}>{sentence}</li>
          ))}
        </ul>
      )}
    </Alert>
  );

function OutcomeChip({ outcome, linked, kind, isStored }: Omit<DocumentRow, 'name' | 'remarks'>) {
  if (outcome === 'refused') return <Chip tone="danger">No se guarda</Chip>;
  if (outcome === 'unchanged') return <Chip>Ya está</Chip>;
  if (linked && kind === 'I') return <Chip tone="accent">{isStored ? 'Ligada' : 'Se liga'}</Chip>;
  return null;
}

export function newSuppliersText(names: readonly string[]): string {
  const listed = joinFirst(names, 3);
  return names.length === 1
    ? `No está en la lista de proveedores: se dará de alta ${listed}`
    : `No están en la lista de proveedores: se darán de alta ${names.length} (${listed})`;
}

interface FundingSourceFieldProps {
  isRequired?: boolean;
  sourceOptions: PickerFallback;
  values: Readonly<Partial<Record<string, string>>>;
  error?: string;
}

/** The funding source for payments of a receipt that are not recorded yet; without one they remain a warning. */
export function FundingSourceField({
  sourceOptions,
  values,
  isRequired = false,
  error,
}: FundingSourceFieldProps) {
  const shared = {
    label: isRequired ? 'Origen de recurso' : 'Origen de recurso de los pagos que falten',
    hint: !isRequired && 'Sin origen, los pagos que falten no se registran.',
    error,
    required: isRequired,
    focus: error !== undefined,
  };
  if (!('options' in sourceOptions))
    return (
      <Field
        {...shared}
        name={sourceOptions.name}
        value={sourceOptions.value}
        placeholder={sourceOptions.placeholder}
      />
    );
  const options = [
    { value: '', label: isRequired ? 'Seleccionar origen de recurso' : 'Ninguno' },
    ...sourceOptions.options,
  ];
  const name = 'origenderecursoId';
  return <Field {...shared} kind="select" name={name} value={values[name]} options={options} />;
}

export const NextLinks = () => (
  <>
    <LinkButton href={pages.loadInvoice} icon="load">
      Cargar otro XML
    </LinkButton>
    <LeaveLink href={pages.invoices} savesNothing />
  </>
);

export const isTotalMismatchRemark = (remark: Remark): boolean =>
  toStructuredRemark(remark).code === 'total_mismatch';
