import type { Db } from '../../../db/schema.ts';
import { type CreditNote, unappliedOf } from '../../../shared/credit-notes.ts';
import { formatDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable, MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { readSupplierCredit } from '../../services/credit-notes/reading.ts';
import { readOpenInvoiceOptions } from '../../services/invoices/finding.ts';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { MAX_SELECT_OPTIONS } from '../ui/pickers.ts';
import { type FormState, prepareIdempotencyKey, renderRecordForm } from '../ui/record-form.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';

export type CreditFormState = Pick<FormState, 'values' | 'problem' | 'stepAddress'>;

export async function renderSupplierCredit(db: Db, supplierId: number, state?: CreditFormState) {
  const { values, problem, stepAddress } = { values: {}, ...state };
  const { remainingCents, notes } = await readSupplierCredit(db, supplierId);
  if (remainingCents === 0 && !problem) return null;
  const open = notes.filter((note) => unappliedOf(note) > 0);
  const invoices = await readOpenInvoiceOptions(db, MAX_SELECT_OPTIONS, supplierId);
  const { idempotencyKey } = prepareIdempotencyKey({ values, problem });
  const fields: readonly RecordField[] = [
    {
      name: 'creditNoteId',
      label: 'Nota de crédito',
      kind: 'select',
      options: open.map((note) => ({ value: note.id, label: describeNote(note) })),
    },
    invoices
      ? {
          name: 'facturaproveedorId',
          label: 'Factura',
          kind: 'select',
          options: [{ value: '', label: 'Seleccionar factura' }, ...invoices],
          required: true,
        }
      : {
          name: 'numfactura',
          label: 'Número de factura',
          kind: 'text',
          hint: 'El número de la factura.',
          required: true,
        },
    { name: 'paymentamount', label: 'Cantidad que se aplica', kind: 'money', required: true },
  ];
  return (
    <section className="form" id="saldo-a-favor" aria-labelledby="credit-title">
      <h2 id="credit-title">Saldo a favor</h2>
      <DataTable
        caption="Notas de crédito con saldo"
        columns={COLUMNS}
        rows={open}
        rowKey={(note) => note.id}
        footer={{ numero: 'Saldo a favor', left: <Money cents={remainingCents} /> }}
      />
      {invoices?.length === 0 ? (
        <>
          <RefusedAlert problem={problem} />
          <p className="soft">El proveedor no tiene facturas por pagar a las que aplicarlo.</p>
        </>
      ) : (
        await renderRecordForm(db, {
          fields,
          state: {
            values: { creditNoteId: String(open[0]?.id ?? ''), ...values },
            problem: invoices ? problem : moveInvoiceErrorToNumber(problem),
            stepAddress,
          },
          action: pages.applyCredit(supplierId),
          hidden: { idempotencyKey },
          buttons: <Button look="primary">Aplicar a la factura</Button>,
        })
      )}
      <div className="asks">
        {open
          .filter(({ appliedCents }) => appliedCents === 0)
          .map(({ id, numero, uuid }) => (
            <ConfirmStep
              key={id}
              summary={`Eliminar la nota de crédito ${numero || `#${id}`}`}
              question={`¿Eliminar la nota de crédito ${numero || `#${id}`}? ${uuid ? 'Su XML se puede volver a cargar.' : ''}`}
              action={pages.deleteCreditNote(id)}
              button="Eliminar"
              refused={{ values, problem, stepAddress }}
            />
          ))}
      </div>
    </section>
  );
}

function moveInvoiceErrorToNumber(problem: DomainError | undefined): DomainError | undefined {
  const { facturaproveedorId: numfactura, ...fields } = problem?.fields ?? {};
  if (!problem || !numfactura) return problem;
  return new DomainError(problem.kind, problem.message, { ...problem, fields: { ...fields, numfactura } });
}

const describeNote = (note: CreditNote): string =>
  `${note.numero || `#${note.id}`} · ${formatDate(note.fecha)} · quedan ${formatMoney(unappliedOf(note))}`;

const COLUMNS: readonly Column<CreditNote>[] = [
  {
    key: 'numero',
    label: 'Nota de crédito',
    wraps: MAX_UNWRAPPED_LETTERS,
    card: 'title',
    render: ({ numero, id }) => numero || `#${id}`,
  },
  dateColumn('fecha', 'Fecha'),
  moneyColumn('total', 'Total', ({ totalCents }) => totalCents),
  moneyColumn('applied', 'Aplicado', ({ appliedCents }) => appliedCents),
  moneyColumn('left', 'Por aplicar', unappliedOf),
];
