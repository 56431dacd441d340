import { reserveIds } from '../../../db/bulk.ts';
import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { checkFund, type FundRow } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import type { Refusal } from '../../../shared/refusal.ts';
import { conflictText, remark, sameAsLine, withRemedy } from '../../../shared/remarks.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { cleanText, fold } from '../../../shared/text.ts';
import type { ParsedRow } from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import type { ListEntry, NamedEntries } from '../catalogs/known.ts';
import { type ClosingDate, holdClosing, isClosed } from '../closing/closing.ts';
import { readCash } from '../petty-cash/cash.ts';
import { listAllHolders } from '../petty-cash/holders.ts';
import { listFunds } from '../petty-cash/reading.ts';
import {
  centsOf,
  dateOf,
  type Judge,
  type JudgeOptions,
  judgeSafely,
  Refused,
  refused,
  refusedAsClosed,
  textOf,
  type Verdict,
} from './judging.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import { References } from './references.ts';

/** A box to be opened; its origin, its obra and the source that is paid from it may be new themselves. */
export interface NewFund {
  nombre: string;
  responsableId: number;
  source: ListEntry;
  job: ListEntry | undefined;
  paying: ListEntry | undefined;
  montofijoCents: Cents | null;
  topeCents: Cents | null;
  openedOn: PlainDate;
  comments: string;
  named: NamedEntries;
}

/** What of a box can be told apart from what a row says; on file, or of a row before. */
type Told = Pick<
  FundRow,
  'nombre' | 'responsable' | 'openedOn' | 'montofijoCents' | 'topeCents' | 'comments'
> & {
  origin: string;
  obra: string;
  paying: string;
  line?: number;
};

/**
 * Judges petty cash boxes, known by their names. What they begin with is their first movement, and comes with the
 * table of those; known and equal is no change, known and different a conflict.
 */
export class FundJudge implements Judge<NewFund> {
  readonly references: References;
  readonly #today: PlainDate;
  readonly #known = new Map<string, Told>();
  /** by whose payments leave a box: its name */
  readonly #paying = new Map<number, string>();
  #holders: Awaited<ReturnType<typeof listAllHolders>> = [];
  #closing: ClosingDate = '';
  #verdicts: (Verdict<NewFund> | undefined)[] = [];
  readonly #accepted: NewFund[] = [];
  readonly #mayOpen: boolean;

  constructor({ createMissing, set, today }: JudgeOptions, { roles }: Actor) {
    this.#mayOpen = mayEnter('approval', roles);
    this.references = new References(createMissing, set);
    this.#today = today;
  }

  async begin(db: Db): Promise<void> {
    for (const fund of await listFunds(db, this.#today)) {
      const [origin, obra] = [fund.origenderecursonombre ?? '', fund.jobtitle ?? ''];
      this.#known.set(fold(fund.nombre), { ...fund, origin, obra, paying: fund.pagosOrigen ?? '' });
      if (fund.pagosOrigenId !== null) this.#paying.set(fund.pagosOrigenId, fund.nombre);
    }
    this.#closing = await holdClosing(db);
    await this.references.read(db, [fundingSources, jobs]);
    this.#holders = await listAllHolders(db);
  }

  async read(db: Db, rows: readonly ParsedRow[]): Promise<void> {
    this.#verdicts = [];
    for (const row of rows) {
      const isRead = row.problems.length === 0;
      const verdict = isRead ? judgeSafely(row, (one) => this.#judge(one)) : undefined;
      const fund = verdict && 'accepted' in verdict ? verdict.accepted : undefined;
      const short = fund && (await this.#shortOf(db, fund));
      this.#verdicts.push(short ? refused('pagosOrigen', short) : verdict);
      if (fund && !short) this.#take(fund, row.line);
    }
  }

  judge(row: ParsedRow, index: number): Verdict<NewFund> {
    const verdict = this.#verdicts[index];
    if (!verdict) throw new Error(`line ${row.line} was not read`);
    return verdict;
  }

  make = (context: MakingContext) => makeFunds(context, this.#accepted);

  /** Boxes are judged and stored in one transaction, so that nobody does anything between. */
  touches = (): boolean => true;

  #judge({ values }: ParsedRow): Verdict<NewFund> {
    const nombre = cleanText(textOf(values, 'nombre'), 'Caja', 'nombre', 120);
    const source = this.references.named(fundingSources, values, 'origenderecursonombre');
    const paying = this.references.named(fundingSources, values, 'pagosOrigen');
    const job = this.references.named(jobs, values, 'jobtitle');
    const [montofijoCents, topeCents] = [centsOf(values, 'montofijo'), centsOf(values, 'tope')];
    const openedOn = dateOf(values, 'openedOn');
    const comments = cleanText(textOf(values, 'comments'), 'Observaciones', 'comments', 4000);
    const responsable = textOf(values, 'responsable');
    const known = this.#known.get(fold(nombre));
    if (known) {
      const said = { responsable, montofijoCents, topeCents, openedOn, comments };
      const names = { origin: source?.name ?? '', obra: job?.name ?? '', paying: paying?.name ?? '' };
      return this.#compare(known, { ...said, ...names });
    }
    if (!this.#mayOpen) return refused('nombre', withRemedy(texts.approverOpens, 'act-as'));
    const holder = this.#holderNamed(responsable);
    const problem = checkFund({
      nombre,
      responsableId: holder.id,
      origenderecursoId: source?.id,
      pagosOrigenId: paying?.id ?? null,
      openedOn,
      montofijoCents,
      topeCents,
    });
    if (problem) throw firstOf(problem);
    if (openedOn! > this.#today) return refused('openedOn', texts.openedLater);
    if (isClosed(openedOn!, this.#closing)) return refusedAsClosed('openedOn', openedOn!, this.#closing);
    if (paying && this.#paying.has(paying.id))
      return refused('pagosOrigen', texts.sourceTaken(`«${paying.name}»`));
    const named: NamedEntries = [
      ['funding-sources', source],
      ['funding-sources', paying],
      ['jobs', job],
    ];
    const own = {
      nombre,
      responsableId: holder.id,
      montofijoCents,
      topeCents,
      openedOn: openedOn!,
      comments,
    };
    return { accepted: { ...own, source: source!, job, paying, named }, warnings: [] };
  }

  /** What rows say is compared; what they leave open is not. */
  #compare(
    known: Told,
    said: Omit<Told, 'nombre' | 'openedOn'> & { openedOn: PlainDate | null },
  ): Verdict<never> {
    const holder = said.responsable && this.#find(said.responsable)[0];
    const holderName = holder ? holder.name : said.responsable;
    const differ: [field: string, label: string, stored: string, here: string][] = [
      ['responsable', 'responsable', known.responsable, holderName],
      ['origenderecursonombre', 'origen de recurso', known.origin, said.origin],
      ['jobtitle', 'obra', known.obra, said.obra],
      ['openedOn', 'apertura', formatDate(known.openedOn), formatDate(said.openedOn)],
      ['montofijo', 'monto fijo', amountText(known.montofijoCents), amountText(said.montofijoCents)],
      ['tope', 'tope', amountText(known.topeCents), amountText(said.topeCents)],
      ['pagosOrigen', 'pagos desde la caja', known.paying, said.paying],
      ['comments', 'observaciones', known.comments, said.comments],
    ];
    const other = differ.find(([, , stored, here]) => here !== '' && fold(here) !== fold(stored));
    if (other) {
      const [field, label, stored, here] = other;
      const where = known.line === undefined ? '' : ` (renglón ${known.line})`;
      return refused(
        field,
        conflictText(remark`La caja chica «${known.nombre}»${where}`, label, stored, here),
      );
    }
    return { unchanged: true, warnings: known.line === undefined ? [] : [sameAsLine(known.line)] };
  }

  /** By username, by e-mail, or by a name that nobody else has. @throws Refused */
  #holderNamed(who: string): { id: number; name: string } {
    const found = this.#find(who);
    if (found.length === 0) throw new Refused('responsable', texts.noHolder(who));
    if (found.length > 1)
      throw new Refused(
        'responsable',
        texts.severalHolders(
          who,
          found.map(({ username }) => username),
        ),
      );
    return found[0]!;
  }

  #find(who: string) {
    const key = fold(who);
    const own = this.#holders.filter(({ username, email }) =>
      [username, email].some((one) => fold(one) === key),
    );
    return own.length > 0 ? own : this.#holders.filter(({ name }) => fold(name) === key);
  }

  /** What has left its box by payments since it was opened must be in it; a box begins with nothing. */
  async #shortOf(db: Db, { nombre, paying, openedOn }: NewFund): Promise<string | undefined> {
    if (!paying || paying.id < 0) return undefined;
    const cash = await readCash(db, { id: 0, pagosOrigenId: paying.id, openedOn });
    return cash < 0 ? texts.paidMore(nombre, cash) : undefined;
  }

  #take(fund: NewFund, line: number): void {
    const { nombre, responsableId, source, job, paying } = fund;
    const responsable = this.#holders.find(({ id }) => id === responsableId)!.name;
    const names = { origin: source.name, obra: job?.name ?? '', paying: paying?.name ?? '' };
    this.#known.set(fold(nombre), { ...fund, responsable, ...names, line });
    if (paying) this.#paying.set(paying.id, nombre);
    this.#accepted.push(fund);
  }
}

const amountText = (cents: Cents | null): string => (cents === null ? '' : formatMoney(cents));

const COLUMNS: Readonly<Record<string, string>> = {
  responsableId: 'responsable',
  origenderecursoId: 'origenderecursonombre',
  pagosOrigenId: 'pagosOrigen',
};

function firstOf({ fields, message }: Refusal): Refused {
  const [[field, reason] = ['nombre', message]] = Object.entries(fields);
  return new Refused(COLUMNS[field] ?? field, reason);
}

async function makeFunds(
  { db, actor, importId }: MakingContext,
  funds: readonly NewFund[],
): Promise<NewRows[]> {
  const ids = await reserveIds(db, 'petty_cash_funds', funds.length);
  // What is new itself has its id only now.
  const rows = funds.map(({ nombre, responsableId, source, job, paying, ...fund }, index) => ({
    id: ids[index]!,
    nombre,
    nombreFold: fold(nombre),
    responsableId,
    jobId: job?.id ?? null,
    montofijoCents: fund.montofijoCents,
    topeCents: fund.topeCents,
    origenderecursoId: source.id,
    pagosOrigenId: paying?.id ?? null,
    openedOn: fund.openedOn,
    comments: fund.comments,
    importId,
    createdAt: actor.at,
    updatedAt: actor.at,
  }));
  const make = (from: number, to: number) => rows.slice(from, to);
  return [{ entity: 'petty-cash-funds', table: 'petty_cash_funds', ids, make }];
}
