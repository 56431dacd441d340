import { pluralize } from '../../../shared/counts.ts';
import { formatMoney } from '../../../shared/money.ts';
import { type BatchLine, type FullBatch, isHeldLine, sumLines } from '../../../shared/payment-batches.ts';
import type { BatchPayee } from '../../services/payment-batches/payees.ts';

/** Query parameter with the `key` of a filter: only lines that match it are shown. */
export const ATTENTION_PARAMETER = 'ver';

export const findLinesToReview = ({ lines }: FullBatch, payees: ReadonlyMap<number, BatchPayee>) =>
  ATTENTION_FILTERS.map((one) => ({
    ...one,
    lines: lines.filter((line) => one.matches(line, payees.get(line.supplierId))),
  })).filter((one) => one.lines.length > 0);

export const isUnheldWithFinding =
  (code: string) =>
  (line: BatchLine): boolean =>
    !isHeldLine(line) && line.verdict.findings.some((finding) => finding.code === code);

interface AttentionFilter {
  key: string;
  /** @param lines the lines that match */
  text(lines: readonly BatchLine[]): string;
  matches(line: BatchLine, payee: BatchPayee | undefined): boolean;
}

const countSuppliers = (lines: readonly BatchLine[]): number =>
  new Set(lines.map(({ supplierId }) => supplierId)).size;

const countDistinctReasons = (lines: readonly BatchLine[], code: string): number =>
  new Set(
    lines.flatMap(({ jobtitle, verdict }) =>
      verdict.findings.filter((finding) => finding.code === code).map(({ reason }) => jobtitle + reason),
    ),
  ).size;

/** Filters for lines that need the signer's attention, most important first; the address contains the `key`. */
const ATTENTION_FILTERS: readonly AttentionFilter[] = [
  {
    key: 'detenidas',
    text: (lines) =>
      `${pluralize(lines.length, 'retenida', 'retenidas')} por ${formatMoney(sumLines(lines))}`,
    matches: isHeldLine,
  },
  {
    key: 'presupuesto',
    text: (lines) =>
      `${pluralize(countDistinctReasons(lines, 'presupuesto_excedido'), 'rubro pasa', 'rubros pasan')} su presupuesto`,
    matches: isUnheldWithFinding('presupuesto_excedido'),
  },
  {
    key: 'cuenta',
    text: (lines) => pluralize(countSuppliers(lines), 'cuenta nueva', 'cuentas nuevas'),
    matches: (line, payee) => !isHeldLine(line) && payee?.account?.isNew === true,
  },
  {
    key: 'primero',
    text: (lines) => pluralize(countSuppliers(lines), 'primer pago', 'primeros pagos'),
    matches: (line, payee) => !isHeldLine(line) && payee?.isFirstPayment === true,
  },
  {
    key: 'duplicada',
    text: (lines) => `${pluralize(lines.length, 'se parece', 'se parecen')} a otra factura`,
    matches: isUnheldWithFinding('duplicada'),
  },
  {
    key: 'rep',
    text: (lines) =>
      `${pluralize(countSuppliers(lines), 'proveedor debe', 'proveedores deben')} recibos (REP)`,
    matches: isUnheldWithFinding('rep_pendiente'),
  },
  {
    key: 'xml',
    text: (lines) => `${pluralize(lines.length, 'factura', 'facturas')} sin XML`,
    matches: isUnheldWithFinding('xml_faltante'),
  },
  {
    key: 'moneda',
    text: (lines) => `${pluralize(lines.length, 'factura', 'facturas')} en otra moneda`,
    matches: isUnheldWithFinding('moneda'),
  },
  {
    key: 'avisos',
    text: (lines) => `${pluralize(lines.length, 'factura', 'facturas')} con otro aviso`,
    matches: (line) =>
      !isHeldLine(line) &&
      line.verdict.findings.some(({ code }) => !CODES_WITH_FILTER.has(code) && !line.permit),
  },
  {
    key: 'permitidas',
    text: (lines) => `${pluralize(lines.length, 'autorizada', 'autorizadas')} de todos modos`,
    matches: ({ permit }) => permit !== null,
  },
];

const CODES_WITH_FILTER = new Set(
  'presupuesto_excedido duplicada rep_pendiente xml_faltante moneda'.split(' '),
);
