import { z } from 'zod';
import { formatRate, toDecimal } from '../../shared/money.ts';
import { AUDITED_ENTITIES } from '../services/audit/entities.ts';
import type { AuditEntry } from '../services/audit/reading.ts';
import * as member from './answer-members.ts';
import { answerFor } from './answers.ts';

const createSnapshotShape = (description: string) =>
  z.record(z.string(), z.unknown()).nullable().meta({ description });

export const auditEntryAnswer = answerFor<AuditEntry>('AuditEntry', 'Una anotación de la bitácora.').with({
  id: member.rowId('Número de la anotación; no falta ninguno'),
  at: member.moment('Cuándo'),
  userId: member.rowId('Quién; null: el sistema').nullable(),
  username: member.text('Su nombre de usuario de entonces'),
  origin: member.text('Desde dónde: page, api, system, cli o `cli:` y el usuario del sistema operativo'),
  action: member.text('create, update, delete, restore, import, password …'),
  entity: member.text(`De qué: ${AUDITED_ENTITIES.join(', ')}`),
  entityId: member.nullableText('El registro; null donde la anotación es de muchos'),
  before: [
    createSnapshotShape('El registro antes, con los nombres, importes y tasas de la API'),
    ({ before, entity }) => before && toApiSnapshot(before, entity),
  ],
  after: [
    createSnapshotShape('El registro después, igual. Nunca hay contraseñas, llaves ni sus huellas'),
    ({ after, entity }) => after && toApiSnapshot(after, entity),
  ],
});

const toApiSnapshot = (stored: object, entity: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stored).map(([column, value]) => toApiMember(column, value, entity)));

function toApiMember(column: string, value: unknown, entity: string): [name: string, value: unknown] {
  if (column.endsWith('Cents')) {
    const name = API_COLUMN_NAMES[`${entity}.${column}`] ?? column.replace(/Cents$/, '');
    return [name, typeof value === 'number' ? toDecimal(value) : null];
  }
  if (column === 'tasa' && typeof value === 'number') return [column, Number(formatRate(value))];
  if (column === 'tipocambio' && typeof value === 'string') return [column, Number(value)];
  if (Array.isArray(value))
    return [column, value.map((one) => (isObject(one) ? toApiSnapshot(one, entity) : one))];
  return [column, isObject(value) ? toApiSnapshot(value, entity) : value];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The API calls all other columns by their own name, without the final `Cents`. */
const API_COLUMN_NAMES: Readonly<Record<string, string>> = {
  'invoices.paidCents': 'totalamountpaid',
  'payments.amountCents': 'paymentamount',
  'payment-batches.paidCents': 'pagado',
  'payment-batches.amountCents': 'importe',
  'budgets.amountCents': 'presupuesto',
};
