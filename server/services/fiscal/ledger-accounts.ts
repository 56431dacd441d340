import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Settings } from '../settings/definitions.ts';

export type LedgerAccounts = Awaited<ReturnType<typeof readLedgerAccounts>>;

/** The accounts of the settings; each funding source has a subaccount of banks, and each fund one of petty cash. */
export async function readLedgerAccounts(db: Db, settings: Omit<Settings, 'moneda'>) {
  const sources = await db
    .selectFrom('funding_sources')
    .select(['id', 'origenderecursonombre as name'])
    .orderBy('id')
    .execute();
  const funds = await db
    .selectFrom('petty_cash_funds')
    .select(['id', 'nombre as name', 'pagosOrigenId', 'openedOn'])
    .orderBy('id')
    .execute();
  const [ofSources, ofFunds] = [
    nameSubaccounts(settings['cuenta.bancos'], sources),
    nameSubaccounts(settings['cuenta.caja'], funds),
  ];
  const fundOf = (id: number): string => ofFunds.get(id)!;
  return {
    proveedores: settings['cuenta.proveedores'],
    anticipos: settings['cuenta.anticipos'],
    costo: settings['cuenta.costo'],
    ivaPendiente: settings['cuenta.iva.pendiente'],
    ivaAcreditado: settings['cuenta.iva.acreditado'],
    retencionesPendientes: settings['cuenta.retenciones.pendientes'],
    retenciones: settings['cuenta.retenciones'],
    cambiaria: settings['cuenta.cambiaria'],
    diferenciasDeCaja: settings['cuenta.caja.diferencias'],
    fundOf,
    /** Payments from a fund's own source are made out of the fund, from the day that it was opened. */
    sourceOf(id: number | null, day: PlainDate): string {
      const fund = funds.find(
        (one) => one.pagosOrigenId === id && one.pagosOrigenId !== null && one.openedOn <= day,
      );
      if (fund) return fundOf(fund.id);
      return ofSources.get(id ?? 0) ?? `${settings['cuenta.bancos']}:Sin origen de recurso`;
    },
  };
}

/**
 * Replaces what has a meaning in ledger files: a colon separates levels, two blanks end an account, and a semicolon
 * begins a comment.
 */
function nameSubaccounts(parent: string, rows: readonly { id: number; name: string }[]): Map<number, string> {
  const taken = new Set<string>();
  return new Map(
    rows.map(({ id, name }) => {
      const own = name.replace(/[\s:;]+/g, ' ').trim() || String(id);
      const account = `${parent}:${taken.has(own) ? `${own} ${id}` : own}`;
      taken.add(own);
      return [id, account];
    }),
  );
}
