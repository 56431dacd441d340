import { Hono } from 'hono';
import { z } from 'zod';
import { missingStatement } from '../../shared/bank-statements.ts';
import { type AppEnv, actorOf } from '../http/session.ts';
import { readSentForm } from '../http/uploads.ts';
import { loadStatementFile, MOST_STATEMENT_MB } from '../services/bank-statements/loading.ts';
import { getStatement, listStatements } from '../services/bank-statements/reading.ts';
import { requireApprover } from '../services/payment-batches/stages.ts';
import {
  bankStatementAnswer,
  fullBankStatementAnswer,
  loadedAnswer,
  newStatementShape,
  statementListShape,
  toFullStatementJson,
  toLoadedJson,
  toStatementJson,
} from '../shapes/bank-statements.ts';
import { parseQuery, parseShape } from '../shapes/fields.ts';
import { pathId } from './answers.ts';
import { DATED, describes } from './describe.ts';

const tag = 'Programaciones';
const LIST = '/estados-de-cuenta';

/** What banks say of the accounts that pay batches; mounted under the batches' address. */
export const bankStatementsApi = new Hono<AppEnv>({ strict: false })
  .get(
    LIST,
    describes({
      tag,
      summary: 'Los estados de cuenta del banco que se cargaron',
      query: statementListShape,
      success: { status: 200, says: 'El último, primero', shape: z.array(bankStatementAnswer) },
    }),
    async (c) => {
      const { limit } = parseQuery(statementListShape, c.req.queries());
      return c.json((await listStatements(c.get('deps').db, limit)).map(toStatementJson));
    },
  )
  .get(
    `${LIST}/:id{[0-9]+}`,
    describes({
      tag,
      summary: 'Leer un estado de cuenta del banco',
      success: { status: 200, says: 'Con sus movimientos', shape: fullBankStatementAnswer },
    }),
    async (c) => c.json(toFullStatementJson(await getStatement(c.get('deps').db, pathId(c)))),
  )
  .post(
    `${LIST}/cargar`,
    describes({
      tag,
      summary: 'Cargar un estado de cuenta del banco',
      text: 'Lo que el banco pagó de las programaciones enviadas queda pagado con su fecha; lo que devolvió vuelve a deberse. Se reconoce por el importe junto con la referencia o la CLABE. Un movimiento cuenta una vez: repetir la carga no paga dos veces. Hasta 20,000 renglones. Solo para los roles 1 y 2.',
      body: newStatementShape,
      isForm: true,
      success: { status: 200, says: 'Qué resultó de sus movimientos', shape: loadedAnswer },
      problems: ['bad_statement', ...DATED],
    }),
    async (c) => {
      requireApprover(actorOf(c));
      const { fields, files } = await readSentForm(c, MOST_STATEMENT_MB);
      const { origenderecursoId } = parseShape(newStatementShape, { ...fields });
      const { file } = files;
      if (!origenderecursoId || !file) throw missingStatement(!origenderecursoId, !file);
      const sent = { origenderecursoId, ...file };
      const outcome = await loadStatementFile(c.get('deps').db, actorOf(c), sent, c.req.raw.signal);
      return c.json(toLoadedJson(outcome));
    },
  );
