import { Button } from '../shared/ui/Button.tsx';
import { useGrid } from './grid/useGrid.ts';

/**
 * Makes a form's table of amounts a grid: arrows, Enter and Tab go from cell to cell, a spreadsheet's cells are pasted
 * from where one stands, and everything can be taken back until it is saved. The table itself is the server's.
 */
export default function BudgetGrid({ form }: { form: string }) {
  const { said, canUndo, canRedo, undo, redo } = useGrid(form);
  return (
    <div className="actions grid-keys">
      <Button type="button" icon="undo" disabled={!canUndo} onClick={undo}>
        Deshacer
      </Button>
      <Button type="button" look="quiet" disabled={!canRedo} onClick={redo}>
        Rehacer
      </Button>
      <output className="note">{said}</output>
      <span className="hint needs-script">
        Flechas, Enter y Tab van de celda en celda; se puede pegar desde una hoja de cálculo. Ctrl+Z deshace.
      </span>
    </div>
  );
}
