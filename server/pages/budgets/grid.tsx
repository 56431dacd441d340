import type { ReactNode } from 'react';
import BudgetGrid from '../../../islands/BudgetGrid.tsx';
import { formatMoney } from '../../../shared/money.ts';
import { LONGEST_MOTIVO } from '../../../shared/text.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Island } from '../../shell/island.tsx';
import { type Cell, cellName, cellText, type PostedGrid, seenText } from './posted.ts';

const FORM = 'budget-grid';

export interface GridState {
  /** what a refused form held */
  posted?: PostedGrid;
  motivoError?: string;
  /** its reader may not change it: there is nothing to type into */
  isReadOnly?: boolean;
}

interface GridFormProps {
  action: string;
  cells: readonly Cell[];
  state: GridState;
  children: ReactNode;
}

/** A table of amounts that are typed where they stand, and why they change; script adds arrows, pasting and undo. */
export function GridForm({ action, cells, state, children }: GridFormProps) {
  if (state.isReadOnly) return children;
  return (
    <form id={FORM} method="post" action={action} className="grid" data-busy="" autoComplete="off" noValidate>
      <input type="hidden" name="visto" value={seenText(cells)} />
      {/* Before every other button, so that Enter saves without script. */}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
        Guardar
      </button>
      {children}
      <Island of={BudgetGrid} on="idle" props={{ form: FORM }} />
      <div className="fields">
        <Field
          name="motivo"
          label="Motivo del cambio"
          value={state.posted?.motivo}
          hint="Queda en la historia y en la bitácora."
          error={state.motivoError}
          focus={state.motivoError !== undefined}
          maxLength={LONGEST_MOTIVO}
          autoComplete="off"
          required
          wide
        />
      </div>
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
      </div>
    </form>
  );
}

interface GridCellProps {
  cell: Cell;
  label: string;
  state: GridState;
}

/**
 * One amount; beside one that was refused stands why, or what somebody else has put there meanwhile. Its markup is
 * short, since a page has a thousand: what all share stands at the form and in the column.
 */
export function GridCell({ cell, label, state: { posted, isReadOnly } }: GridCellProps) {
  if (isReadOnly) return cell.version === 0 ? null : <Money cents={cell.cents} />;
  const name = cellName(cell);
  const seen = posted?.seen.get(name);
  const typed = posted?.typed.get(name);
  const isTyped = typed !== undefined && posted !== undefined && isChanged(posted, cell, name);
  const error = posted?.errors[name];
  const isOvertaken = isTyped && (seen?.version ?? 0) !== cell.version;
  const note = error ?? (isOvertaken ? `Ahora: ${formatMoney(cell.cents)}` : undefined);
  return (
    <>
      <input
        name={name}
        defaultValue={(isTyped ? typed : cellText(cell)) || undefined}
        aria-label={label}
        aria-invalid={note ? true : undefined}
      />
      {note && <small className="wrong">{note}</small>}
    </>
  );
}

const isChanged = ({ changes, errors }: PostedGrid, { jobId, rubroId }: Cell, name: string): boolean =>
  Object.hasOwn(errors, name) ||
  (changes.get(jobId)?.some((line) => (line.rubroId ?? 0) === rubroId) ?? false);
