import { Button } from '../../shared/ui/Button.tsx';
import { type PickerColumn, type PickerRow, type PickerSpec, rowName } from './picker.ts';
import { cellText } from './pickerPage.ts';

interface PickerTableProps {
  spec: PickerSpec;
  rows: readonly PickerRow[];
  isStale: boolean;
  focusedIndex: number;
  onFocusRow: (index: number) => void;
  onPick: (row: PickerRow) => void;
}

export function PickerTable({ spec, rows, isStale, focusedIndex, onFocusRow, onPick }: PickerTableProps) {
  if (rows.length === 0) return null;
  const stop = Math.min(focusedIndex, rows.length - 1);
  return (
    <table className={isStale ? 'data choices stale-rows' : 'data choices'}>
      <caption className="visually-hidden">
        {isStale ? `${spec.title}, resultados de la búsqueda anterior` : spec.title}
      </caption>
      <thead>
        <tr>
          {spec.columns.map((column) => (
            <th key={column.key} scope="col" className={columnClass(column, spec)}>
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
                <td key={column.key} className={columnClass(column, spec)} title={text}>
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
                onFocus={() => onFocusRow(index)}
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

function columnClass({ key, format, hideOnSmall }: PickerColumn, { nameKey }: PickerSpec) {
  const isFigure = format === 'money' || format === 'pending' || key === 'id';
  const place = key === nameKey ? 'card-title' : isFigure ? 'num card-corner' : 'card-line';
  return hideOnSmall ? `${place} hide-sm` : place;
}
