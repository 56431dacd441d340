import { reserveIds } from '../../../db/bulk.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import {
  MOVEMENT_KINDS,
  type MovementKind,
  type ReceiptKind,
  WITHOUT_RECEIPT,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import type { ParsedRow, TableImport } from '../../formats/tables/table.ts';
import type { Draft, MovementInput } from '../petty-cash/draft.ts';
import { groupOf } from '../petty-cash/rules.ts';
import { writeMovements } from '../petty-cash/write.ts';
import { draftEach, importDrafts } from './drafts.ts';
import type { References } from './references.ts';
import { centsOf, dateOf, Refused, textOf } from './row-values.ts';
import type { MakingContext, NewRows, Run } from './run.ts';

export async function importMovements(run: Run): Promise<TableImport> {
  const { allowDuplicates = false } = run.options;
  const funds = await run.db.selectFrom('petty_cash_funds').select(['id', 'nombre']).execute();
  return importDrafts<MovementInput, Draft>(run, {
    entity: 'petty-cash-movements',
    names: { origenderecursoId: fundingSources, jobId: jobs, rubroId: rubros },
    columns: { fundId: 'caja' },
    draftRows: () => draftEach(run, (row) => draftOf(row, run.references, funds)),
    write: (trx, actor, drafts, options) =>
      writeMovements(trx, actor, drafts, { ...options, table: { allowDuplicates } }),
    createMissing: makeReplenishments,
  });
}

interface Fund {
  id: number;
  nombre: string;
}

/** @throws RowRefusalError for an unknown fund, kind or receipt, and for references that are not on file */
function draftOf({ values, line }: ParsedRow, references: References, funds: readonly Fund[]): MovementInput {
  const uuid = textOf(values, 'uuid').toUpperCase();
  const said = textOf(values, 'comprobante');
  const comprobante = said === '' ? undefined : RECEIPTS[fold(said)];
  if (said !== '' && !comprobante) throw new Refused('comprobante', texts.noReceiptKind(said));
  const comprobarAntes = dateOf(values, 'comprobarAntes');
  const tipo = kindOf(textOf(values, 'tipo'));
  return {
    line,
    fundId: fundNamed(textOf(values, 'caja'), funds).id,
    tipo,
    fecha: dateOf(values, 'fecha') ?? '',
    concepto: textOf(values, 'concepto'),
    beneficiario: textOf(values, 'beneficiario'),
    subtotalCents: centsOf(values, 'subtotal') ?? undefined,
    ivaCents: centsOf(values, 'iva') ?? undefined,
    importeCents: centsOf(values, 'importe') ?? undefined,
    comprobante,
    isWithoutReceipt: tipo === 'gasto' && fold(said) === fold(WITHOUT_RECEIPT) && !comprobarAntes,
    comprobarAntes,
    folio: textOf(values, 'folio'),
    uuid,
    jobId: references.named(jobs, values)?.id ?? null,
    rubroId: references.rubro(values)?.id ?? null,
    origenderecursoId: references.named(fundingSources, values)?.id ?? null,
    comments: textOf(values, 'comments'),
    group: textOf(values, 'reposicion'),
    clave: textOf(values, 'clave'),
  };
}

/** Finds a fund by its name in any spelling, or by letters and digits alone if only one fund matches. */
function fundNamed(who: string, funds: readonly Fund[]): Fund {
  const named = (key: (text: string) => string) => funds.filter(({ nombre }) => key(nombre) === key(who));
  const [alike, ...others] = named(numberKey);
  const found = named(fold)[0] ?? (others.length === 0 ? alike : undefined);
  if (!found) throw new Refused('caja', texts.noFund(who));
  return found;
}

function kindOf(said: string): MovementKind {
  const found = said === '' ? 'gasto' : MOVEMENT_KINDS.find((kind) => kind === fold(said));
  if (!found) throw new Refused('tipo', texts.noKind(said));
  return found;
}

const RECEIPTS: Readonly<Record<string, ReceiptKind>> = {
  cfdi: 'cfdi',
  nota: 'nota',
  ninguno: 'ninguno',
  [fold(WITHOUT_RECEIPT)]: 'ninguno',
};

/** Rows that name the same replenishment belong together; a replenishment without a name stands alone. */
async function makeReplenishments(
  { trx, actor }: MakingContext,
  accepted: readonly Draft[],
): Promise<NewRows> {
  const asking = accepted.filter(({ group, tipo }) => group !== '' || tipo === 'reposicion');
  const groups = [...Map.groupBy(asking, (one) => (one.group === '' ? one : groupOf(one))).values()];
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
