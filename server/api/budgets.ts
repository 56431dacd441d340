import { z } from 'zod';
import { availableOf, type BudgetChange, type BudgetLineInput } from '../../shared/budgets.ts';
import { DomainError } from '../../shared/errors.ts';
import { toDecimal } from '../../shared/money.ts';
import { MAX_MOTIVO_LENGTH } from '../../shared/text.ts';
import { type BudgetRow, listBudget, readHistory } from '../services/budgets/reading.ts';
import { saveBudgetOfJob } from '../services/budgets/write.ts';
import * as member from '../shapes/answer-members.ts';
import { answerFor, listAnswer } from '../shapes/answers.ts';
import { idField, moneyField, textField, wholeNumberField } from '../shapes/fields.ts';
import { REFERENCE_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, ROW_PATH } from './calls.ts';

const budgetVersionMember = z.int().min(0).meta({
  description:
    'Crece con cada cambio, 0 si todavía no hay; se manda al guardar para no pisar un cambio ajeno',
});
const rubroMember = member.rowId('Rubro; null: sin rubro').nullable();

const lineShape = z.strictObject({
  rubroId: idField('Rubro').meta({ description: 'Rubro; null: sin rubro' }),
  presupuesto: moneyField('Presupuesto'),
  version: wholeNumberField('Versión', 0, Number.MAX_SAFE_INTEGER).meta({
    description:
      'La versión que se leyó, 0 si no había: si ya hay otra más nueva, 409 `stale`. Sin ella se sobrescribe',
  }),
});

const budgetChangeShape = z
  .strictObject({
    motivo: textField('Motivo', MAX_MOTIVO_LENGTH, 'motivo').meta({
      description: 'Por qué cambia: queda en la historia y en la bitácora',
    }),
    partidas: z.array(lineShape).max(10_000).optional().meta({ description: 'Las demás quedan como están' }),
  })
  .meta({
    id: 'BudgetChange',
    required: ['motivo', 'partidas'],
    examples: [{ motivo: 'Convenio modificatorio 2', partidas: [{ rubroId: 1, presupuesto: 500_000 }] }],
  });

const budgetLineAnswer = answerFor<BudgetRow>(
  'BudgetLine',
  'Lo que una obra puede costar en un rubro, y lo que lleva.',
).with({
  rubroId: rubroMember,
  nombrerubro: member.text('Nombre del rubro, o "Sin rubro"'),
  presupuesto: member.amount('Lo que puede costar, sin IVA'),
  // Always 0: each line of a payment batch pays an invoice, whose cost is in `gastado` already.
  comprometido: [member.amount('En programaciones de pago abiertas y sin factura'), () => 0],
  gastado: member.amount('Facturas sin IVA menos notas de crédito, más caja chica'),
  disponible: [member.amount('presupuesto − comprometido − gastado'), (line) => toDecimal(availableOf(line))],
  version: budgetVersionMember,
});

const budgetHistoryAnswer = answerFor<BudgetChange>(
  'BudgetHistoryEntry',
  'Un importe que se puso a un presupuesto.',
).with({
  id: member.rowId('Cambio'),
  rubroId: rubroMember,
  nombrerubro: member.text('Nombre del rubro, o "Sin rubro"'),
  antes: member.amount('El presupuesto anterior; null: no había').nullable(),
  despues: member.amount('El presupuesto desde entonces'),
  motivo: member.text('Por qué cambió'),
  userId: member.rowId('Quién'),
  username: member.text('Quién'),
  at: member.moment('Cuándo'),
});

/** @throws DomainError invalid where a line leaves out its rubro or amount */
function toBudgetLineInputs(lines: z.output<typeof budgetChangeShape>['partidas'] = []): BudgetLineInput[] {
  return lines.map(({ rubroId, presupuesto, version: readVersion }, index) => {
    const missing = rubroId === undefined ? 'rubroId' : presupuesto === undefined ? 'presupuesto' : undefined;
    if (missing) {
      const message = `Partida ${index + 1}: falta «${missing}».`;
      throw new DomainError('invalid', message, { fields: { partidas: message } });
    }
    return { rubroId: rubroId ?? null, presupuestoCents: presupuesto!, version: readVersion };
  });
}

const endpoints = createEndpoints('Presupuestos');
export const budgetsApi = endpoints.app;

endpoints.reads(ROW_PATH, {
  summary: 'El presupuesto de una obra',
  text: 'Los rubros con presupuesto o con gasto; los que tienen gasto y no presupuesto, con `presupuesto` 0.',
  returns: 'Por rubro; lo que no tiene rubro, al final',
  answer: listAnswer(budgetLineAnswer),
  run: ({ db, id }) => listBudget(db, id),
});

endpoints.changes(ROW_PATH, {
  summary: 'Cambiar el presupuesto de una obra',
  text: 'Solo para los roles 1 y 2. Todas las partidas o ninguna. El primer importe de una partida es el original; cada cambio queda en la historia con su motivo.',
  body: budgetChangeShape,
  answer: listAnswer(budgetLineAnswer),
  stale: budgetLineAnswer,
  problems: REFERENCE_PROBLEMS,
  run: async ({ db, actor, id, body: { partidas } }) => {
    const change = { motivo: actor.motivo ?? '', partidas: toBudgetLineInputs(partidas) };
    await saveBudgetOfJob(db, { ...actor, motivo: undefined }, id, change);
    return listBudget(db, id);
  },
});

endpoints.reads(`${ROW_PATH}/history`, {
  summary: 'La historia del presupuesto de una obra',
  returns: 'Cada importe que se puso, el más reciente primero',
  answer: listAnswer(budgetHistoryAnswer),
  run: ({ db, id }) => readHistory(db, id),
});
