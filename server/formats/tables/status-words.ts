import { fold } from '../../../shared/text.ts';
import { type CellReading, refusedReading, type TableKind } from './table.ts';

/** The words allowed in a column that states a row's type or state. Any other word refuses the row. */
interface StatusWordRules {
  accepted: ReadonlySet<string>;
  refusals: readonly (readonly [word: RegExp, reason: string])[];
  /** what an unknown word leaves unclear, and how to state it */
  advice: string;
}

const toWordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const CANCELLATION_PATTERN =
  /cancel|anula|\bnul[oa]s?\b|devol|devuel|revers|revert|rechaz|rebot|contracargo|extorn|reembols|sin efecto|\bvoid|refund|reject|bounced/;

const NOT_VALID_TEXT = 'ya no vale, y no se importa.';

const DONE_WORDS = `vigente vigentes activo activa valido valida validado validada verificado verificada confirmado confirmada
  conciliado conciliada contabilizado contabilizada registrado registrada aplicado aplicada realizado realizada efectuado
  efectuada ejecutado ejecutada procesado procesada completo completa completado completada exitoso exitosa liquidado
  liquidada cobrado cobrada abonado abonada depositado depositada entregado entregada pagado pagada pagados pagadas
  parcial parcialmente total totalmente saldado saldada transito ok si 1 verdadero paid active valid cleared settled
  completed posted con sin de del en y rep sat`;

const VALIDITY_VOCABULARY: StatusWordRules = {
  accepted:
    toWordSet(`${DONE_WORDS} timbrado timbrada certificado certificada emitido emitida recibido recibida capturado capturada
    revisado revisada aprobado aprobada autorizado autorizada aceptado aceptada confiable enviado enviada finiquitado
    abierto abierta cerrado cerrada programado programada pendiente pendientes vencido vencida vencimiento vencer por
    pagar pago cobrar comprobar comprobado comprobada reponer repuesto repuesta reposicion pedida confirmar autorizar
    aprobar revisar revision tramite proceso nuevo nueva saldo open approved pending overdue partial`),
  refusals: [
    [CANCELLATION_PATTERN, NOT_VALID_TEXT],
    [/^(no|0|falso)$|^no /, NOT_VALID_TEXT],
  ],
  advice: 'no dice si sigue vigente. Si lo está, escribe «Vigente»;',
};

const PAYMENT_VALIDITY_VOCABULARY: StatusWordRules = {
  accepted: toWordSet(DONE_WORDS),
  refusals: [
    ...VALIDITY_VOCABULARY.refusals,
    [
      /pendient|\bpor |program|proceso|tramite|revision|vencid|^sin (?!rep)|pending/,
      'todavía no es un pago hecho.',
    ],
  ],
  advice: 'no dice si se pagó. Si se pagó, escribe «Pagado»;',
};

const INVOICE_TYPE_VOCABULARY: StatusWordRules = {
  accepted: toWordSet(
    'factura facturas fact fac ingreso ingresos i cfdi invoice electronica de compra anticipo pue ppd',
  ),
  refusals: [
    [CANCELLATION_PATTERN, NOT_VALID_TEXT],
    [
      /nota ?(de )?credito|egreso|^e$|^nc$|bonifica/,
      'es una nota de crédito, no una factura: va en la tabla de notas de crédito, o entra por su XML.',
    ],
    [/\bpagos?\b|^p$|^rep$/, 'es un comprobante de pago (REP), no una factura: entra por su XML.'],
    [/nomina|^n$/, 'es de nómina, no de un proveedor: no se importa.'],
    [/traslado|carta ?porte|^t$/, 'ampara un traslado, y no se debe: no se importa.'],
  ],
  advice: 'no dice si es una factura. Si lo es, escribe «Factura»;',
};

const PAYMENT_TYPE_VOCABULARY: StatusWordRules = {
  accepted:
    toWordSet(`pago pagos pagado payment transferencia transferencias transfer electronica electronico bancaria
    interbancaria spei spid tef cheque cheques check nominativo efectivo cash deposito depositos tarjeta debito credito
    servicios monedero dinero domiciliacion fondos abono anticipo parcial parcialidad parcialidades total finiquito
    liquidacion retiro cargo proveedor proveedores factura facturas pue ppd en una sola exhibicion de del a al con por y
    bbva bancomer banorte santander banamex citibanamex hsbc scotiabank inbursa`),
  refusals: [
    [CANCELLATION_PATTERN, 'no es un pago. Si deshace uno que ya está, elimina ese pago.'],
    [/^facturas?$/, 'es una factura, no un pago: va en la tabla de facturas.'],
  ],
  advice: 'no dice si es un pago. Si lo es, escribe «Pago»;',
};

const CREDIT_NOTE_TYPE_VOCABULARY: StatusWordRules = {
  accepted: toWordSet('nota notas de credito nc egreso egresos e bonificacion descuento devolucion cfdi'),
  refusals: [
    [/cancel|anula|\bnul[oa]s?\b|rechaz|sin efecto/, NOT_VALID_TEXT],
    [/factura|ingreso|^i$/, 'es una factura, no una nota de crédito: va en la tabla de facturas.'],
  ],
  advice: 'no dice si es una nota de crédito. Si lo es, escribe «Nota de crédito»;',
};

const TYPE_VOCABULARIES: Partial<Record<TableKind, StatusWordRules>> = {
  invoices: INVOICE_TYPE_VOCABULARY,
  payments: PAYMENT_TYPE_VOCABULARY,
  'credit-notes': CREDIT_NOTE_TYPE_VOCABULARY,
};

/** @param name the field with the word: the row's state (`estado`), its cancellation (`cancelado`), or its type */
export function readWord(text: string, kind: TableKind, name: string): CellReading {
  const words = fold(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(no|sin) cancela(d[oa]s?|r)$/, 'vigente')
    .replace(/^(no pagad[oa]s?|sin pagar)$/, 'por pagar')
    .replace(/^nota ?(de )?(cargo|debito)$|^recibo (de )?(honorarios|arrendamiento)$/, 'factura');
  const quotedText = `«${text.slice(0, 40)}»`;
  if (name === 'cancelado')
    return /^(no|n|[0 ]+|falso|false|vigente|activ[oa])$/.test(words)
      ? { value: null }
      : refusedReading(`La columna dice ${quotedText}: ${NOT_VALID_TEXT}`);
  const state = kind === 'payments' ? PAYMENT_VALIDITY_VOCABULARY : VALIDITY_VOCABULARY;
  const { accepted, refusals, advice } = name === 'estado' ? state : TYPE_VOCABULARIES[kind]!;
  if (
    name === 'kind' &&
    !CANCELLATION_PATTERN.test(words) &&
    CREDIT_NOTE_PATTERN.test(words.replaceAll(' ', ''))
  )
    return { value: 'credito' };
  const other = refusals.find(([word]) => word.test(words));
  if (other) return refusedReading(`${quotedText} ${other[1]}`);
  // The SAT puts a number before a form of payment.
  const parts = words.split(' ').filter((part) => accepted.has(part) || !/^\d{1,2}$/.test(part));
  if (parts.length > 0 && parts.every((part) => accepted.has(part)))
    return { value: name === 'kind' ? 'pago' : text };
  return refusedReading(
    `${quotedText} ${advice} si la columna dice otra cosa, déjala sin usar o pon ese valor a todas las filas.`,
  );
}

/** "Crédito", "Nota de crédito", "Nota crédito", "N. de C.", "NC", "N/Crédito" */
const CREDIT_NOTE_PATTERN = /^(n|nota)(de)?credito|^credito$|^n(de)?cr?$/;
