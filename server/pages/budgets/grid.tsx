import type { ReactNode } from 'react';
import BudgetGrid from '../../../islands/BudgetGrid.tsx';
import { evaluateMoney } from '../../../shared/arithmetic.ts';
import { type BudgetLineInput, budgetTexts as texts } from '../../../shared/budgets.ts';
import { catchDomainError } from '../../../shared/errors.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import { type Cents, formatMoney, formatMoneyWithoutSymbol } from '../../../shared/money.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Island } from '../../shell/island.tsx';

const FORM_ID = 'budget-grid';

import { MotivoField } from '../ui/refusal-reason.tsx';

export interface GridState {
  postedChanges?: PostedGridChanges;
  motivoError?: string;
  isReadOnly?: boolean;
}

interface GridFormProps {
  action: string;
  cells: readonly BudgetCell[];
  state: GridState;
  children: ReactNode;
}

/** Script adds arrow keys, pasting and undo. */
export function GridForm({ action, cells, state, children }: GridFormProps) {
  if (state.isReadOnly) return children;
  return (
    <form
      id={FORM_ID}
      method="post"
      action={action}
      className="grid"
      data-busy=""
      autoComplete="off"
      noValidate
    >
      <input type="hidden" name="visto" value={serializeShownCells(cells)} />
      {/* It is the first button, so that Enter saves without script. */}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
        Guardar
      </button>
      {children}
      <Island component={BudgetGrid} on="idle" props={{ gridFormId: FORM_ID }} />
      <div className="fields">
        <MotivoField
          label="Motivo del cambio"
          value={state.postedChanges?.motivo}
          hint="Queda en la historia y en la bitácora."
          error={state.motivoError}
          focus={state.motivoError !== undefined}
        />
      </div>
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
      </div>
    </form>
  );
}

interface GridCellProps {
  cell: BudgetCell;
  label: string;
  state: GridState;
}

/** The markup is short, because a page has a thousand cells: what cells share is in the form and the column. */
export function GridCell({ cell, label, state: { postedChanges, isReadOnly } }: GridCellProps) {
  if (isReadOnly) return cell.version === 0 ? null : <Money cents={cell.cents} />;
  const name = cellName(cell);
  const typed = postedChanges?.typed.get(name);
  const isOvertaken = typed && typed.version !== cell.version;
  const note = postedChanges?.errors[name] ?? (isOvertaken && `Ahora: ${formatMoney(cell.cents)}`);
  return (
    <>
      <input
        name={name}
        defaultValue={(typed?.text ?? formatCellAmount(cell)) || undefined}
        aria-label={label}
        aria-invalid={note ? true : undefined}
      />
      {note && <small className="wrong">{note}</small>}
    </>
  );
}

/** A cell is the budget of a job in one rubro; the rubro is NO_RUBRO where the budget has none. */
export interface BudgetCell {
  jobId: number;
  rubroId: number;
  cents: Cents;
  version: number;
}

const cellName = ({ jobId, rubroId }: Pick<BudgetCell, 'jobId' | 'rubroId'>): string =>
  `p.${jobId}.${rubroId}`;

/** Formats "500,000.00" as it is shown and typed; the text is empty where there never was a budget. */
const formatCellAmount = ({ cents, version }: Pick<BudgetCell, 'cents' | 'version'>): string =>
  version === 0 ? '' : formatMoneyWithoutSymbol(cents);

/** The shown values, posted in a hidden field to tell this user's changes from those of others. */
const serializeShownCells = (cells: readonly BudgetCell[]): string =>
  cells
    .filter(({ version }) => version > 0)
    .map(({ jobId, rubroId, cents, version }) => [jobId, rubroId, cents, version].join('.'))
    .join(' ');

export type PostedGridChanges = ReturnType<typeof parsePostedGrid>;

/** @returns texts and errors of the controls whose text the user changed, and the changes by job */
export function parsePostedGrid({ motivo = '', visto = '', ...fields }: Readonly<Record<string, string>>) {
  const shownCells = new Map(visto.split(' ').flatMap(parseShownCellEntry));
  const typed = new Map<string, { text: string; version: number }>();
  const changes = new Map<number, BudgetLineInput[]>();
  const errors: Record<string, string> = {};
  for (const [name, text] of Object.entries(fields)) {
    if (!CELL_NAME_PATTERN.test(name)) continue;
    const [jobId = 0, rubroId = 0] = name.split('.').slice(1).map(Number);
    const { cents = 0, version = 0 } = shownCells.get(name) ?? {};
    const read = parseCentsOrMessage(text, name);
    if (read === cents) continue;
    typed.set(name, { text, version });
    if (typeof read === 'string') errors[name] = read;
    else {
      const line = { rubroId: rubroId === NO_RUBRO ? null : rubroId, presupuestoCents: read, version };
      changes.set(jobId, [...(changes.get(jobId) ?? []), line]);
    }
  }
  return { motivo, typed, changes: new Map([...changes].sort(([a], [b]) => a - b)), errors };
}

const CELL_NAME_PATTERN = /^p\.[1-9]\d{0,14}\.\d{1,15}$/;

function parseShownCellEntry(text: string): [string, BudgetCell][] {
  if (!/^\d{1,15}(\.\d{1,15}){3}$/.test(text)) return [];
  const [jobId = 0, rubroId = 0, cents = 0, version = 0] = text.split('.').map(Number);
  const cell = { jobId, rubroId, cents, version };
  return [[cellName(cell), cell]];
}

/** Parses an amount; empty text is 0. @returns an error message where the text is no amount */
function parseCentsOrMessage(text: string, name: string): Cents | string {
  if (!text.trim()) return 0;
  const parsed = catchDomainError(
    () => evaluateMoney(text, 'Presupuesto', name),
    ({ message }) => message,
  );
  return typeof parsed === 'number' && parsed < 0 ? texts.negative : parsed;
}
