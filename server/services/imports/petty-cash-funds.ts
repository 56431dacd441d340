import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { refusal } from '../../../shared/refusal.ts';
import { fold } from '../../../shared/text.ts';
import type { ParsedRow, TableImport } from '../../formats/tables/table.ts';
import type { CompletedFund, FundInput } from '../petty-cash/fund-rules.ts';
import { writeFunds } from '../petty-cash/funds.ts';
import { FUNDS, listHolders } from '../petty-cash/reading.ts';
import { draftEach, importDrafts } from './drafts.ts';
import type { References } from './references.ts';
import { centsOf, dateOf, textOf } from './row-values.ts';
import type { Run } from './run.ts';

/** A fund's opening amount is its first movement, imported with the table of movements. */
export async function importFunds(run: Run): Promise<TableImport> {
  const holders = await listHolders(run.db);
  return importDrafts<FundInput, CompletedFund>(run, {
    entity: FUNDS,
    names: { origenderecursoId: fundingSources, pagosOrigenId: fundingSources, jobId: jobs },
    columns: { responsableId: 'responsable', pagosOrigenId: 'pagosOrigen' },
    draftRows: () => draftEach(run, (row) => draftOf(row, run.references, holders)),
    write: writeFunds,
  });
}

type Holders = Awaited<ReturnType<typeof listHolders>>;

function draftOf({ values, line }: ParsedRow, references: References, holders: Holders): FundInput {
  const source = references.named(fundingSources, values);
  const paying = references.named(fundingSources, values, 'pagosOrigen');
  const job = references.named(jobs, values);
  const who = textOf(values, 'responsable');
  const found = who === '' ? [] : holdersNamed(who, holders);
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
      responsable: found[0]?.name ?? who,
      origin: source?.name ?? '',
      obra: job?.name ?? '',
      paying: paying?.name ?? '',
    },
    holderProblem:
      who === '' || found.length === 1 ? undefined : refusal(sayUnheld(who, found), 'responsableId'),
  };
}

function holdersNamed(who: string, holders: Holders): Holders {
  const key = fold(who);
  const own = holders.filter(({ username, email }) => [username, email].some((one) => fold(one) === key));
  return own.length > 0 ? own : holders.filter(({ name }) => fold(name) === key);
}

const sayUnheld = (who: string, found: Holders): string =>
  found.length === 0
    ? texts.noHolder(who)
    : texts.severalHolders(
        who,
        found.map(({ username }) => username),
      );
