import { z } from 'zod';
import { availableOf, type BudgetChange, type BudgetDraft } from '../../shared/budgets.ts';
import { DomainError } from '../../shared/errors.ts';
import { toDecimal } from '../../shared/money.ts';
import { LONGEST_MOTIVO } from '../../shared/text.ts';
import type { BudgetRow } from '../services/budgets/reading.ts';
import { idField, moneyField, textField, wholeField } from './fields.ts';
import { amount, answering, moment, rowId, text } from './wire.ts';

const version = z.int().min(0).meta({
  description:
    'Crece con cada cambio, 0 si todavía no hay; se manda al guardar para no pisar un cambio ajeno',
});
const rubro = rowId('Rubro; null: sin rubro').nullable();

const lineShape = z.strictObject({
  rubroId: idField('Rubro').meta({ description: 'Rubro; null: sin rubro' }),
  presupuesto: moneyField('Presupuesto'),
  version: wholeField('Versión', 0, Number.MAX_SAFE_INTEGER).meta({
    description:
      'La versión que se leyó, 0 si no había: si ya hay otra más nueva, 409 `stale`. Sin ella se sobrescribe',
  }),
});

export const budgetChangeShape = z
  .strictObject({
    motivo: textField('Motivo', LONGEST_MOTIVO, 'motivo').meta({
      description: 'Por qué cambia: queda en la historia y en la bitácora',
    }),
    partidas: z.array(lineShape).max(10_000).optional().meta({ description: 'Las demás quedan como están' }),
  })
  .meta({
    id: 'BudgetChange',
    required: ['motivo', 'partidas'],
    examples: [{ motivo: 'Convenio modificatorio 2', partidas: [{ rubroId: 1, presupuesto: 500_000 }] }],
  });

export const budgetLineAnswer = z
  .strictObject({
    rubroId: rubro,
    nombrerubro: text('Nombre del rubro, o "Sin rubro"'),
    presupuesto: amount('Lo que puede costar, sin IVA'),
    comprometido: amount('En programaciones de pago abiertas y sin factura'),
    gastado: amount('Facturas sin IVA menos notas de crédito, más caja chica'),
    disponible: amount('presupuesto − comprometido − gastado'),
    version,
  })
  .meta({ id: 'BudgetLine', description: 'Lo que una obra puede costar en un rubro, y lo que lleva.' });

export const budgetHistoryAnswer = z
  .strictObject({
    id: rowId('Cambio'),
    rubroId: rubro,
    nombrerubro: text('Nombre del rubro, o "Sin rubro"'),
    antes: amount('El presupuesto anterior; null: no había').nullable(),
    despues: amount('El presupuesto desde entonces'),
    motivo: text('Por qué cambió'),
    userId: rowId('Quién'),
    username: text('Quién'),
    at: moment('Cuándo'),
  })
  .meta({ id: 'BudgetHistoryEntry', description: 'Un importe que se puso a un presupuesto.' });

const answerLine = answering(budgetLineAnswer);
const answerChange = answering(budgetHistoryAnswer);

/** Nothing is committed: a line of a payment batch names an invoice, whose cost is spent already. */
export const toBudgetJson = (line: BudgetRow) =>
  answerLine(line, { comprometido: 0, disponible: toDecimal(availableOf(line)) });

export const toBudgetHistoryJson = (change: BudgetChange) => answerChange(change, {});

/** @throws DomainError invalid where a line leaves out what it is about */
export function toBudgetDrafts(lines: z.output<typeof budgetChangeShape>['partidas'] = []): BudgetDraft[] {
  return lines.map(({ rubroId, presupuesto, version: seen }, index) => {
    const missing = rubroId === undefined ? 'rubroId' : presupuesto === undefined ? 'presupuesto' : undefined;
    if (missing) {
      const message = `Partida ${index + 1}: falta «${missing}».`;
      throw new DomainError('invalid', message, { fields: { partidas: message } });
    }
    return { rubroId: rubroId ?? null, presupuestoCents: presupuesto!, version: seen };
  });
}
