import { formatLongDate, type PlainDate } from './dates.ts';
import { type Cents, formatMoney } from './money.ts';

export const pettyCashTexts = {
  fundRequired: 'Se requieren el nombre, el responsable, el origen de recurso y la fecha de apertura.',
  sameSource: 'Los pagos a proveedores no pueden salir del mismo origen que llena la caja.',
  opening: 'Apertura de la caja',
  justTaken: 'Alguien acaba de abrir una caja chica con ese nombre o ese origen.',
  paidMore: (name: string, cents: Cents) =>
    `Los pagos a proveedores dejarían la caja «${name}» en ${formatMoney(cents)}.`,
  negativeOpening: 'La apertura no puede ser negativa.',
  openedLater: 'La fecha es posterior a hoy.',
  negative: 'El saldo es negativo: falta registrar un ingreso o sobra un gasto.',
  sourceTaken: (source: string) => `Los pagos de ${source} ya salen de otra caja chica.`,
  nameTaken: (name: string) => `Ya hay una caja chica que se llama «${name}».`,
  opened: (name: string) => `Se abrió la caja chica «${name}».`,
  fundUpdated: (name: string) => `Se guardó la caja chica «${name}».`,
  fundDeleted: (name: string) => `Se eliminó la caja chica «${name}».`,
  opensAfterMovements: (date: PlainDate) =>
    `Hay movimientos desde el ${formatLongDate(date)}: la caja no puede abrirse después.`,
  fundStale: 'Otra persona guardó esta caja chica mientras la editabas.',
  inactiveHolder: 'El responsable no es un usuario activo.',
  holds: (username: string, name: string) =>
    `${username} tiene la caja chica «${name}»: antes se entrega a otra persona, o se cierra.`,
  widening: 'Ampliación del monto fijo',
  closed: (name: string, day: PlainDate) => `La caja chica «${name}» se cerró el ${formatLongDate(day)}.`,
  isClosed: (name: string) => `Se cerró la caja chica «${name}».`,
  notSettled: (name: string, openItems: readonly string[]) =>
    `La caja chica «${name}» todavía no se puede cerrar: ${openItems.join(', ')}.`,
  stillInIt: (cents: Cents) => `hay ${formatMoney(cents)} en ella`,
  stillAwaited: (cents: Cents) => `faltan comprobantes por ${formatMoney(cents)}`,
  stillAsked: (cents: Cents) => `hay ${formatMoney(cents)} por autorizar`,
  stillToReplenish: (cents: Cents) => `hay ${formatMoney(cents)} por reponer`,
  closing: 'Cierre de la caja',
  newHolder: 'Elige a quién se entrega la caja.',
  alreadyHolds: (who: string) => `La caja ya la tiene ${who}: elige a otra persona.`,
  handedOver: (who: string) => `Se entregó la caja a ${who}.`,
  moved: (seen: Cents, now: Cents) =>
    `El dinero de la caja se movió mientras la contabas: debía haber ${formatMoney(seen)}, y ahora ${formatMoney(now)}. Cuenta otra vez.`,
  differs: ({ contadoCents, esperadoCents }: { contadoCents: Cents; esperadoCents: Cents }) =>
    `Se contaron ${formatMoney(contadoCents)} y debe haber ${formatMoney(esperadoCents)}: indica el motivo de la diferencia.`,
  surplusFirst: (cents: Cents) =>
    `Sobran ${formatMoney(cents)}: guarda antes un arqueo, y que otra persona ajuste la diferencia.`,
  noOrigin: 'Falta decir de qué origen sale el dinero de esta caja: edítala.',

  required: 'Se requieren la fecha, el concepto y el importe.',
  notPositive: 'La cantidad debe ser mayor que cero.',
  iva: 'El IVA no puede ser negativo ni pasar del importe.',
  onlyGasto: 'La obra, el rubro, el IVA y el comprobante son solo de los gastos.',
  uuid: 'El UUID no es de un CFDI: son 32 letras y dígitos con guiones.',
  uuidOfCfdi: 'El UUID es de un CFDI: elige CFDI como comprobante.',
  noUuid: 'Sin UUID no se puede saber si este CFDI ya está en una factura o en otro gasto.',
  termOfNone: 'La fecha para comprobar es de los gastos sin comprobante.',
  term: 'La fecha para comprobar es anterior al gasto.',
  beforeOpening: (openedOn: PlainDate) =>
    `La caja se abrió el ${formatLongDate(openedOn)}: la fecha es anterior.`,
  later: 'La fecha es posterior a hoy: el dinero todavía no se mueve.',
  short: (name: string, saldoCents: Cents) => `En la caja «${name}» solo hay ${formatMoney(saldoCents)}.`,
  movementsFirst: 'Si sus movimientos vienen en otra tabla, impórtala antes que la de pagos.',
  overCap: (topeCents: Cents) => `El gasto pasa del tope de ${formatMoney(topeCents)} por gasto.`,
  uuidOfInvoice: (number: string) => `Ese CFDI ya es la factura ${number}.`,
  uuidOfMovement: (concepto: string, name: string) =>
    `Ese CFDI ya es el comprobante de «${concepto}» en la caja «${name}».`,
  replacesInvoice: (number: string) => `Ese CFDI sustituye al de la factura ${number}: carga ahí su XML.`,
  replacesMovement: (concepto: string, name: string) =>
    `Ese CFDI sustituye al comprobante de «${concepto}» en la caja «${name}»: cámbialo en ese gasto.`,
  hasReplaced: (concepto: string, name: string) =>
    `El comprobante de «${concepto}» en la caja «${name}» está sustituido: cámbialo en ese gasto.`,
  notAwaited: 'De este movimiento no se espera ningún comprobante.',
  accepted: 'El gasto se aceptó sin comprobante.',
  created: 'Se registró el movimiento.',
  updated: 'Se actualizó el movimiento.',
  deleted: 'Se eliminó el movimiento.',
  restored: 'Se recuperó el movimiento.',
  stale: 'Otra persona guardó este movimiento mientras lo editabas.',
  requestStale: 'Otra persona cambió esta solicitud mientras la revisabas.',
  alreadySaved: 'Este formulario ya se guardó con otros datos. Si es otro movimiento, guarda de nuevo.',
  ownWay: 'Una reposición se pide y se autoriza en su caja: no se captura como movimiento.',
  kindFixed: 'Un movimiento no cambia de tipo: elimínalo y captura otro.',
  grouped: 'El gasto está en una reposición: su importe, su tipo y su comprobante no cambian.',
  replenishmentFixed:
    'Una reposición es de los gastos que repone: no se edita. Elimínala y autorízala de nuevo.',
  noRestore: 'Lo que entró a la caja y se eliminó no se recupera: se autoriza de nuevo.',
  requestFixed: 'Otra persona autorizó este importe: elimina el movimiento y pídelo de nuevo.',
  countFixed: 'El ajuste es la diferencia de un arqueo: su importe no cambia.',

  noHolder: (who: string) =>
    `No hay un usuario activo que se llame «${who}»: escribe su usuario o su nombre.`,
  severalHolders: (who: string, usernames: readonly string[]) =>
    `Hay varios usuarios que se llaman «${who}»: escribe su usuario (${usernames.join(', ')}).`,
  noFund: (who: string) => `No existe la caja chica «${who}»: ábrela, o importa antes la tabla de cajas.`,
  unknownKind: (what: string) => `«${what}» no es un tipo: Apertura, Gasto, Reposición, Devolución o Ajuste.`,
  unknownReceiptKind: (what: string) =>
    `«${what}» no es un comprobante: CFDI, Nota, Ninguno o Sin comprobante.`,
  movingIn:
    'Con una tabla entran gastos y devoluciones; apertura, reposiciones y ajustes, solo a una caja sin movimientos.',
  approverOpens: (username: string) =>
    `A ${username} le falta un rol: una caja la abren Dirección o Contabilidad (rol 1 o 2).`,
  approverKind: (username: string) =>
    `A ${username} le falta un rol: las aperturas, las reposiciones y los ajustes los importa quien puede autorizar (rol 1 o 2).`,
  approverAccepts: 'Un gasto sin comprobante lo acepta quien puede autorizar: di hasta cuándo se espera.',
  onlyOrigin: 'El origen de recurso es solo de aperturas, reposiciones y devoluciones.',
  onlyReplenished: 'Una reposición es solo de los gastos que repone y del dinero que se repuso.',
  notProved: 'Un gasto por comprobar no se repone.',
  replenishesNothing: 'No dice qué gastos repone: entra en la caja sin reponer ninguno.',
  replenishedTwice: (key: string) => `La reposición ${key} ya está pagada.`,
  replenishesOther: (key: string, given: Cents, spent: Cents) =>
    `La reposición ${key} es de ${formatMoney(given)}, y los gastos del archivo que repone suman ${formatMoney(spent)}.`,
  alike: (concepto: string) => `Se parece a «${concepto}», que ya está en la caja el mismo día por lo mismo.`,

  nothingToReplenish: 'No hay gastos comprobados sin pedir.',
  sumOfExpenses: 'Una reposición es la suma de sus gastos: su importe y su concepto no se escriben.',
  notOfFund: (id: number) => `El movimiento ${id} no es un gasto por reponer de esta caja.`,
  waiting: (cents: Cents) => `${formatMoney(cents)} esperan que otra persona los autorice.`,
  requested: (cents: Cents) => `Se pidieron ${formatMoney(cents)}: falta que otra persona lo autorice.`,
  replenished: (cents: Cents) => `Entraron ${formatMoney(cents)} a la caja.`,
  requestDeleted: 'Se retiró la solicitud.',
  sameHolder:
    'Lo que entra a la caja lo autoriza otra persona que su responsable, quien lo pidió y quien capturó o cambió los gastos sin reponer.',
  asksFirst: 'Lo que entra a la caja lo autoriza otra persona: se pide en «Reponer», como una reposición.',
  takenBack: 'Se sacó el dinero de la caja: la solicitud queda por autorizar.',
  alreadyReplenished: 'La solicitud ya está pagada: otra persona pudo ir más rápido.',

  counted: 'Se guardó el arqueo.',
  emptyCount: 'Escribe cuántas piezas hay de cada denominación.',
  denomination: (name: string) => `No existe la denominación «${name}».`,
  pieces: (name: string) => `De ${name}: se espera un número entero de 0 a 99,999.`,
  ownSurprise: 'Un arqueo sorpresa lo hace otra persona que el responsable de la caja.',
  noDifference: 'El arqueo no tiene diferencia: no hay nada que ajustar.',
  settled: 'La diferencia de este arqueo ya se ajustó.',
  reason: 'Indica el motivo de la diferencia.',
  adjusted: (cents: Cents) => `Se ajustó la diferencia de ${formatMoney(cents)}.`,
} as const;
