import { z } from 'zod';
import type { PlainDate } from '../../shared/dates.ts';
import { type Period, requireOrderedPeriod } from '../../shared/periods.ts';
import {
  DIRECTION_LABELS,
  defaultFundPeriod,
  EXPENSE_SORTS,
  FUND_FIELDS,
  FUND_STATE_LABELS,
  type FundFieldValues,
  MOVEMENT_FIELDS,
  type MovementFieldValues,
  OPENING_FIELD,
} from '../../shared/petty-cash.ts';
import { DENOMINATIONS } from '../../shared/petty-cash-counts.ts';
import { keysOf, toFieldValues } from '../../shared/record-fields.ts';
import { MAX_MOTIVO_LENGTH } from '../../shared/text.ts';
import {
  choiceField,
  cursorField,
  dateField,
  flagField,
  idField,
  idOrZeroField,
  idsField,
  longTextField,
  moneyField,
  motivoField,
  signatureVersionField,
  sortOrderShape,
  textField,
  versionField,
  wholeNumberField,
} from './fields.ts';
import { toRequestMembers } from './record-fields.ts';

export const fundChangeShape = z.strictObject({
  ...toRequestMembers(FUND_FIELDS),
  version: versionField,
  motivo: motivoField,
});

export const newFundShape = fundChangeShape
  .omit({ version: true })
  .extend(toRequestMembers([OPENING_FIELD]))
  .meta({
    id: 'NewPettyCashFund',
    required: ['nombre', 'responsableId', 'origenderecursoId'],
    examples: [
      {
        nombre: 'Caja Torre Roble',
        responsableId: 1,
        jobId: 1,
        montofijo: 5000,
        origenderecursoId: 1,
        apertura: 5000,
      },
    ],
  });

export const movementChangeShape = z.strictObject({
  ...toRequestMembers(MOVEMENT_FIELDS),
  version: versionField,
  motivo: motivoField,
});

export const newMovementShape = movementChangeShape.omit({ version: true }).meta({
  id: 'NewPettyCashMovement',
  required: ['concepto'],
  examples: [
    {
      tipo: 'gasto',
      fecha: '2026-11-20',
      beneficiario: 'Ferretería La Palma',
      concepto: 'Clavos y alambre',
      comprobante: 'nota',
      subtotal: 100,
      iva: 16,
      importe: 116,
    },
  ],
});

export const acceptWithoutVoucherShape = z
  .strictObject({ version: versionField, motivo: motivoField })
  .meta({ examples: [{}] });

export const fundsQueryShape = z
  .strictObject({ estado: choiceField('Cajas', keysOf(FUND_STATE_LABELS)) })
  .meta({ examples: [{ estado: 'cerradas' }] });

export const newReplenishmentShape = z
  .strictObject({
    tipo: choiceField('Tipo', ['reposicion', 'apertura', 'ajuste']),
    fecha: dateField('Fecha'),
    importe: moneyField('Importe').meta({ description: 'De una apertura o de un ajuste' }),
    concepto: textField('Concepto', 300, 'concepto').meta({ description: 'De una apertura o de un ajuste' }),
    movementIds: idsField('Gastos').meta({
      description: 'Los gastos que se reponen; sin ellos, todos los que están por reponer',
    }),
    comments: longTextField('Observaciones', 4000, 'comments'),
    motivo: motivoField,
  })
  .meta({ id: 'NewPettyCashReplenishment', examples: [{}] });

export const authorizeReplenishmentShape = z
  .strictObject({ fecha: dateField('Fecha'), version: signatureVersionField, motivo: motivoField })
  .meta({ id: 'AuthorizePettyCashReplenishment', required: ['version'], examples: [{ version: 1 }] });

const cashCountMembers = {
  denominaciones: z
    .record(z.string().max(10), z.number())
    .optional()
    .meta({
      description: `Cuántas piezas hay de cada denominación en pesos: ${DENOMINATIONS.join(', ')}`,
      examples: [{ '500': 2, '0.50': 4 }],
    }),
  comments: longTextField('Observaciones', 4000, 'comments'),
  motivo: textField('Motivo', MAX_MOTIVO_LENGTH, 'motivo').meta({
    description: 'Por qué hay una diferencia: con él se ajusta de una vez, lo que pueden los roles 1 y 2',
  }),
};

const cashCountAndExpectedMembers = {
  ...cashCountMembers,
  esperado: moneyField('Esperado').meta({
    description: 'Lo que debía haber al contar: si ya no es eso, no se guarda nada',
  }),
  version: versionField,
};

export const closeFundShape = z
  .strictObject({
    ...cashCountAndExpectedMembers,
    fecha: dateField('Fecha').meta({
      description: 'Cuándo volvió el dinero a su origen; hoy, si no la dice',
    }),
  })
  .meta({ examples: [{}, { denominaciones: { '500': 2 }, fecha: '2026-11-20' }] });

export const handOverShape = z
  .strictObject({
    ...cashCountAndExpectedMembers,
    responsableId: idField('Quién la recibe').meta({ description: 'El usuario que recibe la caja' }),
  })
  .meta({
    id: 'HandOverPettyCashFund',
    required: ['responsableId', 'denominaciones'],
    examples: [{ responsableId: 2, denominaciones: { '500': 2 } }],
  });

export const cashCountShape = z
  .strictObject({
    ...cashCountMembers,
    sorpresa: flagField('Arqueo sorpresa').meta({
      description: 'Sin avisar, y de otra persona que el responsable de la caja',
    }),
  })
  .meta({
    id: 'NewPettyCashCount',
    required: ['denominaciones'],
    examples: [{ denominaciones: { '500': 2, '0.50': 4 } }],
  });

export const postCountDifferenceShape = z
  .strictObject({
    motivo: textField('Motivo', MAX_MOTIVO_LENGTH, 'motivo').meta({
      description: 'Por qué hay una diferencia',
    }),
  })
  .meta({ required: ['motivo'], examples: [{ motivo: 'Faltó cobrar un cambio' }] });

export const fundStatementQueryShape = z.strictObject({
  desde: dateField('Desde'),
  hasta: dateField('Hasta'),
  sentido: choiceField('Sentido', keysOf(DIRECTION_LABELS)),
});

const pagingMembers = { cursor: cursorField, shown: wholeNumberField('shown', 0, 1_000_000_000) };

const { shape: expenseOrder } = sortOrderShape(EXPENSE_SORTS);

export const fundStatementPageQueryShape = fundStatementQueryShape.extend(pagingMembers);
export const replenishedExpensesQueryShape = z.strictObject({ ...pagingMembers, ...expenseOrder });

export const awaitedVouchersQueryShape = z.strictObject({
  fundId: idField('Caja'),
  vencidos: flagField('Vencidos'),
  ...pagingMembers,
  ...expenseOrder,
});

export const expensesQueryShape = fundStatementPageQueryShape.omit({ sentido: true }).extend({
  jobId: idOrZeroField('Obra'),
  clientId: idField('Cliente'),
  rubroId: idOrZeroField('Rubro'),
  ...expenseOrder,
});

export const toFundFieldValues = (
  body: z.output<typeof fundChangeShape> | z.output<typeof newFundShape>,
): FundFieldValues => toFieldValues(FUND_FIELDS, body);

export function toMovementFieldValues(body: z.output<typeof newMovementShape>): MovementFieldValues {
  const { subtotalCents, ivaCents, ...draft } = toFieldValues(MOVEMENT_FIELDS, body);
  return { ...draft, subtotalCents: subtotalCents ?? undefined, ivaCents: ivaCents ?? undefined };
}

type PeriodQuery = Pick<z.output<typeof fundStatementQueryShape>, 'desde' | 'hasta'>;

/** By default the period ends today and begins two months before its end. It may end before it begins. */
export function resolveFundPeriod({ desde, hasta }: PeriodQuery, today: PlainDate): Period {
  const to = hasta ?? today;
  return { from: desde ?? defaultFundPeriod(to).from, to };
}

/** @throws DomainError malformed where the period ends before it begins */
export function resolveOrderedFundPeriod(query: PeriodQuery, today: PlainDate): Period {
  const period = resolveFundPeriod(query, today);
  requireOrderedPeriod(period);
  return period;
}
