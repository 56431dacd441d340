import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import ReferencePicker from '../../../islands/ReferencePicker.tsx';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { formatDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { moneyText, parseMoney } from '../../../shared/money.ts';
import type { Movement, PettyCashFund } from '../../../shared/petty-cash.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Field, type FieldProps } from '../../../shared/ui/Field.tsx';
import { Island } from '../../shell/island.tsx';
import { catalogFallback, catalogPicker, chosenName } from '../ui/pickers.ts';
import { workOutAmount } from '../ui/posted.ts';
import { StaleFields } from '../ui/stale.tsx';

export interface FormState {
  /** what was posted; on a first showing what the form starts with */
  values: Readonly<Record<string, string>>;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

export interface FormTexts<Row> {
  action: string;
  /** where "Regresar" leads */
  back: string;
  hidden: Readonly<Record<string, string>>;
  /** of an edit: what is stored now */
  stored?: Row;
  /** below the form */
  after?: ReactNode;
}

type Control = { name: string; label: string; catalog?: Catalog } & Partial<FieldProps>;

const FUND_FIELDS: readonly Control[] = [
  { name: 'fundingSourceId', label: 'Origen de recurso', catalog: fundingSources, required: true },
  { name: 'responsable', label: 'Responsable', required: true, maxLength: 200 },
  {
    name: 'openedOn',
    label: 'Fecha de apertura',
    kind: 'date',
    required: true,
    hint: 'Desde este día, los pagos a proveedores con este origen salen de la caja.',
  },
  { name: 'opening', label: 'Saldo inicial', kind: 'money', hint: 'Lo que había en la caja al abrirla.' },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
];

const MOVEMENT_FIELDS: readonly Control[] = [
  {
    name: 'kind',
    label: 'Tipo',
    kind: 'select',
    options: [
      { value: 'gasto', label: 'Gasto' },
      { value: 'ingreso', label: 'Ingreso' },
    ],
  },
  { name: 'movementdate', label: 'Fecha', kind: 'date', required: true },
  { name: 'concept', label: 'Concepto', required: true, wide: true, maxLength: 300 },
  { name: 'amount', label: 'Cantidad', kind: 'money', required: true },
  { name: 'comprobante', label: 'Número de comprobante', maxLength: 60 },
  { name: 'jobId', label: 'Obra del gasto', catalog: jobs },
  { name: 'rubroId', label: 'Rubro del gasto', catalog: rubros },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
];

const FIELDS = { fund: FUND_FIELDS, movement: MOVEMENT_FIELDS };

/** The form's own fields among those that were posted, operations in amounts worked out. @throws DomainError */
export const fieldsOf = (which: keyof typeof FIELDS, form: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    FIELDS[which].flatMap(({ name, label, kind }) => {
      const text = form[name];
      if (text === undefined) return [];
      return [[name, kind === 'money' ? workOutAmount(text, label, name) : text]];
    }),
  );

export const fundTextsOf = (fund: PettyCashFund): Record<string, string> => ({
  responsable: fund.responsable,
  openedOn: fund.openedOn,
  opening: moneyText(fund.openingCents),
  comments: fund.comments,
});

export const movementTextsOf = (movement: Movement): Record<string, string> => ({
  kind: movement.kind,
  movementdate: movement.movementdate,
  concept: movement.concept,
  amount: moneyText(movement.amountCents),
  comprobante: movement.comprobante,
  jobId: String(movement.jobId ?? ''),
  rubroId: String(movement.rubroId ?? ''),
  comments: movement.comments,
});

/** A new fund's source is chosen once; afterwards the fund is named by it. */
export function FundForm({ db, state, form }: { db: Db; state: FormState; form: FormTexts<PettyCashFund> }) {
  const fields = form.stored ? FUND_FIELDS.filter(({ catalog }) => !catalog) : FUND_FIELDS;
  return renderForm(db, fields, state, form, form.stored && fundTextsOf(form.stored));
}

export function MovementForm({
  db,
  fund,
  state,
  form,
}: {
  db: Db;
  fund: PettyCashFund;
  state: FormState;
  form: FormTexts<Movement>;
}) {
  const hints: Record<string, string> = {
    movementdate: `Desde el ${formatDate(fund.openedOn)}, cuando se abrió la caja.`,
  };
  const fields = MOVEMENT_FIELDS.map((field) => ({ ...field, hint: hints[field.name] }));
  return renderForm(db, fields, state, form, form.stored && movementTextsOf(form.stored));
}

/** Messages, what somebody else saved meanwhile, the fields, the buttons. */
async function renderForm(
  db: Db,
  fields: readonly Control[],
  { values, problem }: FormState,
  { action, back, hidden }: FormTexts<unknown>,
  stored: Record<string, string> | undefined,
) {
  const wrong = fields.find(({ name }) => problem?.fields?.[name]);
  // A new row begins with what has to be typed first; what is edited may be any of them.
  const first =
    wrong ?? (stored ? undefined : fields.find(({ name }) => name === 'concept' || name === 'responsable'));
  const controls = [];
  for (const field of fields) {
    const { name, catalog, ...control } = field;
    const shared = { name, error: problem?.fields?.[name], focus: field === first };
    const value = values[name] ?? '';
    if (!catalog) {
      controls.push(<Field key={name} {...control} {...shared} value={value} autoComplete="off" />);
      continue;
    }
    const id = idIn(value);
    const chosen = await chosenName(db, catalog, id);
    const picker = {
      picker: catalogPicker(catalog),
      value: id,
      chosen,
      noscript: await catalogFallback(db, catalog, chosen ?? values[catalog.nameField]),
    };
    const { label, required } = control;
    controls.push(
      <Island key={name} of={ReferencePicker} on="idle" props={{ ...shared, ...picker, label, required }} />,
    );
  }
  return (
    <form method="post" action={action} className="form" data-busy="" noValidate>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {problem?.kind === 'stale' && stored && (
        <StaleFields rows={await compare(db, fields, stored, values)} reload={action} />
      )}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="fields">{controls}</div>
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
        <LinkButton href={back}>Regresar</LinkButton>
      </div>
    </form>
  );
}

const idIn = (text: string): number | null => (/^\d{1,15}$/.test(text.trim()) ? Number(text) || null : null);

/** An amount as it would be stored, however it was typed; empty is nothing. */
function centsText(typed: string): string {
  try {
    return moneyText(typed ? parseMoney(typed, '') : 0);
  } catch (error) {
    if (error instanceof DomainError) return typed;
    throw error;
  }
}

/** What is stored now beside what was typed, where they differ, as people read it. */
async function compare(
  db: Db,
  fields: readonly Control[],
  stored: Record<string, string>,
  typed: Readonly<Record<string, string>>,
) {
  const rows: { label: string; stored: string; yours: string }[] = [];
  for (const { name, label, kind, catalog, options } of fields) {
    const [now = '', yours = ''] = [stored[name], typed[name]?.trim()];
    if (now === (kind === 'money' ? centsText(yours) : yours)) continue;
    const shown = async (text: string) => {
      if (catalog) return (await chosenName(db, catalog, idIn(text))) ?? text;
      if (kind === 'date') return formatDate(text);
      return options?.find(({ value }) => value === text)?.label ?? text;
    };
    rows.push({ label, stored: await shown(now), yours: await shown(yours) });
  }
  return rows;
}
