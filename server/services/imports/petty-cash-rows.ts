import type { Db } from '../../../db/schema.ts';
import { sayExceeded } from '../../../shared/budgets.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { effectOf } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { sameAsLine } from '../../../shared/remarks.ts';
import { mayEnter } from '../../../shared/roles.ts';
import type { ParsedRow, RowWarning } from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import { BudgetBook } from '../budgets/budget-book.ts';
import { type ClosingDate, holdClosing, isClosed } from '../closing/closing.ts';
import { EVERYBODYS } from '../petty-cash/movements.ts';
import { capIn } from '../petty-cash/receipts.ts';
import { invoicesWithUuids, sayTaken } from '../petty-cash/uuids.ts';
import { readSettings } from '../settings/settings.ts';
import {
  type Judge,
  type JudgeOptions,
  judgeSafely,
  refused,
  refusedAsClosed,
  type Verdict,
} from './judging.ts';
import { Boxes, KnownMovements, keyOf } from './known-boxes.ts';
import type { MakingContext } from './new-rows.ts';
import { type DraftRules, draftMovement, type NewMovement } from './petty-cash-drafts.ts';
import { type Group, settle } from './petty-cash-settling.ts';
import { makeMovements } from './petty-cash-writing.ts';
import { References } from './references.ts';

type Drafted = Verdict<NewMovement> | undefined;

/**
 * Judges what was moved in petty cash boxes, which must be there. A movement is known by its box, kind, day, amount and
 * words, one of a CFDI by that. Rows are stored as they would have been captured: by the rules of budgets, caps and
 * closing, and never more out of a box than is in it.
 */
export class MovementJudge implements Judge<NewMovement> {
  readonly references: References;
  readonly #options: JudgeOptions;
  readonly #actor: Actor;
  #rules!: DraftRules;
  #capCents: number | null = null;
  #closing: ClosingDate = '';
  #budgets!: BudgetBook;
  #known = new KnownMovements();
  #invoices: ReadonlyMap<string, string> = new Map();
  #verdicts: Drafted[] = [];
  /** by what it says: of the rows on file, how many were met; of those of the file, where each was */
  readonly #met = new Map<string, { onFile: number; lines: Map<string, number> }>();
  readonly #uuids = new Map<string, number>();
  readonly #groups = new Map<string, Group>();
  readonly #accepted: NewMovement[] = [];

  constructor(options: JudgeOptions, actor: Actor) {
    this.#options = options;
    this.#actor = actor;
    this.references = new References(options.createMissing, options.set);
  }

  async begin(db: Db): Promise<void> {
    const boxes = await Boxes.read(db);
    this.#closing = await holdClosing(db);
    await this.references.read(db, [fundingSources, jobs, rubros]);
    const settings = await readSettings(db);
    this.#capCents = capIn(settings['caja.tope']);
    this.#budgets = await BudgetBook.open(db);
    this.#rules = {
      boxes,
      references: this.references,
      today: this.#options.today,
      term: Number(settings['caja.plazo']),
      isApprover: mayEnter('approval', this.#actor.roles),
    };
  }

  async read(db: Db, rows: readonly ParsedRow[], { pause }: { pause: () => Promise<void> }): Promise<void> {
    const drafts: Drafted[] = rows.map((row) =>
      row.problems.length > 0
        ? undefined
        : judgeSafely(row, (one) => ({ accepted: draftMovement(one, this.#rules), warnings: [] })),
    );
    const made = drafts.flatMap((one) => (one && 'accepted' in one ? [one.accepted] : []));
    const days = made.map(({ fecha }) => fecha).sort();
    const uuids = made.flatMap(({ uuid }) => uuid || []);
    const boxIds = [...new Set(made.map(({ box }) => box.id))];
    const period = { from: days[0] ?? '', to: days.at(-1) ?? '' };
    this.#known = await KnownMovements.read(db, boxIds, period, uuids);
    this.#invoices = await invoicesWithUuids(db, uuids);
    await this.#budgets.read(made.flatMap(({ job }) => job?.id ?? []));
    await pause();
    this.#verdicts = drafts.map((one) => (one && 'accepted' in one ? this.#judge(one.accepted) : one));
    const fitting = this.#verdicts.flatMap((one) => (one && 'accepted' in one ? [one.accepted] : []));
    const fallen = settle(fitting, this.#groups);
    this.#verdicts = this.#verdicts.map((one) => {
      const refusal = one && 'accepted' in one ? fallen.get(one.accepted) : undefined;
      return refusal ? { refused: refusal } : one;
    });
    this.#accepted.push(...fitting.filter((one) => !fallen.has(one)));
  }

  judge(row: ParsedRow, index: number): Verdict<NewMovement> {
    const verdict = this.#verdicts[index];
    if (!verdict) throw new Error(`line ${row.line} was not read`);
    return verdict;
  }

  end = (): RowWarning[] =>
    this.#budgets.tellExceeded('gasto').map(({ at: row, text: reason }) => ({ row, reason }));

  make = (context: MakingContext) => makeMovements(context, this.#accepted);

  /** Boxes are judged and stored in one transaction, so that nobody does anything between. */
  touches = (): boolean => true;

  #judge(draft: NewMovement): Verdict<NewMovement> {
    const told = draft.uuid ? this.#ofUuid(draft) : this.#sameAs(draft);
    if (told) return told;
    const { tipo, fecha, box, importeCents, subtotalCents, job, rubro, line } = draft;
    if (box.closedOn !== null) return refused('caja', texts.closed(box.nombre, box.closedOn));
    if (!EVERYBODYS.includes(tipo) && !box.isNew) return refused('tipo', texts.movingIn);
    if (isClosed(fecha, this.#closing)) return refusedAsClosed('fecha', fecha, this.#closing);
    const warnings = this.#warnOf(draft);
    if (tipo !== 'gasto') return { accepted: draft, warnings };
    const cap = box.topeCents ?? this.#capCents;
    if (cap !== null && importeCents > cap) return refused('importe', texts.overCap(cap));
    if (job) {
      const spending = { jobId: job.id, rubroId: rubro?.id ?? null, costCents: subtotalCents };
      const excess = this.#budgets.judge(spending);
      if (excess && this.#budgets.refuses) return refused('importe', sayExceeded(excess, 'gasto'));
      this.#budgets.take(spending);
      if (excess) this.#budgets.exceed(line, spending, excess);
    }
    return { accepted: draft, warnings };
  }

  /** A CFDI is the receipt of one expense; the same of the same box is that one. */
  #ofUuid({ uuid, box, importeCents, line }: NewMovement): Verdict<NewMovement> | undefined {
    const before = this.#uuids.get(uuid);
    if (before !== undefined) return { unchanged: true, warnings: [sameAsLine(before)] };
    this.#uuids.set(uuid, line);
    const stored = this.#known.withUuid(uuid);
    if (stored?.fundId === box.id && stored.importeCents === importeCents)
      return { unchanged: true, warnings: [] };
    if (stored) return refused('uuid', sayTaken({ ...stored, uuid, movementId: stored.id }));
    const invoice = this.#invoices.get(uuid);
    return invoice === undefined ? undefined : refused('uuid', texts.uuidOfInvoice(invoice));
  }

  /** As many rows as are on file are those; of more that are equal, those that the file itself tells apart are others. */
  #sameAs(draft: NewMovement): Verdict<NewMovement> | undefined {
    const key = keyOf(asKey(draft));
    const met = this.#met.get(key) ?? { onFile: 0, lines: new Map<string, number>() };
    this.#met.set(key, met);
    if (this.#options.allowDuplicates) return undefined;
    const { clave, line } = draft;
    const twin = met.lines.get(clave);
    if (!met.lines.has(clave)) met.lines.set(clave, line);
    if (met.onFile < this.#known.countOf(asKey(draft))) {
      met.onFile += 1;
      return { unchanged: true, warnings: [] };
    }
    return twin === undefined ? undefined : { unchanged: true, warnings: [sameAsLine(twin)] };
  }

  #warnOf(draft: NewMovement): Remark[] {
    const { tipo, comprobante, uuid, reposicion } = draft;
    const alike = this.#known.alike(asKey(draft));
    return [
      ...(comprobante === 'cfdi' && !uuid ? [texts.noUuid] : []),
      ...(tipo === 'reposicion' && !reposicion ? [texts.replenishesNothing] : []),
      ...(alike !== undefined && effectOf(draft) < 0 ? [texts.alike(alike)] : []),
    ];
  }
}

const asKey = ({ box, job, rubro, ...draft }: NewMovement) => ({
  ...draft,
  boxId: box.id,
  jobId: job?.id ?? null,
  rubroId: rubro?.id ?? null,
});
