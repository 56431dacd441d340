import { type Ref, useState } from 'react';
import { Button } from '../../shared/ui/Button.tsx';
import { type PickerColumn, type PickerRow, type PickerSpec, rowName } from './picker.ts';
import { cellText } from './pickerPage.ts';

interface PickerTableProps {
  spec: PickerSpec;
  rows: readonly PickerRow[];
  onPick: (row: PickerRow) => void;
  ref: Ref<HTMLTableElement>;
}

/** The rows to choose from. Tab stops once, at the current row; arrows lead to the others. */
export function PickerTable({ spec, rows, onPick, ref }: PickerTableProps) {
  const [current, setCurrent] = useState(0);
  if (rows.length === 0) return null;
  const stop = Math.min(current, rows.length - 1);
  return (
    <table className="data" ref={ref}>
      <caption className="visually-hidden">{spec.title}</caption>
      <thead>
        <tr>
          {spec.columns.map((column) => (
            <th key={column.key} scope="col" className={classOf(column)}>
              {column.label}
            </th>
          ))}
          <th scope="col" className="row-actions">
            <span className="visually-hidden">Acción</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.id}>
            {spec.columns.map((column) => {
              const text = cellText(row, column);
              return (
                <td key={column.key} className={classOf(column)} data-label={column.label} title={text}>
                  {text}
                </td>
              );
            })}
            <td className="row-actions btn-text">
              <Button
                type="button"
                look="quiet"
                aria-label={`Seleccionar ${rowName(row, spec)}`}
                tabIndex={index === stop ? 0 : -1}
                onFocus={() => setCurrent(index)}
                onClick={() => onPick(row)}
              >
                Seleccionar
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf({ key, format, hideOnSmall }: PickerColumn): string | undefined {
  const classes = [(format === 'money' || key === 'id') && 'num', hideOnSmall && 'hide-sm'];
  return classes.filter(Boolean).join(' ') || undefined;
}
