import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import {
  clearExpectedUnlessCompany,
  differsFromExpected,
  scaleWithholdingToPaid,
  WITHHOLDING_LABELS,
  type WithholdingKind,
} from '../../formats/cfdi/withholdings.ts';
import type { Settings } from '../settings/definitions.ts';
import { requireSettingsWithRfc } from './cross-check.ts';
import type { FiscalState } from './labels.ts';
import { type PaymentWithCfdi, readPaymentsWithCfdi } from './payments-with-cfdi.ts';

/** Sums of one kind of withholding for one supplier and month, in pesos: withheld and expected. */
export interface WithholdingRow {
  tipo: WithholdingKind;
  rfc: string;
  nombre: string;
  regimenFiscal: string;
  pagos: number;
  href: string;
  baseCents: Cents;
  retenidoCents: Cents;
  esperadoCents: Cents;
  /** by how much the CFDI withhold less than expected; negative if they withhold more */
  diferenciaCents: Cents;
}

export interface WithholdingReport {
  month: Period;
  rows: WithholdingRow[];
  retenidoCents: Cents;
  esperadoCents: Cents;
  /** the number of rows that differ by more than a peso */
  difieren: number;
  /** what was paid without the XML that states the withholdings */
  sinRevisar: { cuenta: number; totalCents: Cents };
}

export const readWithholdingReport = async (
  db: Db,
  month: Period,
  { rfc }: Pick<Settings, 'rfc'>,
): Promise<WithholdingReport> =>
  buildWithholdingReport(month, await readPaymentsWithCfdi(db, month), normalizeRfc(rfc));

export function buildWithholdingReport(
  month: Period,
  all: readonly PaymentWithCfdi[],
  ownRfc: string,
): WithholdingReport {
  const rows = new Map<string, WithholdingRow>();
  const sinRevisar = { cuenta: 0, totalCents: 0 };
  for (const paid of all) {
    const { cfdi, tipo: kind, importeCents, supplierId } = paid;
    // Expenses of petty cash without a CFDI have no withholdings.
    if (kind === 'nota' || (kind === 'gasto' && paid.uuid === null)) continue;
    if (!cfdi || cfdi.totalCents <= 0 || cfdi.receptor.rfc !== ownRfc || paid.lacksPesoAmount) {
      sinRevisar.cuenta += 1;
      sinRevisar.totalCents += importeCents;
      continue;
    }
    for (const whole of clearExpectedUnlessCompany(ownRfc, cfdi.withholdings)) {
      const { tipo, baseCents, retenidoCents, esperadoCents } = scaleWithholdingToPaid(
        whole,
        importeCents,
        cfdi.totalCents,
      );
      const { rfc, nombre } = cfdi.emisor;
      const key = `${tipo} ${rfc}`;
      const row = rows.get(key) ?? {
        ...{ tipo, rfc, nombre, regimenFiscal: '', pagos: 0, href: paid.href },
        ...{ baseCents: 0, retenidoCents: 0, esperadoCents: 0, diferenciaCents: 0 },
      };
      rows.set(key, {
        ...row,
        regimenFiscal: paid.regimenFiscal ?? cfdi.regimenFiscal,
        pagos: row.pagos + 1,
        href: supplierId === null ? row.href : paymentsHref(supplierId, month),
        baseCents: row.baseCents + baseCents,
        retenidoCents: row.retenidoCents + retenidoCents,
        esperadoCents: row.esperadoCents + esperadoCents,
        diferenciaCents: row.diferenciaCents + esperadoCents - retenidoCents,
      });
    }
  }
  const kinds = keysOf(WITHHOLDING_LABELS);
  const sorted = [...rows.values()].sort(
    (one, other) => kinds.indexOf(one.tipo) - kinds.indexOf(other.tipo) || (one.rfc < other.rfc ? -1 : 1),
  );
  return {
    ...{ month, rows: sorted, sinRevisar },
    retenidoCents: sorted.reduce((sum, row) => sum + row.retenidoCents, 0),
    esperadoCents: sorted.reduce((sum, row) => sum + row.esperadoCents, 0),
    difieren: sorted.filter(differsFromExpected).length,
  };
}

const paymentsHref = (supplierId: number, { from, to }: Period): string =>
  withQuery(pages.payments, { supplierId, paymentdateDesde: from, paymentdateHasta: to });

/** @throws DomainError conflict rfc_missing */
export const requireWithholdingReport = async (db: Db, month: Period): Promise<WithholdingReport> =>
  readWithholdingReport(db, month, await requireSettingsWithRfc(db));

export function withholdingStateOf({ rows, difieren, sinRevisar }: WithholdingReport): FiscalState {
  if (difieren > 0) return 'pendientes';
  return sinRevisar.cuenta > 0 || rows.length === 0 ? 'abierto' : 'cuadrado';
}
