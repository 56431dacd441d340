import { addDays, type PlainDate } from '../../../shared/dates.ts';

const files = import.meta.glob<string>('./company/*', { eager: true, query: '?raw', import: 'default' });

/**
 * In the files, days stand as whole days from the one on which the company is stored, "{-12}", so that it is
 * always as of today.
 */
export const companyFile = (name: string, today: PlainDate): string =>
  files[`./company/${name}`]!.replace(/\{(-?\d+)\}/g, (_, days) => addDays(today, Number(days)));
