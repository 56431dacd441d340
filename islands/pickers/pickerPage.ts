import { formatDate } from '../../shared/dates.ts';
import { formatMoney, parseMoney } from '../../shared/money.ts';
import { type PickerColumn, type PickerRow, type PickerSpec, readMemberAtPath } from './picker.ts';

export interface PickerPage {
  rows: PickerRow[];
  /** number of all matches, if the server returns it */
  total?: number;
  next?: string;
}

const PAGE_SIZE = 50;

export function buildSearchUrl({ searchUrl, filterParam }: PickerSpec, form: FormData): string {
  const query = new URLSearchParams();
  const text = String(form.get(filterParam) ?? '').trim();
  if (text) query.set(filterParam, text);
  query.set('sortfield', String(form.get('sortfield')));
  query.set('sorttype', String(form.get('sorttype') ?? 'ASC'));
  query.set('limit', String(PAGE_SIZE));
  return `${searchUrl}${searchUrl.includes('?') ? '&' : '?'}${query}`;
}

export async function readPickerPage(response: Response): Promise<PickerPage> {
  const rows = (await response.json()) as PickerRow[];
  const total = response.headers.get('X-Total-Count');
  const next = /<([^>]+)>;\s*rel="?next"?/.exec(response.headers.get('Link') ?? '')?.[1];
  return { rows, total: total === null ? undefined : Number(total), next };
}

export function cellText(row: PickerRow, { key, format = 'text' }: PickerColumn): string {
  if (format === 'pending') {
    const cents = parseMoney(row.total, 'total') - parseMoney(row.totalamountpaid, 'totalamountpaid');
    return cents > 0 ? formatMoney(cents) : 'Pagada';
  }
  const value = readMemberAtPath(row, key);
  if (value === null || value === undefined || value === '') return '';
  if (format === 'money') return formatMoney(parseMoney(value, key));
  if (format === 'date') return formatDate(String(value).slice(0, 10));
  return String(value);
}
