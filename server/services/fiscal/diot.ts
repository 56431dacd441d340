import type { Db } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { monthPeriodOf, type Period } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import {
  addTaxParts,
  IVA_BASE_PARTS,
  splitAmount,
  sumTaxParts,
  type TaxParts,
  ZERO_TAX_PARTS,
} from '../../formats/cfdi/tax-parts.ts';
import type { Settings } from '../settings/definitions.ts';
import { appendToMapEntry } from '../stored-rows.ts';
import { requireSettingsWithRfc } from './cross-check.ts';
import type { FiscalState } from './labels.ts';
import { type CfdiFacts, type PaymentWithCfdi, readPaymentsWithCfdi } from './payments-with-cfdi.ts';

export const EXCLUSION_CAUSES = {
  sin_rfc: 'Proveedor sin RFC',
  extranjero: 'Extranjero: faltan su país y su número fiscal',
  sin_cfdi: 'Sin CFDI',
  caja_sin_cfdi: 'Caja chica sin CFDI',
  sin_xml: 'Sin XML (tasa desconocida)',
  otro_receptor: 'El CFDI es para otro RFC',
  cancelado: 'El SAT lo da por cancelado',
  moneda: 'Falta cuánto salió del banco en pesos',
  sin_desglose: 'El CFDI no dice a qué tasa es cada parte',
  otra_tasa: 'IVA a otra tasa, o al 8 % fuera de la frontera',
  iva_distinto: 'El IVA no es el de su base',
  nota: 'La nota de crédito no tiene XML, o devuelve más de lo que se pagó a esa tasa',
  otros_impuestos: 'Otros impuestos, que no tienen columna',
} as const;
export type ExclusionCause = keyof typeof EXCLUSION_CAUSES;

export const DIOT_OPERATIONS = {
  '03': 'Servicios profesionales',
  '06': 'Uso o goce',
  '85': 'Otros',
} as const;

/** Sources differ about the day on which a month's return is due, so a setting decides. */
export function diotDueDay({ to }: Period, settings: Pick<Settings, 'diot.vence'>): PlainDate {
  const next = monthPeriodOf(addDays(to, 1));
  return settings['diot.vence'] === 'fin' ? next.to : addDays(next.from, 16);
}

export interface DiotRow {
  rfc: string;
  nombre: string;
  operacion: keyof typeof DIOT_OPERATIONS;
  /** payments and credit notes that were applied */
  pagadoCents: Cents;
  pagado: TaxParts;
  /** what credit notes returned */
  devuelto: TaxParts;
  /** the 54 fields of the file; none if all would be zero */
  campos: string[];
  /** what rounding the fields to pesos adds to their sum */
  redondeoCents: Cents;
}

export function countByCause(rows: readonly UnreportedPayment[]) {
  return keysOf(EXCLUSION_CAUSES).flatMap((causa) => {
    const those = rows.filter((row) => row.causa === causa);
    return those.length > 0 ? [{ causa, cuenta: those.length, totalCents: sumPaid(those) }] : [];
  });
}

export interface UnreportedPayment extends PaymentWithCfdi {
  causa: ExclusionCause;
}

/** `pagado` = `archivo` − `retenido` + `notas` + `noReportado` − `redondeo`, to the cent. */
export interface Diot {
  month: Period;
  rows: DiotRow[];
  noReportado: { cuenta: number; totalCents: Cents; rows: UnreportedPayment[] };
  /** the number of payments, expenses and applied credit notes */
  cuenta: number;
  pagadoCents: Cents;
  /** bases and IVA, less returns and withheld IVA, in the whole pesos of the file */
  archivoCents: Cents;
  /** ISR and other withholdings, which no field has */
  retenidoCents: Cents;
  notasCents: Cents;
  redondeoCents: Cents;
}

export const readDiot = async (db: Db, month: Period, { rfc }: Pick<Settings, 'rfc'>): Promise<Diot> =>
  buildDiot(month, await readPaymentsWithCfdi(db, month), normalizeRfc(rfc));

/** @throws DomainError conflict rfc_missing */
export const requireDiot = async (db: Db, month: Period): Promise<Diot> =>
  readDiot(db, month, await requireSettingsWithRfc(db));

export const diotStateOf = ({ pagadoCents, noReportado }: Diot): FiscalState =>
  pagadoCents === 0 ? 'abierto' : noReportado.cuenta > 0 ? 'pendientes' : 'cuadrado';

interface ReportedPayment {
  paid: PaymentWithCfdi;
  cfdi: CfdiFacts;
  pagado: TaxParts;
  devuelto: TaxParts;
}

export function buildDiot(month: Period, all: readonly PaymentWithCfdi[], ownRfc: string): Diot {
  const left: UnreportedPayment[] = [];
  const groups = new Map<string, ReportedPayment[]>();
  for (const paid of all) {
    const causa = findExclusionCause(paid, ownRfc);
    if (causa) left.push({ ...paid, causa });
    else {
      const reported = splitByTaxRate(paid);
      appendToMapEntry(groups, `${reported.cfdi.emisor.rfc} ${operationOf(reported.cfdi)}`, reported);
    }
  }
  const rows = [...groups.values()].flatMap((group) => {
    const isCovered = IVA_BASE_PARTS.every((part) => sumNetTaxParts(group)[part] > -ROUNDING_TOLERANCE_CENTS);
    const kept = isCovered ? group : group.filter(({ paid }) => paid.tipo !== 'nota');
    for (const { paid } of group)
      if (!isCovered && paid.tipo === 'nota') left.push({ ...paid, causa: 'nota' });
    for (const { paid, pagado } of kept)
      if (pagado.otros !== 0) left.push({ ...paid, importeCents: pagado.otros, causa: 'otros_impuestos' });
    return kept.length > 0 ? [toDiotRow(kept)] : [];
  });
  rows.sort((one, other) => (one.rfc + one.operacion < other.rfc + other.operacion ? -1 : 1));
  const sum = (cents: (row: DiotRow) => Cents) => rows.reduce((total, row) => total + cents(row), 0);
  return {
    ...{ month, rows },
    noReportado: { cuenta: left.length, totalCents: sumPaid(left), rows: left },
    cuenta: all.length,
    pagadoCents: sumPaid(all),
    archivoCents: sum(sumReportedPesos) * 100,
    retenidoCents: sum(({ pagado, devuelto }) => devuelto.otrasRetenciones - pagado.otrasRetenciones),
    notasCents: sum(({ devuelto }) => sumTaxParts(devuelto)),
    redondeoCents: sum(({ redondeoCents }) => redondeoCents),
  };
}

const sumPaid = (all: readonly PaymentWithCfdi[]): Cents =>
  all.reduce((sum, { importeCents }) => sum + importeCents, 0);

/** A smaller difference comes from rounding. */
const ROUNDING_TOLERANCE_CENTS: Cents = 50;

function findExclusionCause(paid: PaymentWithCfdi, ownRfc: string): ExclusionCause | undefined {
  const { tipo, uuid, cfdi, creditNote } = paid;
  const rfc = cfdi?.emisor.rfc ?? normalizeRfc(paid.rfc ?? '');
  if (tipo === 'gasto' && uuid === null) return 'caja_sin_cfdi';
  if (rfc === 'XEXX010101000') return 'extranjero';
  if (tipo !== 'gasto' || cfdi) {
    if (!isRfc(rfc) || rfc === 'XAXX010101000') return 'sin_rfc';
  }
  if (uuid === null) return 'sin_cfdi';
  if (!cfdi) return 'sin_xml';
  if (cfdi.receptor.rfc !== ownRfc) return 'otro_receptor';
  if (paid.isCancelled) return 'cancelado';
  if (paid.lacksPesoAmount) return 'moneda';
  if (typeof cfdi.taxParts === 'string') return cfdi.taxParts;
  if (tipo !== 'nota') return undefined;
  const isKnown =
    creditNote &&
    typeof creditNote.taxParts !== 'string' &&
    creditNote.taxParts.otros === 0 &&
    creditNote.uuid !== null;
  return isKnown && creditNote.emisor.rfc === rfc && creditNote.receptor.rfc === ownRfc ? undefined : 'nota';
}

/** An applied credit note counts as paid for the invoice, and as returned by the note. */
function splitByTaxRate(paid: PaymentWithCfdi): ReportedPayment {
  const { importeCents, creditNote } = paid;
  const cfdi = paid.cfdi!;
  return {
    ...{ paid, cfdi },
    pagado: splitAmount(cfdi.taxParts as TaxParts, importeCents),
    devuelto: creditNote ? splitAmount(creditNote.taxParts as TaxParts, importeCents) : ZERO_TAX_PARTS,
  };
}

/** Regime 606 means leasing, and 612 with withholdings means professional services; other regimes do not tell the operation. */
function operationOf({ regimenFiscal, taxParts }: CfdiFacts): DiotRow['operacion'] {
  if (regimenFiscal === '606') return '06';
  return regimenFiscal === '612' && (taxParts as TaxParts).otrasRetenciones < 0 ? '03' : '85';
}

const sumNetTaxParts = (reportedPayments: readonly ReportedPayment[]): TaxParts =>
  subtractTaxParts(
    addTaxParts(...reportedPayments.map(({ pagado }) => pagado)),
    addTaxParts(...reportedPayments.map(({ devuelto }) => devuelto)),
  );

const subtractTaxParts = (parts: TaxParts, others: TaxParts): TaxParts =>
  Object.fromEntries(
    Object.entries(parts).map(([part, cents]) => [part, cents - others[part as keyof TaxParts]]),
  ) as TaxParts;

function toDiotRow(reportedPayments: readonly ReportedPayment[]): DiotRow {
  const { cfdi } = reportedPayments.at(-1)!;
  const all = addTaxParts(...reportedPayments.map(({ pagado }) => pagado));
  const pagado = { ...all, otros: 0 };
  const row = {
    ...{ rfc: cfdi.emisor.rfc, nombre: cfdi.emisor.nombre, operacion: operationOf(cfdi) },
    ...{
      pagadoCents: sumTaxParts(pagado),
      pagado,
      devuelto: addTaxParts(...reportedPayments.map(({ devuelto }) => devuelto)),
    },
  };
  const net = subtractTaxParts(row.pagado, row.devuelto);
  const reportedCents = sumTaxParts(net) - net.otrasRetenciones;
  const campos = layOutFields(row);
  return { ...row, campos, redondeoCents: sumReportedPesos({ campos }) * 100 - reportedCents };
}

/**
 * For each rate: the tax parts with base and IVA, the field of the base (the next field is for returns), the field of
 * the IVA, and the percentage.
 */
const TAXED_FIELDS = [
  ['norte8', 'ivaNorte8', 8, 18, 8n],
  ['sur8', 'ivaSur8', 10, 20, 8n],
  ['tasa16', 'iva16', 12, 22, 16n],
] as const;
const UNTAXED_FIELDS = { exento: 50, tasa0: 51, noObjeto: 52 } as const;
const IVA_WITHHELD_FIELD = 48;

/** Each field is the sum of the month's cents, rounded once; the IVA is at most its percentage of the base. */
function layOutFields({
  rfc,
  operacion,
  pagado,
  devuelto,
}: Pick<DiotRow, 'rfc' | 'operacion' | 'pagado' | 'devuelto'>) {
  const campos = Array.from({ length: 54 }, () => '');
  const put = (field: number, pesos: number) => {
    if (pesos > 0) campos[field - 1] = String(pesos);
  };
  const net = subtractTaxParts(pagado, devuelto);
  for (const [base, iva, field, ivaField, rate] of TAXED_FIELDS) {
    const value = roundToPesos(pagado[base]);
    const returned = Math.min(roundToPesos(devuelto[base]), value);
    put(field, value);
    put(field + 1, returned);
    put(ivaField, Math.min(roundToPesos(net[iva]), divideHalfUp(BigInt(value - returned) * rate, 100n)));
  }
  put(IVA_WITHHELD_FIELD, roundToPesos(-net.ivaRetenido));
  for (const [part, field] of Object.entries(UNTAXED_FIELDS))
    put(field, roundToPesos(net[part as keyof typeof UNTAXED_FIELDS]));
  if (campos.every((text) => text === '')) return [];
  Object.assign(campos, { 0: NATIONAL_SUPPLIER_CODE, 1: operacion, 2: rfc, 53: HAS_TAX_EFFECTS_CODE });
  return campos;
}

const NATIONAL_SUPPLIER_CODE = '04';
const HAS_TAX_EFFECTS_CODE = '01';

const roundToPesos = (cents: Cents): number => divideHalfUp(BigInt(cents), 100n);

function sumReportedPesos({ campos }: Pick<DiotRow, 'campos'>): number {
  const at = (field: number) => Number(campos[field - 1] ?? 0);
  return (
    TAXED_FIELDS.reduce(
      (sum, [, , field, iva]) => sum + at(field) - at(field + 1) + at(iva),
      -at(IVA_WITHHELD_FIELD),
    ) + Object.values(UNTAXED_FIELDS).reduce((sum, field) => sum + at(field), 0)
  );
}

/** As the SAT's portal takes it: fields between pipes, lines ended by CRLF. */
export const formatDiotFile = ({ month, rows }: Pick<Diot, 'month' | 'rows'>) => ({
  filename: `DIOT ${month.from.slice(0, 7)}.txt`,
  text: rows
    .filter(({ campos }) => campos.length > 0)
    .map(({ campos }) => `${campos.join('|')}\r\n`)
    .join(''),
});

const TAX_PART_COLUMNS = [
  ['tasa16', 'Base 16 %', ['tasa16']],
  ['tasa8', 'Base 8 %', ['norte8', 'sur8']],
  ['tasa0', 'Tasa 0 %', ['tasa0']],
  ['exento', 'Exento', ['exento']],
  ['noObjeto', 'No objeto', ['noObjeto']],
  ['iva', 'IVA', ['iva16', 'ivaNorte8', 'ivaSur8']],
  ['ivaRetenido', 'IVA retenido', ['ivaRetenido'], -1],
  ['otrasRetenciones', 'Otras retenciones', ['otrasRetenciones'], -1],
] as const;

/** The columns of page and export: credit notes, then each tax part less its credit notes. No amount is negative. */
export const DIOT_COLUMNS = [
  {
    ...{ name: 'devoluciones', label: 'Notas de crédito' },
    centsOf: ({ devuelto }: DiotRow): Cents => sumTaxParts(devuelto),
  },
  ...TAX_PART_COLUMNS.map(([name, label, parts, sign = 1]) => ({
    ...{ name, label },
    centsOf: ({ pagado, devuelto }: DiotRow): Cents =>
      sign * sumTaxParts(subtractTaxParts(pagado, devuelto), parts) + 0,
  })),
];
