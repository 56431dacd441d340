import { formatDate } from '../../../shared/dates.ts';
import { formatMoney, rateText } from '../../../shared/money.ts';
import type { TableField } from '../../formats/tables/fields.ts';
import type { RawCell, RowValues } from '../../formats/tables/table.ts';

export function cellWords(cell: RawCell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return 'date' in cell ? cell.date : cell.error;
  if (typeof cell === 'boolean') return cell ? 'Sí' : 'No';
  return String(cell);
}

export function valueWords({ name, type }: TableField, values: RowValues): string {
  const value = values[name];
  if (value === null || value === undefined) return '';
  if (type === 'money' && typeof value === 'number') return formatMoney(value);
  if (type === 'rate' && typeof value === 'number') return `${rateText(value)} %`;
  if (type === 'date') return formatDate(String(value));
  return String(value);
}

export const isFigure = ({ type }: TableField): boolean =>
  type === 'money' || type === 'rate' || type === 'whole';

export const shorten = (text: string, most: number) =>
  text.length > most ? `${[...text].slice(0, most).join('')}…` : text;
