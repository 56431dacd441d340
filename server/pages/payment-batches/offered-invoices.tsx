import type { ReactNode } from 'react';
import RowSelection from '../../../islands/RowSelection.tsx';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { pluralize } from '../../../shared/counts.ts';
import { addDays, formatDate, mondayOf, type PlainDate } from '../../../shared/dates.ts';
import { ESTIMATED_NOTE, isDueEstimated } from '../../../shared/invoices-due.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  BATCH_FIELDS,
  batchName,
  formatLeftOutSum,
  type PaymentBatch,
  payableSumOf,
} from '../../../shared/payment-batches.ts';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import {
  computeAvailableCents,
  type OfferedInvoice,
  proposeFundingSource,
  sumAvailable,
} from '../../services/payment-batches/offered-invoices.ts';
import { searchBatches } from '../../services/payment-batches/reading.ts';
import { Island } from '../../shell/island.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { parseOptionalId, readPickerContent } from '../ui/pickers.ts';
import { type FieldTexts, findFirstWrongField, renderControls } from '../ui/record-fields.tsx';
import { type FormState, prepareIdempotencyKey } from '../ui/record-form.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';
import { readMoneyInAccounts } from './account-money.ts';
import { OfferedTable } from './offered-table.tsx';
import { CHOSEN_INVOICE_FIELD, SHOW_STEP, STEP_FIELD } from './row-selection.tsx';

const NEW_BATCH_FIELDS = BATCH_FIELDS.filter(({ name }) => name !== 'comments');

const FORM_ID = 'elegir';
/** The fields of the batch that are asked after its invoices. */
const TERMS_ID = 'fecha-y-origen';

const FUNDING_SOURCE_FIELD_NAME = 'origenderecursoId';

export const TARGET_BATCH_FIELD = 'programacionId';
export const OFFERED_IDS_FIELD = 'ofrecidas';

const MAX_DRAFTS = 20;

export interface InvoiceChoiceState extends FormState {
  chosenKeys?: readonly string[];
}

interface OfferedInvoicesProps {
  action: string;
  /** by supplier (orderBySupplier) */
  offeredInvoices: readonly OfferedInvoice[];
  chosen: ReadonlySet<string>;
  state: InvoiceChoiceState;
  note: string;
  /** links that mark rows */
  presets?: ReactNode;
  /** the part that is shown and the address of the next one; absent where all rows are shown */
  part?: { from: number; end: number; next: string };
  /** the rows were selected on another page, and the form posts them again */
  isTicked?: boolean;
}

export async function renderOfferedInvoices(c: AppContext, props: OfferedInvoicesProps) {
  const { action, offeredInvoices, chosen, state, note, presets, part, isTicked } = props;
  const { db } = c.get('deps');
  const today = c.get('today');
  const { idempotencyKey, problem } = prepareIdempotencyKey(state);
  const isFresh = Object.keys(state.values).length === 0;
  const proposedSource = isFresh ? await proposeFundingSource(db) : undefined;
  const values: FieldTexts = {
    fecha: nextFriday(today),
    ...(proposedSource !== undefined && { [FUNDING_SOURCE_FIELD_NAME]: String(proposedSource) }),
    ...state.values,
  };
  const errors = problem?.fields ?? {};
  const focus = findFirstWrongField(NEW_BATCH_FIELDS, errors);
  const picker = await readPickerContent(db, fundingSources, FUNDING_SOURCE_FIELD_NAME, values);
  const controls = await renderControls(db, NEW_BATCH_FIELDS, {
    ...{ values, errors, focus },
    proposedFields: new Set(proposedSource === undefined ? [] : [FUNDING_SOURCE_FIELD_NAME]),
    pickers: {
      [FUNDING_SOURCE_FIELD_NAME]: { ...picker, proposalHint: 'Propuesto: cámbialo si se paga de otro.' },
    },
  });
  const newest = { sort: 'id', direction: 'desc', limit: MAX_DRAFTS } as const;
  const { rows: drafts } = await searchBatches(db, { estado: 'borrador', ...newest });
  // The form posts only rows from this part on, so chosen rows before them are not counted.
  const { from = 0, end = offeredInvoices.length, next = '' } = part ?? {};
  const shown = offeredInvoices.slice(from, end);
  const isChosen = ({ id }: OfferedInvoice) => chosen.has(String(id));
  const marked = offeredInvoices.slice(from).filter(isChosen);
  const unseen = offeredInvoices.slice(end).filter(isChosen);
  const sum = sumAvailable(marked);
  const target = drafts.find(({ id }) => String(id) === values[TARGET_BATCH_FIELD]);
  return (
    <form
      id={FORM_ID}
      method="post"
      action={action}
      className="stack"
      data-busy=""
      data-part={marked.length > 0 ? '' : undefined}
      noValidate
    >
      {/* The first button is the one that Enter in a field presses: without script it shows the page again. */}
      <button type="submit" name={STEP_FIELD} value={SHOW_STEP} hidden />
      <RefusedAlert problem={problem} />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      {isTicked && (
        <input type="hidden" name={OFFERED_IDS_FIELD} value={offeredInvoices.map(({ id }) => id).join()} />
      )}
      {marked.length > 0 && (
        <p className="soft without-script">
          Marcadas: {marked.length} de {offeredInvoices.length}, {formatMoney(sum)}.
        </p>
      )}
      {(note || presets) && (
        <div className="actions">
          {note && <p className="soft">{note}</p>}
          {presets}
        </div>
      )}
      <LongTable
        id="ofrecidas"
        shown={end}
        total={offeredInvoices.length}
        noun={['factura', 'facturas']}
        href={next}
        hiddenInputs={unseen.map((one) => (
          <input
            key={one.id}
            type="hidden"
            name={CHOSEN_INVOICE_FIELD}
            value={one.id}
            data-cents={computeAvailableCents(one)}
          />
        ))}
      >
        <OfferedTable
          formId={FORM_ID}
          ordered={offeredInvoices}
          from={from}
          end={end}
          chosen={chosen}
          today={today}
        />
      </LongTable>
      {shown.some(isDueEstimated) && <p className="note">{ESTIMATED_NOTE}</p>}
      <div id={TERMS_ID} className="fields paired">
        {controls}
        {drafts.length > 0 && (
          <Disclosure summary="Agregarlas a un borrador" isOpen={Boolean(values[TARGET_BATCH_FIELD])}>
            <Field
              kind="select"
              name={TARGET_BATCH_FIELD}
              label="Programación"
              value={values[TARGET_BATCH_FIELD]}
              options={[{ value: '', label: 'Nueva' }, ...drafts.map(toBatchOption)]}
              hint="Si la agregas a un borrador, se queda con la fecha y la cuenta del borrador."
            />
          </Disclosure>
        )}
      </div>
      <Island
        component={RowSelection}
        props={{
          ...{ form: FORM_ID, label: 'Programar' },
          accounts: await readMoneyInAccounts(c),
          terms: {
            href: `#${TERMS_ID}`,
            fecha: values.fecha ?? '',
            source: parseOptionalId(values[FUNDING_SOURCE_FIELD_NAME]),
            sourceName: picker.chosen,
            batchName: target && batchName(target.id),
          },
          leave: pages.paymentBatches,
          first: { invoices: marked.length, cents: sum },
        }}
        on="visible"
      />
    </form>
  );
}

const toBatchOption = ({ id, fecha, origenderecursonombre, count, ...sums }: PaymentBatch) => ({
  value: id,
  label: `${batchName(id)}: ${formatDate(fecha)}, ${origenderecursonombre}, ${pluralize(count, 'factura', 'facturas')}, ${[formatMoney(payableSumOf(sums)), formatLeftOutSum(sums)].filter(Boolean).join(' ')}`,
});

/** The default day of a batch: most firms pay on Fridays. */
export function nextFriday(today: PlainDate): PlainDate {
  const friday = addDays(mondayOf(today), 4);
  return friday < today ? addDays(friday, 7) : friday;
}
