import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import {
  asExpectedOf,
  differs,
  shareOf,
  WITHHOLDINGS,
  type WithholdingKind,
} from '../../formats/cfdi/withholdings.ts';
import type { Settings } from '../settings/definitions.ts';
import { requireOwnRfc } from './cross.ts';
import type { FiscalState } from './labels.ts';
import { type Paid, readPaid } from './paid.ts';

/** Of one kind and supplier, in pesos, for what was paid in the month. */
export interface WithheldRow {
  tipo: WithholdingKind;
  rfc: string;
  nombre: string;
  regimenFiscal: string;
  pagos: number;
  /** the payments, or the expense of petty cash */
  href: string;
  baseCents: Cents;
  retenidoCents: Cents;
  esperadoCents: Cents;
  /** what the CFDI withhold too little; below zero: too much */
  diferenciaCents: Cents;
}

export interface Withheld {
  month: Period;
  rows: WithheldRow[];
  retenidoCents: Cents;
  esperadoCents: Cents;
  /** rows that differ by more than a peso */
  difieren: number;
  /** paid without the XML that says what is withheld */
  sinRevisar: { cuenta: number; totalCents: Cents };
}

export const readWithheld = async (
  db: Db,
  month: Period,
  { rfc }: Pick<Settings, 'rfc'>,
): Promise<Withheld> => toWithheld(month, await readPaid(db, month), normalizeRfc(rfc));

export function toWithheld(month: Period, all: readonly Paid[], ownRfc: string): Withheld {
  const rows = new Map<string, WithheldRow>();
  const sinRevisar = { cuenta: 0, totalCents: 0 };
  for (const paid of all) {
    const { cfdi, tipo: kind, importeCents, supplierId } = paid;
    // What petty cash spends without a CFDI withholds nothing.
    if (kind === 'nota' || (kind === 'gasto' && paid.uuid === null)) continue;
    if (!cfdi || cfdi.totalCents <= 0 || cfdi.receptor.rfc !== ownRfc || paid.lacksPesos) {
      sinRevisar.cuenta += 1;
      sinRevisar.totalCents += importeCents;
      continue;
    }
    for (const whole of asExpectedOf(ownRfc, cfdi.withholdings)) {
      const { tipo, baseCents, retenidoCents, esperadoCents } = shareOf(whole, importeCents, cfdi.totalCents);
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
        href: supplierId === null ? row.href : paymentsOf(supplierId, month),
        baseCents: row.baseCents + baseCents,
        retenidoCents: row.retenidoCents + retenidoCents,
        esperadoCents: row.esperadoCents + esperadoCents,
        diferenciaCents: row.diferenciaCents + esperadoCents - retenidoCents,
      });
    }
  }
  const kinds = keysOf(WITHHOLDINGS);
  const sorted = [...rows.values()].sort(
    (one, other) => kinds.indexOf(one.tipo) - kinds.indexOf(other.tipo) || (one.rfc < other.rfc ? -1 : 1),
  );
  return {
    ...{ month, rows: sorted, sinRevisar },
    retenidoCents: sorted.reduce((sum, row) => sum + row.retenidoCents, 0),
    esperadoCents: sorted.reduce((sum, row) => sum + row.esperadoCents, 0),
    difieren: sorted.filter(differs).length,
  };
}

const paymentsOf = (supplierId: number, { from, to }: Period): string =>
  withQuery(pages.payments, { supplierId, paymentdateDesde: from, paymentdateHasta: to });

/** @throws DomainError conflict rfc_missing */
export const requireWithheld = async (db: Db, month: Period): Promise<Withheld> =>
  readWithheld(db, month, await requireOwnRfc(db));

export function withheldStateOf({ rows, difieren, sinRevisar }: Withheld): FiscalState {
  if (difieren > 0) return 'pendientes';
  return sinRevisar.cuenta > 0 || rows.length === 0 ? 'abierto' : 'cuadrado';
}
