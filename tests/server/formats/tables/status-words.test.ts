import { expect, it } from 'vitest';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import { importText } from '../../../support/tables.ts';

const OTHERS: Partial<Record<TableKind, string>> = {
  invoices: 'Proveedor,Obra,Subtotal,Tasa',
  payments: 'Proveedor,Folio,Importe pagado,Fecha de pago',
  cuentas: 'Proveedor,CLABE,Titular,RFC',
  'credit-notes': 'Proveedor,Número de la nota,Fecha,Subtotal',
  budgets: 'Obra,Rubro,Presupuesto,Motivo',
  'movimientos-caja': 'Caja,Fecha,Concepto,Importe',
};

async function read(kind: TableKind, heading: string, word: string) {
  const [row] = await importText(kind, `${OTHERS[kind]},${heading}\nAceros,1,1,1,${word}\n`);
  return row!.problems.find(({ column }) => column === heading)?.reason;
}

/** Accepted words, each in a column with that heading. */
it.each([
  [
    'invoices',
    'Tipo',
    'Factura|FACTURA|Ingreso|I|I - Ingreso|CFDI de Ingreso|Factura 4.0|NotaCargo|Recibo de Honorarios|',
  ],
  ['invoices', 'Efecto', 'Ingreso|ingreso|I'],
  ['invoices', 'TipoDeComprobante', 'I|Ingreso'],
  ['invoices', 'Estado SAT', 'Vigente|VIGENTE|1|Activo|No cancelado|N/A'],
  // The statuses in our own export.
  [
    'invoices',
    'Estado',
    'Pendiente|Parcial|Pagada|Vencida|Sin vencimiento|Por pagar|No pagada|Pagada parcialmente',
  ],
  ['invoices', 'Cancelado', 'No|0|Falso|'],
  ['invoices', 'Fecha de cancelación', '|-'],
  [
    'payments',
    'Tipo',
    'Pago|Transferencia|SPEI|Cheque|Efectivo|Depósito|Anticipo|Transferencia BBVA|03 - Transferencia electrónica de fondos|02 Cheque nominativo|Tarjeta de crédito|Pago parcial|Nota de crédito|NC|PUE',
  ],
  ['payments', 'Estatus', 'Pagado|Aplicado|Liquidado|Cobrado|Exitoso|Entregado|En tránsito|Sin REP'],
  ['credit-notes', 'Tipo', 'Nota de crédito|NotaCredito|NC|Egreso|E|E - Egreso|Devolución|Bonificación'],
  ['credit-notes', 'Estado SAT', 'Vigente'],
  ['cuentas', 'Estado', 'Por confirmar|Confirmada|Activa|Vigente'],
  ['budgets', 'Estatus', 'Autorizado|Vigente|Aprobado'],
  ['movimientos-caja', 'Estado', 'Por comprobar|Por reponer|Reposición pedida|Repuesto|Pagado'],
] as const)('accepts rows of %s whose %s says what they are: %s', async (kind, heading, words) => {
  for (const word of words.split('|'))
    expect([word, await read(kind, heading, word)]).toEqual([word, undefined]);
});

const NOTE = /es una nota de crédito, no una factura/;
const RECEIPT = /es un comprobante de pago \(REP\), no una factura/;
const GONE = /ya no vale, y no se importa\.$/;
const UNPAID = /todavía no es un pago hecho\.$/;
const NO_PAYMENT = /no es un pago\. Si deshace uno que ya está, elimina ese pago\.$/;

it.each([
  ['invoices', 'Tipo', 'NotaCredito|NOTACREDITO|Nota de Crédito|NC|Egreso|E|E - Egreso|Bonificación', NOTE],
  ['invoices', 'Efecto', 'Egreso|E', NOTE],
  ['invoices', 'Tipo de comprobante', 'Pago|P|P - Pago|REP|Complemento de Pago|Recepción de pagos', RECEIPT],
  ['invoices', 'Tipo', 'Nómina|N|N - Nómina', /es de nómina/],
  ['invoices', 'Tipo', 'Traslado|T|Carta Porte|CartaPorte', /ampara un traslado/],
  ['invoices', 'Tipo', 'Factura cancelada|Anulada|Devolución', GONE],
  [
    'invoices',
    'Estado SAT',
    'Cancelado|CANCELADO|Cancelada|0|No vigente|Cancelado sin aceptación|En proceso de cancelación',
    GONE,
  ],
  ['invoices', 'Estatus', 'Rechazada|Anulado|Nula|No encontrado|Vigente (cancelación solicitada)', GONE],
  ['invoices', 'Cancelado', 'Sí|S|X|1|Verdadero|05/11/2026', GONE],
  ['invoices', 'FechaCancelacion', '2026-11-05 10:00:00', GONE],
  [
    'payments',
    'Tipo',
    'Devolución|DEVOLUCION|Reverso|Reversa|Cheque cancelado|Cancelado|Anulado|Rechazado|Pago rechazado|Devuelto|Contracargo|Reembolso|Nota de crédito cancelada|Transferencia devuelta|Voided',
    NO_PAYMENT,
  ],
  ['payments', 'Tipo', 'Factura', /es una factura, no un pago/],
  [
    'payments',
    'Estatus',
    'Cancelado|Rechazado|Devuelto|Reversado|No pagado',
    /ya no vale|todavía no es un pago/,
  ],
  ['payments', 'Estado del pago', 'Pendiente|Por pagar|Programado|En proceso|Por autorizar|Vencido', UNPAID],
  ['payments', 'Devuelto', 'Sí|07/11/2026', GONE],
  ['cuentas', 'Estado', 'Cancelada|Rechazada|Anulada', GONE],
  ['credit-notes', 'Tipo', 'Factura|Ingreso|I|NotaCargo', /es una factura, no una nota de crédito/],
  ['credit-notes', 'Tipo', 'Nota de crédito cancelada', GONE],
  ['credit-notes', 'Estado SAT', 'Cancelado|No vigente', GONE],
  ['budgets', 'Estatus', 'Cancelado|Rechazado', GONE],
  ['movimientos-caja', 'Estado', 'Cancelado|Anulado|Devuelto|Rechazado', GONE],
] as const)('refuses rows of %s whose %s cancels them: %s', async (kind, heading, words, reason) => {
  for (const word of words.split('|'))
    expect([word, await read(kind, heading, word)]).toEqual([word, expect.stringMatching(reason)]);
});

it.each([
  [
    'invoices',
    'Tipo',
    'Material|Remisión|Recibo|Contado|?',
    'no dice si es una factura. Si lo es, escribe «Factura»',
  ],
  ['invoices', 'Estado', 'Jalisco|Zzz|Suspendida', 'no dice si sigue vigente. Si lo está, escribe «Vigente»'],
  [
    'payments',
    'Tipo',
    'Traspaso|Ingreso|Egreso|Depósito en garantía|03',
    'no dice si es un pago. Si lo es, escribe «Pago»',
  ],
  [
    'credit-notes',
    'Tipo',
    'Pago|Nómina|Zzz',
    'no dice si es una nota de crédito. Si lo es, escribe «Nota de crédito»',
  ],
  ['payments', 'Estatus', 'Autorizado|Nuevo|Zzz', 'no dice si se pagó. Si se pagó, escribe «Pagado»'],
] as const)(
  'refuses rows of %s whose %s is unknown, and names the word: %s',
  async (kind, heading, words, says) => {
    for (const word of words.split('|')) {
      const reason = await read(kind, heading, word);
      expect(reason).toMatch(
        /; si la columna dice otra cosa, déjala sin usar o pon ese valor a todas las filas\.$/,
      );
      expect(reason).toContain(`«${word}» ${says}`);
    }
  },
);

it('lets one word for all rows replace its column', async () => {
  const text = 'Proveedor,Obra,Subtotal,Tasa,Tipo,Estado\nAceros,T,1,0,Material,Jalisco\n';
  const [row] = await importText('invoices', text, { set: { tipo: 'Factura', estado: 'Vigente' } });
  expect(row?.problems).toEqual([]);
});

it('reads every such column of a table, not only the first', async () => {
  const text =
    'Proveedor,Obra,Subtotal,Tasa,Tipo,Efecto,Estatus,Estado SAT\nAceros,T,1,0,Factura,Egreso,Pagada,Cancelado\n';
  const [row] = await importText('invoices', text);
  expect(row?.problems.map(({ column }) => column)).toEqual(['Efecto', 'Estado SAT']);
});
