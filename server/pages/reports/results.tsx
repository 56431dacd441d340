import { Hono } from 'hono';
import { periodOf } from '../../../shared/periods.ts';
import { pages } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import { resultList } from '../../lists/reports.ts';
import { pageShape } from '../../lists/shapes.ts';
import { choiceField, idField } from '../../shapes/fields.ts';
import { showReport } from '../ui/report-page.tsx';
import { readResultsView } from './results-reading.ts';
import { ResultsSections } from './results-sections.tsx';

/** The page has parameters of its own for the part and the form that it shows. */
const shape = pageShape(resultList).extend({
  parte: idField('parte'),
  abierta: idField('abierta'),
  vista: choiceField('vista', ['rubros']),
});

export const resultsPages = new Hono<AppEnv>({ strict: false }).get(pages.results, (c) =>
  showReport(c, resultList, {
    shape,
    first: 'xlsx',
    loadFailed: 'Ocurrió un error al cargar los resultados.',
    draws: true,
    shown(asked) {
      const { from, to } = periodOf(asked, c.get('today'));
      return { desde: from, hasta: to };
    },
    controls(fields, { vista }) {
      // Periods are links above the figures, with script or without.
      for (const field of fields) if (field.kind === 'range') field.presets = [];
      return vista ? [...fields, { kind: 'hidden', name: 'vista', value: vista }] : fields;
    },
    read: async (asked) => ({ results: <ResultsSections {...(await readResultsView(c, asked))} /> }),
  }),
);
