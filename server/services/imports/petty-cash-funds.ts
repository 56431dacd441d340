import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { createRefusal } from '../../../shared/refusal.ts';
import { fold } from '../../../shared/text.ts';
import type { ParsedRow, TableImportResult } from '../../formats/tables/table.ts';
import type { CompletedFund, FundInput } from '../petty-cash/fund-rules.ts';
import { writeFunds } from '../petty-cash/funds.ts';
import { FUND_ENTITY, listPossibleHolders } from '../petty-cash/reading.ts';
import { importDrafts, readEachRow } from './import-drafts.ts';
import type { TableImportRun } from './import-run.ts';
import type { References } from './references.ts';
import { centsOf, dateOf, textOf } from './row-values.ts';

/** A fund's opening amount is its first movement, imported with the table of movements. */
export async function importFunds(run: TableImportRun): Promise<TableImportResult> {
  const holders = await listPossibleHolders(run.db);
  return importDrafts<FundInput, CompletedFund>(run, {
    entity: FUND_ENTITY,
    names: { origenderecursoId: fundingSources, pagosOrigenId: fundingSources, jobId: jobs },
    columns: { responsableId: 'responsable', pagosOrigenId: 'pagosOrigen' },
    readInputs: () => readEachRow(run, (row) => toFundInput(row, run.references, holders)),
    write: writeFunds,
  });
}

type Holders = Awaited<ReturnType<typeof listPossibleHolders>>;

function toFundInput({ values, line }: ParsedRow, references: References, holders: Holders): FundInput {
  const source = references.findOrAddEntry(fundingSources, values);
  const paying = references.findOrAddEntry(fundingSources, values, 'pagosOrigen');
  const job = references.findOrAddEntry(jobs, values);
  const reference = textOf(values, 'responsable');
  const found = reference === '' ? [] : findHolders(reference, holders);
  return {
    nombre: textOf(values, 'nombre'),
    responsableId: found[0]?.id ?? null,
    jobId: job?.id ?? null,
    montofijoCents: centsOf(values, 'montofijo'),
    topeCents: centsOf(values, 'tope'),
    origenderecursoId: source?.id ?? null,
    pagosOrigenId: paying?.id ?? null,
    openedOn: dateOf(values, 'openedOn'),
    comments: textOf(values, 'comments'),
    statedNames: {
      line,
      responsable: found[0]?.name ?? reference,
      origin: source?.name ?? '',
      obra: job?.name ?? '',
      paying: paying?.name ?? '',
    },
    holderProblem:
      reference === '' || found.length === 1
        ? undefined
        : createRefusal(describeHolderProblem(reference, found), 'responsableId'),
  };
}

function findHolders(reference: string, holders: Holders): Holders {
  const key = fold(reference);
  const byAccount = holders.filter(({ username, email }) =>
    [username, email].some((one) => fold(one) === key),
  );
  return byAccount.length > 0 ? byAccount : holders.filter(({ name }) => fold(name) === key);
}

const describeHolderProblem = (reference: string, found: Holders): string =>
  found.length === 0
    ? texts.noHolder(reference)
    : texts.severalHolders(
        reference,
        found.map(({ username }) => username),
      );
