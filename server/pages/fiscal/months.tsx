import { addDays, monthName } from '../../../shared/dates.ts';
import type { Period } from '../../../shared/periods.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { fiscalTexts } from '../../services/fiscal/texts.ts';

export const monthParameter = ({ from }: Period) => from.slice(0, 7);

export const MonthLinks = ({ month, page }: { month: Period; page: string }) => (
  <p className="actions no-print">
    {[addDays(month.from, -1), addDays(month.to, 1)].map((day, index) => (
      <a key={day} href={withQuery(page, { mes: day.slice(0, 7) })}>
        {index === 0 ? `‹ ${monthName(day)}` : `${monthName(day)} ›`}
      </a>
    ))}
  </p>
);

export const RfcMissing = () => (
  <Alert tone="warning" dismissible={false}>
    {fiscalTexts.rfcMissing} <a href={pages.settings}>Ir a Configuración</a>
  </Alert>
);
