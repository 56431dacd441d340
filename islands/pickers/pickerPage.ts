import { formatDate } from '../../shared/dates.ts';
import { formatMoney, parseMoney } from '../../shared/money.ts';
import { memberOf, type PickerColumn, type PickerRow, type PickerSpec } from './picker.ts';

export interface PickerPage {
  rows: PickerRow[];
  /** of the whole search, where the server says it */
  total?: number;
  /** address of the next rows */
  next?: string;
}

export const PAGE_SIZE = 50;

export interface PickerQuery {
  text: string;
  sortfield: string;
  descending: boolean;
}

export function searchAddress(spec: PickerSpec, { text, sortfield, descending }: PickerQuery): string {
  const query = new URLSearchParams();
  if (text) query.set(spec.filterParam, text);
  query.set('sortfield', sortfield);
  query.set('sorttype', descending ? 'DESC' : 'ASC');
  query.set('limit', String(PAGE_SIZE));
  return `${spec.searchUrl}${spec.searchUrl.includes('?') ? '&' : '?'}${query}`;
}

export async function readPage(response: Response): Promise<PickerPage> {
  const rows = (await response.json()) as PickerRow[];
  const total = response.headers.get('X-Total-Count');
  const next = /<([^>]+)>;\s*rel="?next"?/.exec(response.headers.get('Link') ?? '')?.[1];
  return { rows, total: total === null ? undefined : Number(total), next };
}

/** A cell's text. */
export function cellText(row: PickerRow, { key, format = 'text' }: PickerColumn): string {
  const value = memberOf(row, key);
  if (value === null || value === undefined || value === '') return '';
  if (format === 'money') return formatMoney(parseMoney(value, key));
  if (format === 'date') return formatDate(String(value).slice(0, 10));
  return String(value);
}
