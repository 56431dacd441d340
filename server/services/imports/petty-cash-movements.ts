import { reserveIds } from '../../../db/bulk.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import {
  MOVEMENT_KINDS,
  type MovementKind,
  type VoucherKind,
  WITHOUT_VOUCHER_LABEL,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { documentNumberKey, fold } from '../../../shared/text.ts';
import type { ParsedRow, TableImportResult } from '../../formats/tables/table.ts';
import type { MovementDraft, MovementInput } from '../petty-cash/draft.ts';
import { replenishmentGroupKey } from '../petty-cash/rules.ts';
import { writeMovements } from '../petty-cash/write.ts';
import { importDrafts, readEachRow } from './import-drafts.ts';
import type { ImportContext, NewRows, TableImportRun } from './import-run.ts';
import type { References } from './references.ts';
import { centsOf, dateOf, RowRefusalError, textOf } from './row-values.ts';

export async function importMovements(run: TableImportRun): Promise<TableImportResult> {
  const { allowDuplicates = false } = run.options;
  const funds = await run.db.selectFrom('petty_cash_funds').select(['id', 'nombre']).execute();
  return importDrafts<MovementInput, MovementDraft>(run, {
    entity: 'petty-cash-movements',
    names: { origenderecursoId: fundingSources, jobId: jobs, rubroId: rubros },
    columns: { fundId: 'caja' },
    readInputs: () => readEachRow(run, (row) => toMovementInput(row, run.references, funds)),
    write: (trx, actor, drafts, options) =>
      writeMovements(trx, actor, drafts, { ...options, tableImport: { allowDuplicates } }),
    createMissing: createReplenishments,
  });
}

interface NamedFund {
  id: number;
  nombre: string;
}

/** @throws RowRefusalError for an unknown fund, kind or kind of voucher, and for references that are not stored */
function toMovementInput(
  { values, line }: ParsedRow,
  references: References,
  funds: readonly NamedFund[],
): MovementInput {
  const uuid = textOf(values, 'uuid').toUpperCase();
  const stated = textOf(values, 'comprobante');
  const comprobante = stated === '' ? undefined : VOUCHER_KIND_BY_NAME[fold(stated)];
  if (stated !== '' && !comprobante)
    throw new RowRefusalError('comprobante', texts.unknownReceiptKind(stated));
  const comprobarAntes = dateOf(values, 'comprobarAntes');
  const tipo = parseKind(textOf(values, 'tipo'));
  return {
    line,
    fundId: getFundByName(textOf(values, 'caja'), funds).id,
    tipo,
    fecha: dateOf(values, 'fecha') ?? '',
    concepto: textOf(values, 'concepto'),
    beneficiario: textOf(values, 'beneficiario'),
    subtotalCents: centsOf(values, 'subtotal') ?? undefined,
    ivaCents: centsOf(values, 'iva') ?? undefined,
    importeCents: centsOf(values, 'importe') ?? undefined,
    comprobante,
    isWithoutReceipt: tipo === 'gasto' && fold(stated) === fold(WITHOUT_VOUCHER_LABEL) && !comprobarAntes,
    comprobarAntes,
    folio: textOf(values, 'folio'),
    uuid,
    jobId: references.findOrAddEntry(jobs, values)?.id ?? null,
    rubroId: references.findOrAddRubro(values)?.id ?? null,
    origenderecursoId: references.findOrAddEntry(fundingSources, values)?.id ?? null,
    comments: textOf(values, 'comments'),
    replenishmentName: textOf(values, 'reposicion'),
    clave: textOf(values, 'clave'),
  };
}

/** Finds a fund by its name in any spelling, or by letters and digits alone if only one fund matches. */
function getFundByName(name: string, funds: readonly NamedFund[]): NamedFund {
  const filterFundsByName = (key: (text: string) => string) =>
    funds.filter(({ nombre }) => key(nombre) === key(name));
  const [similar, ...others] = filterFundsByName(documentNumberKey);
  const found = filterFundsByName(fold)[0] ?? (others.length === 0 ? similar : undefined);
  if (!found) throw new RowRefusalError('caja', texts.noFund(name));
  return found;
}

function parseKind(stated: string): MovementKind {
  const found = stated === '' ? 'gasto' : MOVEMENT_KINDS.find((kind) => kind === fold(stated));
  if (!found) throw new RowRefusalError('tipo', texts.unknownKind(stated));
  return found;
}

const VOUCHER_KIND_BY_NAME: Readonly<Record<string, VoucherKind>> = {
  cfdi: 'cfdi',
  nota: 'nota',
  ninguno: 'ninguno',
  [fold(WITHOUT_VOUCHER_LABEL)]: 'ninguno',
};

/** Rows that name the same replenishment belong together; a replenishment without a name stands alone. */
async function createReplenishments(
  { trx, actor }: ImportContext,
  acceptedDrafts: readonly MovementDraft[],
): Promise<NewRows> {
  const replenished = acceptedDrafts.filter(
    ({ replenishmentName, tipo }) => replenishmentName !== '' || tipo === 'reposicion',
  );
  const groups = [
    ...Map.groupBy(replenished, (one) =>
      one.replenishmentName === '' ? one : replenishmentGroupKey(one),
    ).values(),
  ];
  const holders = await trx.selectFrom('petty_cash_funds').select(['id', 'responsableId']).execute();
  const holderOf = new Map(holders.map(({ id, responsableId }) => [id, responsableId]));
  const ids = await reserveIds(trx, 'petty_cash_replenishments', groups.length);
  const rows = groups.map((members, index) => {
    const id = ids[index]!;
    for (const one of members) one.replenishmentId = id;
    const days = members.map(({ fecha }) => fecha).sort();
    const { fundId } = members[0]!;
    return {
      id,
      fundId,
      fecha: members.find(({ tipo }) => tipo === 'reposicion')?.fecha ?? days.at(-1)!,
      requestedBy: actor.userId,
      holderId: holderOf.get(fundId)!,
      comments: '',
      createdAt: actor.at,
      updatedAt: actor.at,
    };
  });
  return { entity: 'petty-cash-replenishments', table: 'petty_cash_replenishments', rows };
}
