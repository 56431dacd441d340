import { z } from 'zod';
import { catalogs } from '../../shared/catalogs/all.ts';
import { cursorField, dateField, idField, limitField, textField } from './fields.ts';
import { moment, rowId, text, textOrNone } from './wire.ts';

export const auditQueryShape = z
  .strictObject({
    entity: textField('Lista', 40, 'entity').meta({ description: 'suppliers, invoices, payments, users …' }),
    entityId: textField('Registro', 40, 'entityId').meta({
      description: 'El registro; en los ajustes, su nombre',
    }),
    userId: idField('Usuario').meta({ description: 'Quién lo hizo' }),
    from: dateField('Desde').meta({ description: 'Desde ese día, en la zona horaria del negocio' }),
    to: dateField('Hasta').meta({ description: 'Hasta ese día, incluido' }),
    limit: limitField,
    cursor: cursorField,
  })
  .meta({ examples: [{ entity: 'payments', from: '2026-11-01', limit: 50 }] });

const snapshot = (description: string) => z.record(z.string(), z.unknown()).nullable().meta({ description });

export const auditAnswer = z
  .strictObject({
    id: rowId('Número de la anotación; no falta ninguno'),
    at: moment('Cuándo'),
    userId: rowId('Quién; null: el sistema').nullable(),
    username: text('Su nombre de usuario de entonces'),
    origin: text('Desde dónde: page, api, system, cli o `cli:` y el usuario del sistema operativo'),
    action: text('create, update, delete, restore, import, password …'),
    entity: text(
      `La lista: ${catalogs.map(({ noun }) => noun).join(', ')}, invoices, payments, users, settings`,
    ),
    entityId: textOrNone('El registro; null donde la anotación es de muchos'),
    before: snapshot(
      'El registro antes, como se guarda: los importes (`…Cents`) en centavos, `tasa` × 10,000',
    ),
    after: snapshot('El registro después, igual. Nunca hay contraseñas, llaves ni sus huellas'),
  })
  .meta({ id: 'AuditEntry', description: 'Una anotación de la bitácora.' });
