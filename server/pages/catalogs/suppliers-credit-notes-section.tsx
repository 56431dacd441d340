import type { Db } from '../../../db/schema.ts';
import { formatDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { openInvoiceNames } from '../../services/invoices/finding.ts';
import { type CreditNote, leftOf, readSupplierCredit } from '../../services/payments/credit-notes.ts';
import { Ask } from '../ui/ask.tsx';
import { Reason } from '../ui/closed-period.tsx';
import { MOST_OPTIONS } from '../ui/pickers.ts';

export interface CreditFormState {
  values?: Readonly<Record<string, string>>;
  problem?: DomainError;
  /** where it was posted to, where that is not the form's own address */
  asked?: string;
}

/** A supplier's saldo a favor, where there is any: the credit notes it is of, and the form that applies it. */
export async function renderSupplierCredit(db: Db, supplierId: number, state: CreditFormState = {}) {
  const { values = {}, problem, asked } = state;
  const { leftCents, notes } = await readSupplierCredit(db, supplierId);
  if (leftCents === 0 && !problem) return null;
  const open = notes.filter((note) => leftOf(note) > 0);
  const invoices = await openInvoiceNames(db, MOST_OPTIONS, supplierId);
  const isUsed = problem?.code === 'idempotency_key_reused';
  const key = (!isUsed && values.idempotencyKey) || crypto.randomUUID();
  const { creditNoteId = String(open[0]?.id ?? ''), numfactura = '' } = values;
  const { facturaproveedorId = '', paymentamount = '' } = values;
  const wrong = problem?.fields ?? {};
  return (
    <section className="form" id="saldo-a-favor" aria-labelledby="credit-title">
      <h2 id="credit-title">Saldo a favor</h2>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <DataTable
        caption="Notas de crédito con saldo"
        columns={COLUMNS}
        rows={open}
        rowKey={(note) => note.id}
        footer={{ numero: 'Saldo a favor', left: <Money cents={leftCents} /> }}
      />
      {invoices?.length === 0 ? (
        <p className="soft">El proveedor no tiene facturas por pagar a las que aplicarlo.</p>
      ) : (
        <form method="post" action={pages.applyCredit(supplierId)} className="form" data-busy="" noValidate>
          <input type="hidden" name="idempotencyKey" value={key} />
          <div className="fields">
            {!asked && <Reason problem={problem} values={values} />}
            <Field
              kind="select"
              name="creditNoteId"
              label="Nota de crédito"
              value={creditNoteId}
              options={open.map((note) => ({ value: note.id, label: describeNote(note) }))}
              error={wrong.creditNoteId}
            />
            {invoices ? (
              <Field
                kind="select"
                name="facturaproveedorId"
                label="Factura"
                value={facturaproveedorId}
                options={[{ value: '', label: 'Seleccionar factura' }, ...invoices]}
                required
                error={wrong.facturaproveedorId}
              />
            ) : (
              <Field
                name="numfactura"
                label="Número de factura"
                value={numfactura}
                hint="El número de la factura."
                required
                error={wrong.facturaproveedorId ?? wrong.numfactura}
              />
            )}
            <Field
              kind="money"
              name="paymentamount"
              label="Cantidad que se aplica"
              value={paymentamount}
              required
              error={wrong.paymentamount}
            />
          </div>
          <div className="form-actions">
            <Button look="primary">Aplicar a la factura</Button>
          </div>
        </form>
      )}
      <div className="asks">
        {open
          .filter(({ appliedCents }) => appliedCents === 0)
          .map(({ id, numero }) => (
            <Ask
              key={id}
              summary={`Eliminar la nota de crédito ${numero || `#${id}`}`}
              question={`¿Eliminar la nota de crédito ${numero || `#${id}`}? Su XML se puede volver a cargar.`}
              action={pages.deleteCreditNote(id)}
              button="Eliminar"
              refused={{ ...state, values }}
            />
          ))}
      </div>
    </section>
  );
}

const describeNote = (note: CreditNote): string =>
  `${note.numero || `#${note.id}`} · ${formatDate(note.fecha)} · quedan ${formatMoney(leftOf(note))}`;

const COLUMNS: readonly Column<CreditNote>[] = [
  {
    key: 'numero',
    label: 'Nota de crédito',
    clip: LONGEST_NUMBER,
    card: 'title',
    render: ({ numero, id }) => numero || `#${id}`,
  },
  { key: 'fecha', label: 'Fecha', render: ({ fecha }) => <DateText date={fecha} /> },
  { key: 'total', label: 'Total', align: 'end', render: (note) => <Money cents={note.totalCents} /> },
  { key: 'applied', label: 'Aplicado', align: 'end', render: (note) => <Money cents={note.appliedCents} /> },
  { key: 'left', label: 'Por aplicar', align: 'end', render: (note) => <Money cents={leftOf(note)} /> },
];
