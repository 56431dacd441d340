import { z } from 'zod';
import type { Invoice } from '../../shared/invoices.ts';
import type { Period } from '../../shared/periods.ts';
import { keysOf } from '../../shared/record-fields.ts';
import { CFDI_KIND_LABELS } from '../formats/cfdi/kinds.ts';
import type {
  CrossCheck,
  CrossCheckGroup,
  CrossCheckRow,
  MetadataImport,
} from '../services/fiscal/cross-check.ts';
import type { MetadataOutcome } from '../services/fiscal/import-metadata.ts';
import { FISCAL_STATE_LABELS, FISCAL_SUBJECTS } from '../services/fiscal/labels.ts';
import type { FiscalCard } from '../services/fiscal/month-cards.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';
import { idField, motivoField, textField, versionField } from './fields.ts';

export const linkCfdiShape = z
  .strictObject({
    uuid: textField('UUID', 60, 'uuid'),
    facturaproveedorId: idField('Factura'),
    version: versionField,
    motivo: motivoField,
  })
  .meta({
    id: 'LinkCfdi',
    required: ['uuid', 'facturaproveedorId'],
    examples: [{ uuid: '5FB2822E-396D-4725-8521-CDC4BDD20CCF', facturaproveedorId: 1, version: 1 }],
  });

export const crossCheckRowAnswer = answerFor<CrossCheckRow>('CrossRow').with({
  uuid: member.text('UUID'),
  rfc: member.text('RFC de quien lo emitió'),
  nombre: member.text('Su nombre'),
  fecha: member.day('De emisión'),
  efecto: member.choice(keysOf(CFDI_KIND_LABELS), 'Qué CFDI es'),
  montoSat: member.amount('El total según el SAT, en la moneda del CFDI'),
  montoSaldo: member.amount('El mismo según Saldo; null: no está, o es un REP').nullable(),
  estatus: member.choice(['vigente', 'cancelado'], 'Según el último archivo que lo dice'),
  fechaCancelacion: member.nullableDay('Cuándo se canceló'),
  facturaproveedorId: member.rowId('La factura con ese UUID, o a la que corresponde').nullable(),
  pagado: member.amount('Lo que se ha pagado de ella; null: no es factura').nullable(),
  sustituidoPor: z.array(z.string()).meta({ description: 'UUID de los CFDI que dicen que lo sustituyen' }),
});

const crossCheckSumAnswer = answerFor<CrossCheck['sat']>('CrossSum').with({
  cuenta: member.count('iguales + difieren + faltan + ajenos'),
  total: member.amount('La suma de sus montos según el SAT'),
});

const crossCheckGroupAnswer = answerFor<CrossCheckGroup>('CrossGroup').with({
  cuenta: member.count('Cuántos'),
  total: member.amount('La suma de sus montos según el SAT'),
  filas: [listAnswer(crossCheckRowAnswer), 'rows'],
});

const metadataImportAnswer = answerFor<MetadataImport>('MetadataLoad').with({
  archivo: member.text('Su nombre'),
  cargado: member.moment('Cuándo se cargó'),
  filas: member.count('Cuántos CFDI trae'),
  visto: member.day('El último día que conoce'),
  completo: [
    member.boolean('false: la carga se interrumpió; se carga otra vez el mismo archivo'),
    'isFinished',
  ],
});

export const crossCheckAnswer = answerFor<CrossCheck>(
  'Cross',
  'Los CFDI de un mes según el SAT, junto a lo que hay en Saldo.',
).with({
  mes: [member.text('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  cortes: [listAnswer(metadataImportAnswer), 'cortes'],
  sat: crossCheckSumAnswer,
  ...{
    iguales: crossCheckGroupAnswer,
    difieren: crossCheckGroupAnswer,
    faltan: crossCheckGroupAnswer,
    ajenos: crossCheckGroupAnswer,
  },
  ...{ cancelados: crossCheckGroupAnswer, sinUuid: crossCheckGroupAnswer },
});

export const metadataOutcomeAnswer = answerFor<MetadataOutcome>('MetadataOutcome').with({
  id: member.rowId('La carga'),
  filas: member.count('Cuántos CFDI trae el archivo'),
  nuevos: member.count('Los que no se conocían'),
  cambiados: member.count('Los conocidos de los que dice algo nuevo'),
  cancelados: member.count('Los que están en Saldo y este archivo es el primero que da por cancelados'),
  warnings: member.warnings,
});

export const linkedCfdiAnswer = answerFor<Invoice>('LinkedCfdi').with({
  facturaproveedorId: [member.rowId('La factura'), 'id'],
  uuid: member.nullableText('El UUID que ahora tiene'),
  version: member.rowVersion,
});

const fiscalPendingItemAnswer = answerFor<FiscalCard['pendientes'][number]>('FiscalPending').with({
  nombre: [member.text('Qué falta'), 'label'],
  cuenta: member.count('Cuántos'),
  direccion: [member.text('Su página'), 'href'],
});

const fiscalMonthCardAnswer = answerFor<FiscalCard>('FiscalCard').with({
  tema: member.choice(keysOf(FISCAL_SUBJECTS), 'De qué trata'),
  estado: member.choice(keysOf(FISCAL_STATE_LABELS), 'abierto: falta cargar algo'),
  cuenta: member.count('Cuántos documentos'),
  total: member.amount('Su suma'),
  pendientes: listAnswer(fiscalPendingItemAnswer),
});

export const fiscalMonthAnswer = answerFor<{ month: Period; cards: FiscalCard[] }>(
  'FiscalMonth',
  'Lo fiscal de un mes, tema por tema.',
).with({
  mes: [member.text('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  temas: [listAnswer(fiscalMonthCardAnswer), 'cards'],
});
