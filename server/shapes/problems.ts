import { z } from 'zod';
import type { ErrorKind } from '../../shared/errors.ts';
import { amount, day } from './wire.ts';

/**
 * Every error code of the API, its kind (which decides the status) and its meaning. A test compares the answers with
 * this list.
 */
export const PROBLEMS = {
  malformed: ['malformed', 'No se puede leer: no es JSON, un tipo, una fecha o un número, o sobra un campo.'],
  bad_cursor: ['malformed', '`cursor` no es una página de esta lista.'],
  bad_period: ['malformed', 'El periodo termina antes de empezar.'],
  bad_week: ['malformed', 'Ese año no tiene esa semana.'],
  confirmation_required: ['malformed', 'Falta `confirm=all`.'],
  unauthenticated: ['unauthenticated', 'Falta la sesión, o ya terminó.'],
  sign_in_refused: ['unauthenticated', 'El usuario o la contraseña no son correctos.'],
  password_expired: ['unauthenticated', 'La contraseña temporal venció.'],
  forbidden: ['forbidden', 'El usuario no tiene el rol que hace falta.'],
  foreign_origin: ['forbidden', 'La solicitud de un navegador viene de otro sitio.'],
  reauthentication_required: [
    'forbidden',
    'Hay que mandar otra vez la propia contraseña en `currentpassword`.',
  ],
  second_factor_required: ['unauthenticated', 'Falta `code`, el código del doble factor.'],
  second_factor_refused: ['unauthenticated', 'El código no es correcto, o ya se usó.'],
  second_factor_enrolment_required: [
    'forbidden',
    'El rol pide doble factor: se activa en /userprofile/doble-factor.',
  ],
  password_change_required: ['forbidden', 'Antes hay que cambiar la contraseña temporal.'],
  not_found: ['not-found', 'No existe ese registro.'],
  method_not_allowed: ['wrong-method', 'La dirección existe con otro método: los suyos vienen en `Allow`.'],
  unsupported_media_type: ['wrong-type', 'El cuerpo no viene como `application/json`.'],
  duplicate_invoice: ['conflict', 'El proveedor ya tiene una factura con ese número: `existingId`.'],
  duplicate_credit: ['conflict', 'El proveedor ya tiene una nota de crédito con ese número: `existingId`.'],
  cfdi_locked: ['conflict', 'Los importes vienen de un CFDI.'],
  closed_period: [
    'conflict',
    'Es de un periodo cerrado, hasta el día que viene en `cierre`: el rol 3 puede con `motivo`.',
  ],
  in_use: ['conflict', 'Otros registros dependen de este.'],
  list_changed: ['conflict', 'La lista cambió mientras se respaldaba.'],
  reference_changed: ['conflict', 'Un registro del que depende la operación acaba de cambiar.'],
  rfc_taken: ['conflict', 'Otro proveedor tiene ese RFC: `existingId`.'],
  account_exists: ['conflict', 'El proveedor ya tiene esa CLABE: `existingId`.'],
  same_person: [
    'conflict',
    'La cuenta la confirma otra persona que quien la capturó o la ha cambiado desde que se confirmó.',
  ],
  username_taken: ['conflict', 'Otro usuario se llama así.'],
  email_taken: ['conflict', 'Otro usuario tiene ese correo.'],
  holds_fund: ['conflict', 'El usuario tiene una caja chica abierta.'],
  last_administrator: ['conflict', 'Debe quedar un administrador activo.'],
  credit_fixed: ['conflict', 'Es parte de una nota de crédito: se elimina, pero no se edita.'],
  batch_state: ['conflict', 'La programación de pagos está en otro estado: otro pudo ir más rápido.'],
  in_open_batch: [
    'conflict',
    'El banco ya tiene que pagar la factura: está en la programación `programacionId`. Se paga aparte con `allowProgrammed` y `motivo`.',
  ],
  bank_matched: [
    'conflict',
    'El banco ya hizo el pago: no cambia ni se elimina hasta que su movimiento se marca como devuelto.',
  ],
  movement_not_paid: ['conflict', 'El movimiento no pagó nada de una programación, o ya se devolvió.'],
  batch_fixed: ['conflict', 'El pago es de una programación: su factura y su cantidad no cambian.'],
  same_sender: ['conflict', 'La programación la regresa otra persona que quien la mandó al banco.'],
  same_author: [
    'conflict',
    'Lo autoriza otra persona: de una programación, que quien la hizo o le ha puesto una factura o un importe; de lo que entra a una caja chica, que quien lo pidió o lo gastó. Tampoco firma ni confirma, durante los días de `autorizacion.espera`, una cuenta que hizo, activó o restableció alguien que está detrás.',
  ],
  unsigned: ['conflict', 'Le falta una autorización: la de quien ya no tiene acceso no cuenta.'],
  uuid_taken: ['conflict', 'El CFDI ya es una factura, o el comprobante de un gasto de caja chica.'],
  fund_taken: ['conflict', 'Otra caja chica tiene ese nombre, o los pagos de ese origen: `existingId`.'],
  fund_closed: ['conflict', 'La caja chica está cerrada.'],
  fund_not_settled: [
    'conflict',
    'La caja chica tiene dinero, comprobantes que faltan o dinero por autorizar.',
  ],
  movement_fixed: ['conflict', 'El movimiento es parte de una reposición o de un arqueo, y eso no cambia.'],
  already_replenished: ['conflict', 'La solicitud ya está pagada.'],
  no_difference: ['conflict', 'El arqueo no tiene diferencia que ajustar.'],
  already_signed: ['conflict', 'Ese usuario ya la firmó: falta la firma de otro.'],
  all_held: ['conflict', 'Todas las partidas están retenidas.'],
  not_held: ['conflict', 'La partida no está retenida.'],
  firm_check: [
    'conflict',
    'Lo que retiene la partida no se puede autorizar de todos modos: antes hay que corregirlo.',
  ],
  layout_waits: ['conflict', 'Nadie ha confirmado la plantilla de banco: todavía no sirve.'],
  same_layout_author: ['conflict', 'La plantilla la confirma otra persona que quienes la cambiaron.'],
  nothing_to_send: [
    'conflict',
    'Ninguna partida se puede mandar con esa plantilla: retenida, pagada, o sin cuenta confirmada.',
  ],
  already_downloaded: [
    'conflict',
    'El archivo ya se descargó: se baja otra vez con `otraVez`, y no se sube otra vez al banco.',
  ],
  file_outdated: ['conflict', 'El archivo ya no corresponde a la programación: se genera otro.'],
  not_deleted: ['conflict', 'El registro no está eliminado.'],
  idempotency_key_reused: ['conflict', 'La clave ya se usó con otros datos.'],
  stale: ['stale', 'Alguien guardó una versión más nueva: viene en `current`.'],
  too_many_rows: ['too-large', 'Son más filas de las que caben en un archivo de ese formato.'],
  report_too_large: ['too-large', 'Es demasiado para prepararlo de una vez: hay que acotarlo.'],
  too_large: ['too-large', 'El cuerpo pasa de 256 KB.'],
  invalid: ['invalid', 'Se lee, pero rompe una regla: `fields` dice cuál campo y por qué.'],
  bad_value: ['invalid', 'Se lee, pero no puede ser: una fecha fuera de 2000 a 2099.'],
  bank_file_differs: [
    'invalid',
    'Leído de nuevo, el archivo no pide lo que dice la programación: la plantilla está mal.',
  ],
  bad_layout: [
    'invalid',
    'La plantilla de banco no tiene la forma que debe, o quita algo a la programación.',
  ],
  bad_statement: ['invalid', 'El archivo no se puede leer como estado de cuenta de un banco.'],
  amounts_disagree: ['invalid', 'Los importes enviados no son los que calcula el servidor.'],
  budget_exceeded: [
    'invalid',
    'La factura o el gasto de caja chica excede el presupuesto de su obra, por lo que dicen `presupuesto`, `gastado`, `importe` y `excede`: el rol 1 puede con `motivo`.',
  ],
  overpayment: ['invalid', 'El pago pasa de lo que se debe.'],
  over_committed: [
    'invalid',
    'Pasa de lo que se debe de la factura y no está en otra programación abierta: `facturaproveedorId`.',
  ],
  fund_short: ['invalid', 'En la caja no hay tanto: `saldo` dice cuánto.'],
  over_cap: ['invalid', 'El gasto pasa de lo que la caja permite por gasto.'],
  over_credit: ['invalid', 'Pasa de lo que queda de la nota de crédito.'],
  own_password: ['invalid', 'La propia contraseña se cambia con la actual, en `changepsw`.'],
  wrong_password: ['invalid', 'La contraseña actual no es correcta.'],
  too_many: ['too-many', 'Demasiados intentos: `Retry-After` dice cuánto esperar.'],
  busy: ['busy', 'La base de datos está ocupada; se puede repetir después de `Retry-After`.'],
  disk_full: ['busy', 'No hay espacio en el disco; no se guardó nada.'],
  file_unusable: ['busy', 'El servidor no puede usar uno de sus archivos (disco lleno, sin permiso).'],
  database_damaged: ['busy', 'La base de datos está dañada; se puede consultar, y no se guarda nada.'],
  database_gone: ['busy', 'El archivo de la base de datos ya no está en su lugar; no se guardó nada.'],
  database_unavailable: ['busy', 'La base de datos no responde; un cambio pudo quedar guardado o no.'],
  internal_error: ['unexpected', 'Error del servidor; `message` lleva el id con que aparece en la bitácora.'],
} as const satisfies Record<string, readonly [kind: ErrorKind | 'unexpected', meaning: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

const codes = Object.keys(PROBLEMS) as ProblemCode[];

export const problemShape = z
  .strictObject({
    message: z.string().meta({ description: 'Para mostrarse a una persona' }),
    code: z.enum(codes).meta({ description: 'Para programas' }),
    fields: z.record(z.string(), z.string()).optional().meta({ description: 'Mensaje por campo' }),
    existingId: z.int().min(1).optional().meta({ description: 'El registro que ya existe' }),
    facturaproveedorId: z.int().min(1).optional().meta({ description: 'La factura que no cabe' }),
    programacionId: z.int().min(1).optional().meta({ description: 'La programación que ya tiene el banco' }),
    cierre: day('El último día cerrado').optional(),
    presupuesto: amount('Lo que la obra puede costar en ese rubro').optional(),
    gastado: amount('Lo que ya costó').optional(),
    importe: amount('Lo que costaría además').optional(),
    saldo: amount('Lo que hay en la caja').optional(),
    excede: amount('Lo que pasa del presupuesto').optional(),
    current: z.looseObject({}).optional().meta({ description: 'El registro como está guardado' }),
    sent: z.looseObject({}).optional().meta({ description: 'Lo que se quiso guardar' }),
  })
  .meta({ id: 'Problem', description: 'Lo que responde toda llamada que no se cumple.' });
