import { addDays, mondayOf, type PlainDate } from './dates.ts';
import { monthOf, type Period } from './periods.ts';

/** These are whole periods: their last day may be in the future. */
export function presetPeriods(today: PlainDate): (Period & { name: string })[] {
  const monday = mondayOf(today);
  const month = monthOf(today);
  const year = today.slice(0, 4);
  return [
    { name: 'Hoy', from: today, to: today },
    { name: 'Esta semana', from: monday, to: addDays(monday, 6) },
    { name: 'Este mes', ...month },
    { name: 'Mes pasado', ...monthOf(addDays(month.from, -1)) },
    { name: 'Este año', from: `${year}-01-01`, to: `${year}-12-31` },
  ];
}
