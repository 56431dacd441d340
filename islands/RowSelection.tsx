import { useEffect, useRef, useState } from 'react';
import { formatCount, pluralize } from '../shared/counts.ts';
import { formatDate, isPlainDate } from '../shared/dates.ts';
import { type Cents, formatMoney } from '../shared/money.ts';
import { type AccountMoney, AvailableMoney, describePlanned } from '../shared/ui/AvailableMoney.tsx';
import { Button } from '../shared/ui/Button.tsx';
import { LeaveLink } from '../shared/ui/LeaveLink.tsx';
import { Totals } from '../shared/ui/Totals.tsx';

interface RowSelectionProps {
  form: string;
  label: string;
  /** set where this component renders the form itself: the form's address, and the step that it posts */
  post?: { action: string; step: { name: string; value: string } };
  /** the target of the link that abandons the selection */
  leave?: string;
  /** a second button, which posts the same form to another address */
  other?: { label: string; action: string };
  /** the accounts with a known balance, by the id of the funding source that the form's field chooses */
  accounts?: Readonly<Record<string, AccountMoney>>;
  /** the form's own fields at first, and the address of their place on the page */
  terms?: { href: string } & PaymentTerms;
  /** the rows selected at first; absent where the bar is hidden until a row is selected */
  first?: { invoices: number; cents: Cents };
}

interface PaymentTerms {
  fecha: string;
  /** the funding source's id */
  source: number | null;
  sourceName: string | null;
  /** of the draft to which the invoices are added; it has its own date and funding source */
  batchName: string | undefined;
}

/** The stylesheet shows this bar once a row is selected; only then is it hydrated. Its button works without script. */
export default function RowSelection({ form, label, post, other, ...props }: RowSelectionProps) {
  const terms = usePaymentTerms(form, props.terms);
  const source = !terms?.batchName && terms?.source;
  const account = source ? props.accounts?.[source] : undefined;
  const { invoices, payable, suppliers, cents, offPageBoxes, tickAll, clear } = useSelection(
    form,
    props.first,
  );
  const words = [
    invoices > 0 && pluralize(invoices, 'factura', 'facturas'),
    payable < invoices && `${payable > 0 ? formatCount(payable) : 'ninguna'} por programar`,
    suppliers > 0 && `lo de ${pluralize(suppliers, 'proveedor', 'proveedores')}`,
  ].filter(Boolean);
  const offPageText =
    offPageBoxes.length > 0 &&
    ` (${formatCount(offPageBoxes.length)} aún no se ${offPageBoxes.length === 1 ? 'muestra' : 'muestran'})`;
  const verb = terms?.batchName ? 'agregan' : 'pagan';
  const termsLine = props.terms && terms && (
    <div className="hint">
      <span className="needs-script">
        {words.length > 0 ? `Se ${verb}` : <strong>Marca las facturas que se {verb}</strong>}{' '}
      </span>
      <a href={props.terms.href}>
        <span className="needs-script">{describeTerms(terms)}</span>
        <span className="without-script">Fecha de pago y origen de recurso</span>
      </a>
      .{' '}
      {account && (
        <span className="needs-script">
          Saldo del {account.asOf}
          {describePlanned(account)}
          {offPageText}
        </span>
      )}
      {props.accounts && source && !account && (
        <span className="needs-script">
          <AvailableMoney account={undefined} neededCents={cents} />
        </span>
      )}
    </div>
  );
  const content = (
    <>
      {offPageBoxes.map(({ name, value }) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <output id={`${form}-sum`} tabIndex={-1}>
        {account ? (
          <RemainingMoney account={account} label={words.join(', ')} cents={cents} />
        ) : (
          words.length > 0 && (
            <span>
              {words.join(payable < invoices ? ', ' : ' y ')}
              {cents > 0 && (
                <>
                  : <strong>{formatMoney(cents)}</strong>
                </>
              )}
              {offPageText}
            </span>
          )
        )}
        {termsLine}
      </output>
      {props.leave && <LeaveLink href={props.leave} />}
      {post && (
        <Button type="button" look="quiet" className="needs-script" onClick={tickAll}>
          <span>
            Todas<span className="roomy"> las de la página</span>
          </span>
        </Button>
      )}
      {words.length > 0 && (
        <Button type="button" look="quiet" className="needs-script" onClick={clear}>
          Ninguna
        </Button>
      )}
      {other && (
        <Button formAction={other.action} {...post?.step}>
          {other.label}
        </Button>
      )}
      <Button
        look="primary"
        {...post?.step}
        disabled={words.length > 0 && payable + suppliers === 0}
        aria-describedby={`${form}-sum`}
      >
        {label}
      </Button>
    </>
  );
  if (!post) return <div className="selection any">{content}</div>;
  return (
    <form id={form} className="selection" method="post" action={post.action} aria-label="Lo marcado">
      {content}
    </form>
  );
}

function describeTerms({ fecha, source, sourceName, batchName }: PaymentTerms): string {
  if (batchName) return `a la ${batchName.toLowerCase()}`;
  const missing = [!isPlainDate(fecha) && 'la fecha', !source && 'el origen'].filter(Boolean);
  if (missing.length > 0) return `(falta elegir ${missing.join(' y ')})`;
  return `de ${sourceName} el ${formatDate(fecha)}`;
}

interface RemainingMoneyProps {
  account: AccountMoney;
  /** how many rows are selected; empty where none is */
  label: string;
  cents: Cents;
}

/** Shows what remains in the account, or is missing, once the selected rows are paid. */
function RemainingMoney({ account, label, cents }: RemainingMoneyProps) {
  const leftCents = account.cents - cents;
  const isShort = leftCents < 0;
  const rest = { label: isShort ? 'Faltan' : 'Quedan', cents: Math.abs(leftCents), isLate: isShort };
  return (
    <div className="needs-script">
      <Totals
        label="Lo que queda en la cuenta"
        isFooter
        items={[
          { label: 'Disponible', cents: account.cents },
          ...(label
            ? ([
                { label, cents, op: '−' },
                { ...rest, op: '=' },
              ] as const)
            : []),
        ]}
      />
    </div>
  );
}

type CheckboxInput = HTMLInputElement;

interface TickedBox {
  name: string;
  value: string;
  cents: number;
}

interface SelectionSummary {
  invoices: number;
  /** the number of invoices of which something may be paid */
  payable: number;
  suppliers: number;
  cents: number;
  /** selected rows that the page does not show now: not loaded yet, or replaced by a search */
  offPageBoxes: readonly TickedBox[];
}

const EMPTY_SELECTION: SelectionSummary = {
  invoices: 0,
  payable: 0,
  suppliers: 0,
  cents: 0,
  offPageBoxes: [],
};

function useSelection(formId: string, first: RowSelectionProps['first']) {
  const [view, setView] = useState({ ...EMPTY_SELECTION, ...first, payable: first?.invoices ?? 0 });
  const ticked = useRef(new Map<string, TickedBox>());
  const last = useRef<CheckboxInput>(undefined);
  const listBoxes = () => {
    const form = document.getElementById(formId) as HTMLFormElement | null;
    return [...(form?.elements ?? [])].filter(isRowBox);
  };
  const findSelectAllBox = () =>
    document.querySelector<CheckboxInput>(`thead .tick > input[form="${formId}"]`);

  const findOffPageFields = () => document.querySelectorAll<CheckboxInput>('.pager > input');

  const rememberTickedBox = (box: CheckboxInput) => {
    const parts = invoiceBoxesOf(box);
    if (parts.length > 0) for (const part of parts) setTicked(part, box.checked);
    else setTicked(box, box.checked);
  };
  const setTicked = (box: CheckboxInput, checked: boolean) => {
    box.checked = checked;
    const { name, value } = box;
    if (checked) ticked.current.set(tickedBoxKey(box), { name, value, cents: Number(box.dataset.cents) });
    else ticked.current.delete(tickedBoxKey(box));
  };
  const updateCheckboxes = () => {
    const all = listBoxes();
    for (const box of all) box.checked = ticked.current.has(tickedBoxKey(box));
    for (const box of all) {
      const parts = invoiceBoxesOf(box);
      if (parts.length === 0) continue;
      box.checked = parts.every((part) => part.checked);
      box.indeterminate = !box.checked && parts.some((part) => part.checked);
    }
    const head = findSelectAllBox();
    if (head) head.checked = all.length > 0 && all.every(({ checked }) => checked);
    const shownKeys = new Set(all.map(tickedBoxKey));
    const chosen = [...ticked.current.values()];
    const invoices = chosen.filter(({ name }) => name === INVOICE_BOX_NAME);
    setView({
      invoices: invoices.length,
      payable: invoices.filter(({ cents }) => cents > 0).length,
      suppliers: chosen.length - invoices.length,
      cents: chosen.reduce((sum, { cents }) => sum + cents, 0),
      offPageBoxes: chosen.filter((one) => !shownKeys.has(tickedBoxKey(one))),
    });
  };
  const setAllTicked = (checked: boolean) => {
    if (!checked) ticked.current.clear();
    else for (const box of listBoxes()) if (invoiceBoxesOf(box).length === 0) setTicked(box, true);
    updateCheckboxes();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration; it uses only refs and the form's id
  useEffect(() => {
    const isOwnBox = (target: EventTarget | null): target is CheckboxInput =>
      target instanceof HTMLInputElement && target.form?.id === formId && isRowBox(target);
    const ending = new AbortController();
    const on = (type: string, handle: (event: Event) => void) =>
      document.addEventListener(type, handle, { signal: ending.signal });
    on('click', (event) => {
      const { target, shiftKey } = event as MouseEvent;
      if (!isOwnBox(target)) return;
      const all = listBoxes();
      const [from, to] = [all.indexOf(last.current!), all.indexOf(target)].sort((a, b) => a - b);
      if (shiftKey && from! >= 0)
        for (const box of all.slice(from, to! + 1))
          if (invoiceBoxesOf(box).length === 0) setTicked(box, target.checked);
      last.current = target;
    });
    on('change', ({ target }) => {
      if (target === findSelectAllBox()) return setAllTicked((target as CheckboxInput).checked);
      if (!isOwnBox(target)) return;
      rememberTickedBox(target);
      updateCheckboxes();
    });
    on('saldo:content', () => {
      for (const field of findOffPageFields()) field.remove();
      updateCheckboxes();
    });
    // Rows may have been selected before hydration; those of other pages come as inputs of the pager.
    for (const box of listBoxes()) if (box.checked) rememberTickedBox(box);
    for (const field of findOffPageFields()) {
      setTicked(field, true);
      field.remove();
    }
    last.current = isOwnBox(document.activeElement)
      ? document.activeElement
      : listBoxes().find(({ checked }) => checked);
    if (findSelectAllBox()?.checked) setAllTicked(true);
    else updateCheckboxes();
    return () => ending.abort();
  }, []);

  return { ...view, tickAll: () => setAllTicked(true), clear: () => setAllTicked(false) };
}

/** @returns the form's fields of the batch as they are now; undefined in a form that has none */
function usePaymentTerms(formId: string, first: PaymentTerms | undefined): PaymentTerms | undefined {
  const [terms, setTerms] = useState(first);
  const hasTerms = first !== undefined;
  useEffect(() => {
    if (!hasTerms) return;
    const form = document.getElementById(formId) as HTMLFormElement;
    const find = <Control extends HTMLElement>(name: string) =>
      form.elements.namedItem(name) as Control | null;
    const updateTerms = () => {
      const source = find<HTMLInputElement>('origenderecursoId');
      const batch = find<HTMLSelectElement>('programacionId');
      setTerms({
        fecha: find<HTMLInputElement>('fecha')?.value ?? '',
        source: Number(source?.value) || null,
        sourceName: source?.parentElement?.querySelector<HTMLInputElement>('[role=combobox]')?.value ?? null,
        batchName: batch?.value ? batch.selectedOptions[0]?.text.split(':')[0] : undefined,
      });
    };
    updateTerms();
    // A picker empties its value after this event if what is typed matches no choice.
    const updateLater = () => void setTimeout(updateTerms);
    const ending = new AbortController();
    for (const type of ['input', 'focusout'])
      form.addEventListener(type, updateLater, { signal: ending.signal });
    return () => ending.abort();
  }, [formId, hasTerms]);
  return terms;
}

const INVOICE_BOX_NAME = 'facturaproveedorId';

const isRowBox = (element: Element): element is CheckboxInput => element.matches('tbody .tick > input');

const tickedBoxKey = ({ name, value }: Pick<TickedBox, 'name' | 'value'>) => `${name} ${value}`;

const invoiceBoxesOf = (box: CheckboxInput): CheckboxInput[] =>
  box.name === INVOICE_BOX_NAME
    ? []
    : [...(box.closest('tbody')?.querySelectorAll<CheckboxInput>(`input[name=${INVOICE_BOX_NAME}]`) ?? [])];
