import { abbreviateClabe, bankNameOf } from '../../../shared/banks.ts';
import { joinFirst, pluralize } from '../../../shared/counts.ts';
import { formatDate, formatShortDayMonth, type PlainDate } from '../../../shared/dates.ts';
import { formatForeign } from '../../../shared/foreign-amounts.ts';
import { invoiceNumberOrId } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  type BatchLine,
  CHECK_NAMES,
  type FullBatch,
  groupBySupplier,
  isHeldLine,
  isOpenLine,
  listBlockingFindings,
} from '../../../shared/payment-batches.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { BatchPayee } from '../../services/payment-batches/payees.ts';
import { ViewTabs } from '../ui/choice-links.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { FIRST_LINE_PARAMETER, LineFindings } from './lines.tsx';

const LINES_ON_PAGE = 150;

/** Suppliers with more invoices than this are folded even where a filter is chosen. */
const MAX_UNFOLDED_INVOICES = 5;

type PayeesBySupplier = ReadonlyMap<number, BatchPayee>;

interface AttentionFilter {
  key: string;
  /** @param lines the lines that match */
  text(lines: readonly BatchLine[]): string;
  matches(line: BatchLine, payee: BatchPayee | undefined): boolean;
}

const hasFindingWithCode =
  (code: string) =>
  (line: BatchLine): boolean =>
    !isHeldLine(line) && line.verdict.findings.some((finding) => finding.code === code);

const countSuppliers = (lines: readonly BatchLine[]): number =>
  new Set(lines.map(({ supplierId }) => supplierId)).size;

const countDistinctReasons = (lines: readonly BatchLine[], code: string): number =>
  new Set(
    lines.flatMap(({ jobtitle, verdict }) =>
      verdict.findings.filter((finding) => finding.code === code).map(({ reason }) => jobtitle + reason),
    ),
  ).size;

/** Filters for lines that need the signer's attention, most important first; the address contains the `key`. */
const ATTENTION_FILTERS: readonly AttentionFilter[] = [
  {
    key: 'detenidas',
    text: (lines) =>
      `${pluralize(lines.length, 'retenida', 'retenidas')} por ${formatMoney(lines.reduce((cents, { amountCents }) => cents + amountCents, 0))}`,
    matches: (line) => isHeldLine(line),
  },
  {
    key: 'presupuesto',
    text: (lines) =>
      `${pluralize(countDistinctReasons(lines, 'presupuesto_excedido'), 'rubro pasa', 'rubros pasan')} su presupuesto`,
    matches: hasFindingWithCode('presupuesto_excedido'),
  },
  {
    key: 'cuenta',
    text: (lines) => pluralize(countSuppliers(lines), 'cuenta nueva', 'cuentas nuevas'),
    matches: (line, payee) => !isHeldLine(line) && payee?.isNewAccount === true,
  },
  {
    key: 'primero',
    text: (lines) => pluralize(countSuppliers(lines), 'primer pago', 'primeros pagos'),
    matches: (line, payee) => !isHeldLine(line) && payee?.isFirstPayment === true,
  },
  {
    key: 'duplicada',
    text: (lines) => `${pluralize(lines.length, 'se parece', 'se parecen')} a otra factura`,
    matches: hasFindingWithCode('duplicada'),
  },
  {
    key: 'rep',
    text: (lines) =>
      `${pluralize(countSuppliers(lines), 'proveedor debe', 'proveedores deben')} recibos (REP)`,
    matches: hasFindingWithCode('rep_pendiente'),
  },
  {
    key: 'xml',
    text: (lines) => `${pluralize(lines.length, 'factura', 'facturas')} sin XML`,
    matches: hasFindingWithCode('xml_faltante'),
  },
  {
    key: 'moneda',
    text: (lines) => `${pluralize(lines.length, 'factura', 'facturas')} en otra moneda`,
    matches: hasFindingWithCode('moneda'),
  },
  {
    key: 'avisos',
    text: (lines) => `${pluralize(lines.length, 'factura', 'facturas')} con otro aviso`,
    matches: (line) =>
      !isHeldLine(line) &&
      line.verdict.findings.some(({ code }) => !CODES_WITH_FILTER.has(code) && !line.permit),
  },
  {
    key: 'permitidas',
    text: (lines) => `${pluralize(lines.length, 'autorizada', 'autorizadas')} de todos modos`,
    matches: ({ permit }) => permit !== null,
  },
];

const CODES_WITH_FILTER = new Set([
  'presupuesto_excedido',
  'duplicada',
  'rep_pendiente',
  'xml_faltante',
  'moneda',
]);

/** Query parameter with the `key` of a filter: only lines that match it are shown. */
export const ATTENTION_PARAMETER = 'ver';

interface BatchPayeesProps {
  batch: FullBatch;
  /** absent once the batch is paid: the accounts may have changed since */
  payees: PayeesBySupplier | undefined;
  /** of the chosen attention filter, as in the address: it may name none */
  attentionKey: string | undefined;
  today: PlainDate;
  /** index of the first line shown, among those that match the filter */
  from: number;
  mayPermit: boolean;
}

/** A read-only batch: what needs attention on top, then a line per supplier, which unfolds to its invoices. */
export function BatchPayees(props: BatchPayeesProps) {
  const { batch, payees = new Map(), attentionKey, from } = props;
  const isPaid = batch.estado === 'pagada';
  const found = isPaid
    ? []
    : ATTENTION_FILTERS.map((one) => ({
        ...one,
        lines: batch.lines.filter((line) => one.matches(line, payees.get(line.supplierId))),
      })).filter(({ lines }) => lines.length > 0);
  const current = found.find(({ key }) => key === attentionKey);
  const listed = current?.lines ?? batch.lines;
  const isLeftOut = (line: BatchLine) =>
    isPaid ? line.paymentId === null || line.refusedAt !== null : isHeldLine(line);
  const sections = [
    {
      id: 'pagables',
      heading: isPaid ? 'Pagado' : 'Por pagar',
      lines: listed.filter((line) => !isLeftOut(line)),
    },
    { id: 'detenidas', heading: isPaid ? 'Sin pagar' : 'Retenidas', lines: listed.filter(isLeftOut) },
  ];
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
              href: attentionHref(batch, key),
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
        {sections.map(({ id, heading, lines }) => {
          const isContinued = place < from;
          const groups = groupBySupplier(lines).flatMap((group) => {
            const [first, end] = [from - place, from - place + LINES_ON_PAGE];
            place += group.lines.length;
            const shown = group.lines.slice(Math.max(0, first), Math.max(0, end));
            return shown.length > 0 ? [{ ...group, shown, continues: first > 0 }] : [];
          });
          return (
            groups.length > 0 && (
              <section key={id} aria-label={heading}>
                {!isContinued && (
                  <h2 id={id} className="payees-head">
                    {heading}{' '}
                    <Money cents={lines.reduce((cents, { amountCents }) => cents + amountCents, 0)} />
                  </h2>
                )}
                <ul className="payees">
                  {groups.map((group) => (
                    <PayeeRow
                      key={group.supplierId}
                      {...props}
                      {...group}
                      payee={isPaid ? undefined : payees.get(group.supplierId)}
                      isOpen={Boolean(current) && group.lines.length <= MAX_UNFOLDED_INVOICES}
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

const attentionHref = ({ id }: Pick<FullBatch, 'id'>, key: string): string =>
  withQuery(pages.paymentBatch(id), { [ATTENTION_PARAMETER]: key });

type PayeeRowProps = BatchPayeesProps &
  ReturnType<typeof groupBySupplier>[number] & {
    payee: BatchPayee | undefined;
    isOpen: boolean;
    /** the supplier's lines in this part of a long batch */
    shown: readonly BatchLine[];
    /** whether the batch's previous part also has lines of this supplier */
    continues: boolean;
  };

function PayeeRow(props: PayeeRowProps) {
  const { payee, isOpen, suppliername, lines, shown, continues, totalCents } = props;
  const { batch, mayPermit, today } = props;
  const isPaid = batch.estado === 'pagada';
  return (
    <li>
      <details className="disclosure" open={isOpen}>
        <summary className="payee-head">
          <Icon name="chevron" />
          <span className="payee" title={suppliername}>
            {continues ? `${suppliername} (sigue)` : suppliername}
          </span>
          <span className="payee-sum">{!continues && <Money cents={totalCents} />}</span>
          <span className={isUnconfirmed(payee) ? 'late' : undefined}>
            {payee ? describeAccount(payee) : joinPaymentReferences(lines)}
          </span>
          <span className="payee-invoices">
            <span className="hint">{summarizeInvoices(lines, isPaid ? undefined : today)}</span>
            <PayeeMarks lines={lines} payee={payee} isPaid={isPaid} />
          </span>
        </summary>
        <ul className="payee-lines">
          {shown.map((line) => (
            <li key={line.invoiceId}>
              <a href={pages.editInvoice(line.invoiceId)}>
                {invoiceNumberOrId(line.numfactura, line.invoiceId)}
              </a>
              <span>{line.jobtitle}</span>
              <span className="hint">
                {isPaid ? '' : line.vence < today ? 'Venció ' : 'Vence '}
                <DateText date={line.vence} />
              </span>
              <span className="payee-sum">
                <Money cents={line.amountCents} />
              </span>
              {line.foreign && (
                <span className="hint">{formatForeign(line.foreign.cents, line.foreign.moneda)}</span>
              )}
              <LineNotes batch={batch} line={line} />
              <LineFindings line={line} />
              {mayPermit && isHeldLine(line) && <PermitStep batch={batch} line={line} />}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** @param today absent once the batch is paid: when they were due matters no more */
function summarizeInvoices(lines: readonly BatchLine[], today: PlainDate | undefined): string {
  const [{ numfactura, invoiceId, jobtitle }] = lines as [BatchLine];
  const invoices = lines.length > 1 ? `${lines.length} facturas` : invoiceNumberOrId(numfactura, invoiceId);
  const [due = ''] = lines.map(({ vence }) => vence).sort();
  const dueText = today && `${due < today ? 'venció' : 'vence'} ${formatDate(due)}`;
  const jobs = new Set(lines.map((line) => line.jobtitle)).size;
  return [invoices, dueText, jobs === 1 ? jobtitle : `${jobs} obras`].filter(Boolean).join(' · ');
}

/** Part of what the line was to pay has been paid or credited aside. */
const isOwedLess = ({ pendingCents, amountCents, paymentId, refusedAt }: BatchLine): boolean =>
  (paymentId === null || refusedAt !== null) && pendingCents < amountCents;

function describeOwedNow(lines: readonly BatchLine[]): string {
  const reduced = lines.filter(isOwedLess);
  const [first] = reduced;
  if (!first) return '';
  const cents = reduced.reduce((sum, { pendingCents }) => sum + pendingCents, 0);
  const owed = cents > 0 ? `Hoy se deben ${formatMoney(cents)}` : 'Hoy no se debe nada';
  if (lines.length === 1) return owed;
  return `${owed} de ${reduced.length > 1 ? `${reduced.length} facturas` : invoiceNumberOrId(first.numfactura, first.invoiceId)}`;
}

const isUnconfirmed = (payee: BatchPayee | undefined): boolean => payee?.account?.trustedAt === null;

const describeAccount = (payee: BatchPayee): string =>
  payee.account
    ? `${bankNameOf(payee.account.clabe)} ${abbreviateClabe(payee.account.clabe)}${isUnconfirmed(payee) ? ', sin confirmar' : ''}`
    : 'Sin cuenta';

/** Shown for a paid batch instead of the supplier's account, which may have changed since the payment. */
const joinPaymentReferences = (lines: readonly BatchLine[]): string =>
  joinFirst([...new Set(lines.map(({ checknum }) => checknum).filter(Boolean))], 2);

interface PayeeMarksProps {
  lines: readonly BatchLine[];
  payee: BatchPayee | undefined;
  isPaid: boolean;
}

function PayeeMarks({ lines, payee, isPaid }: PayeeMarksProps) {
  const isUnpaid = isPaid && lines.some((line) => line.paymentId === null && line.refusedAt === null);
  const owedNow = describeOwedNow(lines);
  const isOverBudget = lines.some(hasFindingWithCode('presupuesto_excedido'));
  const held = isPaid
    ? []
    : lines
        .flatMap(listBlockingFindings)
        // The account itself says that it is unconfirmed.
        .filter(({ code }) => code !== 'clabe_no_confiable' || !isUnconfirmed(payee))
        .flatMap(({ code }) => CHECK_NAMES[code] ?? []);
  return (
    <>
      {held.length > 0 && <Chip tone="danger">{`Retenida: ${[...new Set(held)].join(', ')}`}</Chip>}
      {lines.some(({ refusedAt }) => refusedAt !== null) && RETURNED_CHIP}
      {isUnpaid && UNPAID_CHIP}
      {owedNow && <Chip tone="warn">{owedNow}</Chip>}
      {payee?.isFirstPayment && <Chip tone="warn">Primer pago</Chip>}
      {payee?.isNewAccount && (
        <Chip tone="warn">{`Cuenta nueva, ${formatShortDayMonth(payee.account!.changedOn)}`}</Chip>
      )}
      {isOverBudget && <Chip tone="warn">Pasa su presupuesto</Chip>}
    </>
  );
}

const RETURNED_CHIP = <Chip tone="danger">La devolvió el banco</Chip>;
const UNPAID_CHIP = <Chip tone="warn">Sin pagar</Chip>;

function LineNotes({ batch, line }: { batch: FullBatch; line: BatchLine }) {
  const { pendingCents, amountCents, paymentId, checknum, refusedAt } = line;
  const isPaid = batch.estado === 'pagada';
  const findsExcess = line.verdict.findings.some(({ code }) => code === 'excede_pendiente');
  return (
    <span className="hint payee-notes">
      {refusedAt !== null && RETURNED_CHIP}
      {refusedAt === null && paymentId !== null && (
        <a href={pages.editPayment(paymentId)}>{checknum || `Pago ${paymentId}`}</a>
      )}
      {refusedAt === null && paymentId === null && (isPaid || !isOpenLine(line)) && UNPAID_CHIP}
      {isOwedLess(line) && (isPaid || !findsExcess) && (
        <a href={pages.editInvoice(line.invoiceId)}>{describeOwedNow([line])}</a>
      )}
      {isPaid && !isOwedLess(line) && pendingCents > 0 && `Se deben ${formatMoney(pendingCents)}`}
      {!isPaid &&
        isOpenLine(line) &&
        pendingCents > amountCents &&
        `de ${formatMoney(pendingCents)} pendientes`}
    </span>
  );
}

const PermitStep = ({ batch, line: { invoiceId, numfactura } }: { batch: FullBatch; line: BatchLine }) => (
  <Disclosure
    summary="Autorizar de todos modos"
    label={`Autorizar de todos modos la factura ${numfactura || invoiceId}`}
  >
    <StepForm
      action={pages.paymentBatchStep(batch.id, `partidas/${invoiceId}/permitir`)}
      hidden={{ version: String(batch.version) }}
      fields={
        <Field
          id={`motivo-${invoiceId}`}
          name="motivo"
          label="Motivo"
          maxLength={500}
          autoComplete="off"
          required
          wide
        />
      }
      buttons={<Button>Autorizar esta factura</Button>}
    />
  </Disclosure>
);
