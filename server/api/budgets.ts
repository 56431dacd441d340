import { listBudget, readHistory } from '../services/budgets/reading.ts';
import { saveBudget } from '../services/budgets/write.ts';
import { listOf } from '../shapes/answers.ts';
import {
  budgetChangeShape,
  budgetHistoryAnswer,
  budgetLineAnswer,
  toBudgetDrafts,
} from '../shapes/budgets.ts';
import { callsOf, ONE } from './calls.ts';
import { REFERRING } from './describe.ts';

const calls = callsOf('Presupuestos');
/** The id in the path is the obra's. */
export const budgetsApi = calls.app;

calls.reads(ONE, {
  summary: 'El presupuesto de una obra',
  text: 'Los rubros con presupuesto o con gasto; los que tienen gasto y no presupuesto, con `presupuesto` 0.',
  says: 'Por rubro; lo que no tiene rubro, al final',
  answer: listOf(budgetLineAnswer),
  run: ({ db, id }) => listBudget(db, id),
});

calls.changes(ONE, {
  summary: 'Cambiar el presupuesto de una obra',
  text: 'Solo para los roles 1 y 2. Todas las partidas o ninguna. El primer importe de una partida es el original; cada cambio queda en la historia con su motivo.',
  body: budgetChangeShape,
  answer: listOf(budgetLineAnswer),
  stale: budgetLineAnswer,
  problems: REFERRING,
  run: async ({ db, actor, id, body: { partidas } }) => {
    const change = { motivo: actor.motivo ?? '', partidas: toBudgetDrafts(partidas) };
    await saveBudget(db, { ...actor, motivo: undefined }, id, change);
    return listBudget(db, id);
  },
});

calls.reads(`${ONE}/history`, {
  summary: 'La historia del presupuesto de una obra',
  says: 'Cada importe que se puso, el más reciente primero',
  answer: listOf(budgetHistoryAnswer),
  run: ({ db, id }) => readHistory(db, id),
});
