import { Hono } from 'hono';
import { z } from 'zod';
import type { AppContext, AppEnv } from '../http/session.ts';
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
import { pathId, takes } from './answers.ts';
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
    async (c) => c.json(await budgetJson(c)),
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
    takes(budgetChangeShape, { current: toBudgetJson }, async ({ c, db, actor, id, body: { partidas } }) => {
      const change = { motivo: actor.motivo ?? '', partidas: toBudgetDrafts(partidas) };
      await saveBudget(db, { ...actor, motivo: undefined }, id, change);
      return budgetJson(c);
    }),
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

const budgetJson = async (c: AppContext) => (await listBudget(c.get('deps').db, pathId(c))).map(toBudgetJson);
