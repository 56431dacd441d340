import type { ReactNode } from 'react';
import { joinFirst } from '../../../shared/counts.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { formatForeign } from '../../../shared/foreign-amounts.ts';
import { invoiceNumberOrId } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  type BatchLine,
  CHECK_NAMES,
  type FullBatch,
  groupBySupplier,
  isHeldLine,
  isLineAtBank,
  isOpenLine,
  isPaidLine,
  isPayableLine,
  isReducedLine,
  listBlockingFindings,
  sumLines,
} from '../../../shared/payment-batches.ts';
import { describeAccountChange, describePayeeAccount } from '../../../shared/supplier-accounts.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { BatchPayee } from '../../services/payment-batches/payees.ts';
import { ViewTabs } from '../ui/choice-links.tsx';
import { isNewlyOverdue } from '../ui/due-chip.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { MotivoField } from '../ui/refusal-reason.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { ATTENTION_PARAMETER, findLinesToReview, isUnheldWithFinding } from './attention-filters.ts';
import { FIRST_LINE_PARAMETER, LineFindings } from './lines.tsx';

const LINES_ON_PAGE = 150;

/** Suppliers with more invoices than this are folded even where a filter is chosen. */
const MAX_UNFOLDED_INVOICES = 5;

interface BatchPayeesProps {
  batch: FullBatch;
  /** absent once the batch is paid: the accounts may have changed since */
  payees: ReadonlyMap<number, BatchPayee> | undefined;
  /** the key of the chosen attention filter, from the address, so there may be no such filter */
  attentionKey: string | undefined;
  today: PlainDate;
  /** index of the first line shown, among those that match the filter */
  from: number;
  mayPermit: boolean;
}

/** A read-only batch: what needs attention on top, then a line per supplier, which unfolds to its invoices. */
export function BatchPayees(props: BatchPayeesProps) {
  const { batch, payees = new Map(), attentionKey, from } = props;
  const found = batch.estado === 'pagada' ? [] : findLinesToReview(batch, payees);
  const current = found.find(({ key }) => key === attentionKey);
  const listed = current?.lines ?? batch.lines;
  const sections = listSections({ estado: batch.estado, lines: listed });
  let place = 0;
  return (
    <>
      {found.length > 0 && (
        <ViewTabs
          label="Por revisar"
          views={[
            { text: 'Todas', href: pages.paymentBatch(batch.id), isCurrent: !current },
            ...found.map(({ key, text, lines }) => ({
              text: text(lines),
              href: withQuery(pages.paymentBatch(batch.id), { [ATTENTION_PARAMETER]: key }),
              isCurrent: key === current?.key,
            })),
          ]}
        />
      )}
      <LongTable
        id={FIRST_LINE_PARAMETER}
        shown={Math.min(from + LINES_ON_PAGE, listed.length)}
        total={listed.length}
        noun={['factura', 'facturas']}
        href={withQuery(pages.paymentBatch(batch.id), {
          [ATTENTION_PARAMETER]: current?.key,
          [FIRST_LINE_PARAMETER]: from + LINES_ON_PAGE,
        })}
      >
        {sections.map(({ id, heading, lines, columns }) => {
          const isContinued = place < from;
          const groups = groupBySupplier(lines).flatMap((group) => {
            const [first, end] = [from - place, from - place + LINES_ON_PAGE];
            place += group.lines.length;
            const shown = group.lines.slice(Math.max(0, first), Math.max(0, end));
            return shown.length > 0 ? [{ ...group, shown, continues: first > 0 }] : [];
          });
          return (
            groups.length > 0 && (
              <section key={id} className="payees" aria-label={heading}>
                {!isContinued && (
                  <div id={id} className="payees-head">
                    <h2>
                      <span className="payee">{heading}</span>{' '}
                      <span className="payee-sum">
                        <Money cents={sumLines(lines)} />
                      </span>
                    </h2>
                    {columns.map((label) => (
                      <span key={label} className="hint hide-sm" aria-hidden="true">
                        {label}
                      </span>
                    ))}
                  </div>
                )}
                <ul>
                  {groups.map((group) => (
                    <PayeeRow
                      key={group.supplierId}
                      {...props}
                      {...group}
                      section={id}
                      payee={payees.get(group.supplierId)}
                      isOpen={
                        (Boolean(current) || id === 'sin-pagar') &&
                        group.lines.length <= MAX_UNFOLDED_INVOICES
                      }
                    />
                  ))}
                </ul>
              </section>
            )
          );
        })}
      </LongTable>
    </>
  );
}

type SectionId = 'pagables' | 'en-banco' | 'detenidas' | 'sin-pagar' | 'pagadas';

interface PayeeSection {
  id: SectionId;
  heading: string;
  lines: readonly BatchLine[];
  /** labels of the columns between the supplier and the amount */
  columns: readonly string[];
}

/** Lists the sections that still need a decision or a payment before the one that is paid. */
function listSections({ estado, lines }: Pick<FullBatch, 'estado' | 'lines'>): PayeeSection[] {
  const sectionOf = (line: BatchLine): SectionId => {
    if (isPaidLine(line)) return 'pagadas';
    if (estado === 'pagada' || !isOpenLine(line)) return 'sin-pagar';
    if (!isPayableLine(line)) return 'detenidas';
    return isLineAtBank({ estado }, line) ? 'en-banco' : 'pagables';
  };
  const { pagables = [], detenidas = [], pagadas = [], ...rest } = Object.groupBy(lines, sectionOf);
  const invoice = ['Factura', 'Vence', 'Obra'];
  return [
    {
      id: 'pagables',
      heading: estado === 'enviada' ? 'Sin mandar al banco' : 'Por pagar',
      lines: pagables,
      columns: ['Cuenta', ...invoice],
    },
    {
      id: 'en-banco',
      heading: 'En el banco',
      lines: rest['en-banco'] ?? [],
      columns: ['Cuenta', ...invoice],
    },
    { id: 'detenidas', heading: 'Retenidas', lines: detenidas, columns: ['Cuenta', ...invoice] },
    {
      id: 'sin-pagar',
      heading: 'Sin pagar, de lo programado',
      lines: rest['sin-pagar'] ?? [],
      columns: ['Por qué', ...invoice],
    },
    { id: 'pagadas', heading: 'Pagado', lines: pagadas, columns: ['Pago', 'Factura', 'Obra'] },
  ];
}

type PayeeRowProps = BatchPayeesProps &
  ReturnType<typeof groupBySupplier>[number] & {
    section: SectionId;
    payee: BatchPayee | undefined;
    isOpen: boolean;
    /** the supplier's lines in this part of a long batch */
    shown: readonly BatchLine[];
    /** whether the batch's previous part also has lines of this supplier */
    continues: boolean;
  };

function PayeeRow(props: PayeeRowProps) {
  const { section, isOpen, suppliername, lines, shown, continues, totalCents } = props;
  const { batch, mayPermit, today } = props;
  const isPaid = section === 'pagadas';
  const payee = isPaid || section === 'sin-pagar' ? undefined : props.payee;
  const jobs = new Set(lines.map(({ jobtitle }) => jobtitle));
  // The supplier's own line already has the day, job and amount of its only invoice.
  const isOnly = lines.length === 1;
  return (
    <li>
      <details className="disclosure" open={isOpen}>
        <summary className="payee-head">
          <Icon name="chevron" />
          <span className="payee" title={suppliername}>
            {continues ? `${suppliername} (sigue)` : suppliername}
          </span>
          <span className="payee-sum">{!continues && <Money cents={totalCents} />}</span>
          <span className={hasUnconfirmedAccount(payee) ? 'late' : undefined}>
            {isPaid
              ? joinPaymentReferences(lines)
              : payee
                ? describePayeeAccount(payee.account)
                : describeUnpaid(lines)}
          </span>
          <span className="payee-invoices actions">
            <InvoiceFacts
              invoice={isOnly ? invoiceLabel(lines[0]!) : `${lines.length} facturas`}
              due={isPaid ? undefined : lines.map(({ vence }) => vence).sort()[0]}
              today={today}
              job={jobs.size > 1 ? `${jobs.size} obras` : lines[0]!.jobtitle}
            />
            <PayeeWarnings lines={lines} payee={payee} />
          </span>
        </summary>
        <ul className="payee-lines">
          {shown.map((line) => (
            <li key={line.invoiceId}>
              {isOnly ? (
                <span />
              ) : (
                <InvoiceFacts
                  invoice={<a href={pages.editInvoice(line.invoiceId)}>{invoiceLabel(line)}</a>}
                  due={isPaid ? undefined : line.vence}
                  today={today}
                  job={line.jobtitle}
                />
              )}
              <div className="payee-sum">
                {!isOnly && <Money cents={line.amountCents} />}
                {line.foreign && (
                  <div className="hint">{formatForeign(line.foreign.cents, line.foreign.moneda)}</div>
                )}
              </div>
              <PayeeLineNotes batch={batch} line={line} isOnly={isOnly} />
              <LineFindings line={line} />
              {mayPermit && section === 'detenidas' && <LinePermitForm batch={batch} line={line} />}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

const invoiceLabel = ({ numfactura, invoiceId }: BatchLine): string =>
  invoiceNumberOrId(numfactura, invoiceId);

interface InvoiceFactsProps {
  invoice: ReactNode;
  /** the due day; absent once it is paid */
  due: PlainDate | undefined;
  today: PlainDate;
  job: string;
}

const InvoiceFacts = ({ invoice, due, today, job }: InvoiceFactsProps) => {
  const falls = due && due < today ? 'venció ' : 'vence ';
  return (
    <span className="hint payee-facts">
      <span>{invoice}</span>{' '}
      {due && (
        <span className={isNewlyOverdue(due, today) ? 'late' : undefined}>
          <span className="visually-hidden">{falls}</span>
          <span className="on-card" aria-hidden="true">
            {falls}
          </span>
          {formatDate(due)}
        </span>
      )}{' '}
      <span className="payee-job">{job}</span>
    </span>
  );
};

function describeOwedNow(lines: readonly BatchLine[]): string {
  const reduced = lines.filter(isReducedLine);
  const [first] = reduced;
  if (!first) return '';
  const cents = reduced.reduce((sum, { pendingCents }) => sum + pendingCents, 0);
  const owed = cents > 0 ? `Hoy se deben ${formatMoney(cents)}` : 'Hoy no se debe nada';
  if (lines.length === 1) return owed;
  return `${owed} de ${reduced.length > 1 ? `${reduced.length} facturas` : invoiceNumberOrId(first.numfactura, first.invoiceId)}`;
}

const hasUnconfirmedAccount = (payee: BatchPayee | undefined): boolean => payee?.account?.isTrusted === false;

const joinPaymentReferences = (lines: readonly BatchLine[]): string =>
  joinFirst([...new Set(lines.map(paymentLabel))], 2);

const paymentLabel = ({ checknum, paymentId }: BatchLine): string =>
  checknum ? `Ref. ${checknum}` : `Pago ${paymentId}`;

/** Why lines have no payment though their batch is paid or was sent. */
function describeUnpaid(lines: readonly BatchLine[]): string {
  const reasons = lines.map((line) => {
    if (line.refusedAt !== null) return 'La devolvió el banco';
    if (!isHeldLine(line)) return 'Se eliminó su pago';
    const names = nameBlockingFindings([line]);
    return names.length > 0 ? `Retenida: ${names.join(', ')}` : 'Retenida al pagar';
  });
  return joinFirst([...new Set(reasons)], 2);
}

const nameBlockingFindings = (lines: readonly BatchLine[]): string[] => [
  ...new Set(lines.flatMap(listBlockingFindings).flatMap(({ code }) => CHECK_NAMES[code] ?? [])),
];

interface PayeeWarningsProps {
  lines: readonly BatchLine[];
  payee: BatchPayee | undefined;
}

function PayeeWarnings({ lines, payee }: PayeeWarningsProps) {
  const owedNow = payee && describeOwedNow(lines);
  const newAccount = describeAccountChange(payee?.account);
  // The account itself says that it is unconfirmed.
  const held = payee
    ? nameBlockingFindings(lines).filter(
        (name) => name !== CHECK_NAMES.clabe_no_confiable || !hasUnconfirmedAccount(payee),
      )
    : [];
  return (
    <span className="payee-marks actions">
      {held.length > 0 && <Chip tone="danger">{`Retenida: ${held.join(', ')}`}</Chip>}
      {owedNow && <Chip tone="warn">{owedNow}</Chip>}
      {payee?.isFirstPayment && <Chip tone="warn">Primer pago</Chip>}
      {newAccount && <Chip tone="warn">{newAccount}</Chip>}
      {lines.some(isUnheldWithFinding('presupuesto_excedido')) && (
        <Chip tone="warn">Pasa su presupuesto</Chip>
      )}
    </span>
  );
}

function PayeeLineNotes({ batch, line, isOnly }: { batch: FullBatch; line: BatchLine; isOnly: boolean }) {
  const { invoiceId, pendingCents, amountCents, paymentId } = line;
  const isPaid = batch.estado === 'pagada';
  const saysOwed = line.verdict.findings.some(
    ({ code, reason }) => code === 'excede_pendiente' && reason.includes(formatMoney(pendingCents)),
  );
  const href = pages.editInvoice(invoiceId);
  const notes = [
    isOnly && (
      <a key="factura" href={href}>
        {invoiceLabel(line)}
      </a>
    ),
    isPaidLine(line) && (
      <a key="pago" href={pages.editPayment(paymentId!)}>
        {paymentLabel(line)}
      </a>
    ),
    isReducedLine(line) && !saysOwed && (
      <a key="hoy" href={href}>
        {describeOwedNow([line])}
      </a>
    ),
    isPaid && !isReducedLine(line) && pendingCents > 0 && `Se deben ${formatMoney(pendingCents)}`,
    isPaid && !isPaidLine(line) && pendingCents > 0 && (
      <a key="aparte" href={withQuery(pages.newPayment, { facturaproveedorId: invoiceId })}>
        Pagar aparte
      </a>
    ),
    !isPaid && isOpenLine(line) && pendingCents > amountCents && `de ${formatMoney(pendingCents)} pendientes`,
  ].filter(Boolean);
  return (
    <span className="hint payee-notes">
      {notes.flatMap((note, index) => (index > 0 ? [' · ', note] : [note]))}
    </span>
  );
}

const LinePermitForm = ({
  batch,
  line: { invoiceId, numfactura },
}: {
  batch: FullBatch;
  line: BatchLine;
}) => (
  <Disclosure
    summary="Autorizar de todos modos"
    label={`Autorizar de todos modos la factura ${numfactura || invoiceId}`}
  >
    <StepForm
      action={pages.paymentBatchStep(batch.id, `partidas/${invoiceId}/permitir`)}
      hidden={{ version: String(batch.version) }}
      fields={<MotivoField id={`motivo-${invoiceId}`} />}
      buttons={<Button>Autorizar esta factura</Button>}
    />
  </Disclosure>
);
