import { Hono } from 'hono';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import { type Period, resolvePeriod } from '../../../shared/periods.ts';
import { pages } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import { getPageShape } from '../../lists/query-shapes.ts';
import { resultList } from '../../lists/reports.ts';
import { choiceField, idField } from '../../shapes/fields.ts';
import { showReport } from '../ui/report-page.tsx';
import { readResultsData } from './results-reading.ts';
import { listResultPeriods, ResultsSections } from './results-sections.tsx';

const queryShape = getPageShape(resultList).extend({
  parte: idField('parte'),
  abierta: idField('abierta'),
  vista: choiceField('vista', ['rubros']),
});

export const resultsPages = new Hono<AppEnv>({ strict: false }).get(pages.results, (c) => {
  let all: Period | undefined;
  return showReport(c, resultList, {
    shape: queryShape,
    kept: ['vista'],
    words: () => ({}),
    first: 'xlsx',
    loadFailed: 'Ocurrió un error al cargar los resultados.',
    shownFilter(query) {
      const { from, to } = resolvePeriod(query, c.get('today'));
      return { desde: from, hasta: to };
    },
    controls(fields) {
      const presets = listResultPeriods(c.get('today'), all);
      return fields.map((field) =>
        field.kind === 'range'
          ? { ...field, presets }
          : field.kind === 'select'
            ? withDefaultOptionEmpty(field)
            : field,
      );
    },
    async read(query) {
      const view = await readResultsData(c, query);
      all = view.all;
      return { results: <ResultsSections {...view} /> };
    },
  });
});

/** Gives the default choice an empty value, so that neither the address nor "Más filtros (1)" includes it. */
function withDefaultOptionEmpty(field: Extract<FilterField, { kind: 'select' }>): FilterField {
  const [usual, ...others] = field.options;
  if (!usual?.value) return field;
  const value = field.value === usual.value ? '' : field.value;
  return { ...field, value, options: [{ ...usual, value: '' }, ...others] };
}
