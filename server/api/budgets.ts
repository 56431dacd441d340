import { Hono } from 'hono';
import { z } from 'zod';
import type { BudgetLine } from '../../shared/budgets.ts';
import { readJson } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import { saveBudget } from '../services/budgets/budgets.ts';
import { listBudget, readHistory } from '../services/budgets/reading.ts';
import {
  budgetChangeShape,
  budgetHistoryAnswer,
  budgetLineAnswer,
  toBudgetDrafts,
  toBudgetHistoryJson,
  toBudgetJson,
} from '../shapes/budgets.ts';
import { parseShape } from '../shapes/fields.ts';
import { pathId, withCurrentAsJson } from './answers.ts';
import { describes, REFERRING } from './describe.ts';

const tag = 'Presupuestos';
const lines = z.array(budgetLineAnswer);

/** What obras may cost by rubro; the id in the path is the obra's. */
export const budgetsApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'El presupuesto de una obra',
      text: 'Los rubros con presupuesto o con gasto; los que tienen gasto y no presupuesto, con `presupuesto` 0.',
      success: { status: 200, says: 'Por rubro; lo que no tiene rubro, al final', shape: lines },
    }),
    answerBudget,
  )
  .put(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Cambiar el presupuesto de una obra',
      text: 'Solo para los roles 1 y 2. Todas las partidas o ninguna. El primer importe de una partida es el original; cada cambio queda en la historia con su motivo.',
      body: budgetChangeShape,
      success: { status: 200, says: 'Como quedó', shape: lines },
      stale: budgetLineAnswer,
      problems: REFERRING,
    }),
    async (c) => {
      const { db } = c.get('deps');
      const jobId = pathId(c);
      const { motivo = '', partidas } = parseShape(budgetChangeShape, await readJson(c));
      const change = { motivo, partidas: toBudgetDrafts(partidas) };
      await withCurrentAsJson(
        () => saveBudget(db, actorOf(c), jobId, change),
        (current) => toBudgetJson(current as BudgetLine),
      );
      return answerBudget(c);
    },
  )
  .get(
    '/:id{[0-9]+}/history',
    describes({
      tag,
      summary: 'La historia del presupuesto de una obra',
      success: {
        status: 200,
        says: 'Cada importe que se puso, el más reciente primero',
        shape: z.array(budgetHistoryAnswer),
      },
    }),
    async (c) => c.json((await readHistory(c.get('deps').db, pathId(c))).map(toBudgetHistoryJson)),
  );

async function answerBudget(c: AppContext) {
  return c.json((await listBudget(c.get('deps').db, pathId(c))).map(toBudgetJson));
}
