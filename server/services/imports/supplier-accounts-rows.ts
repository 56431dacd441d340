import { reserveIds } from '../../../db/bulk.ts';
import type { Db } from '../../../db/schema.ts';
import { bankCodeOf, isKnownBank } from '../../../shared/banks.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { conflictText, remark, sameAsLine } from '../../../shared/remarks.ts';
import { checkAccount, accountTexts as texts } from '../../../shared/supplier-accounts.ts';
import type { ParsedRow } from '../../formats/tables/table.ts';
import type { ListEntry } from '../catalogs/known.ts';
import { cleanAccount } from '../supplier-accounts/accounts.ts';
import { type AuditEntry, type Judge, type JudgeOptions, refused, textOf, type Verdict } from './judging.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import { References } from './references.ts';

/** An account to be stored; its supplier may be new itself. */
export interface NewAccount {
  supplier: ListEntry;
  clabe: string;
  titular: string;
}

/** What a row has to have said already: the holder, and the line of the file that said so. */
interface Known {
  titular: string;
  line?: number;
}

/**
 * Judges suppliers' bank accounts, known by supplier and CLABE. None is trusted by being in a table: somebody else than
 * who imports it has to confirm each.
 */
export class AccountJudge implements Judge<NewAccount> {
  readonly references: References;
  readonly #known = new Map<string, Known>();
  readonly #accepted: NewAccount[] = [];

  constructor(options: JudgeOptions) {
    this.references = new References(options.createMissing, options.set);
  }

  async begin(db: Db): Promise<void> {
    await this.references.read(db, [suppliers]);
    for (const { supplierId, clabe, titular } of await db
      .selectFrom('supplier_accounts')
      .select(['supplierId', 'clabe', 'titular'])
      .execute())
      this.#known.set(placeOf(supplierId, clabe), { titular });
  }

  async read(): Promise<void> {}

  judge({ values, line }: ParsedRow): Verdict<NewAccount> {
    const warnings: string[] = [];
    const supplier = this.references.supplier(values, warnings);
    if (!supplier) return refused('suppliername', 'Falta el proveedor.');
    const said = cleanAccount({ clabe: textOf(values, 'clabe'), titular: textOf(values, 'titular') });
    const { clabe = '', titular = '' } = said;
    const problem = checkAccount({ clabe, titular });
    if (problem) {
      const [[field, reason] = ['clabe', problem.message]] = Object.entries(problem.fields);
      return refused(field, reason);
    }
    const place = placeOf(supplier.id, clabe);
    const known = this.#known.get(place);
    if (known && known.titular !== titular) {
      const where = known.line === undefined ? '' : ` (renglón ${known.line})`;
      const what = remark`La cuenta ${clabe} de «${supplier.name}»${where}`;
      return refused('titular', conflictText(what, 'titular', known.titular, titular));
    }
    if (known) return { unchanged: true, warnings: known.line === undefined ? [] : [sameAsLine(known.line)] };
    if (!isKnownBank(clabe)) warnings.push(texts.unknownBank(bankCodeOf(clabe)));
    const accepted = { supplier, clabe, titular };
    this.#known.set(place, { titular, line });
    this.#accepted.push(accepted);
    return { accepted, warnings };
  }

  make = (context: MakingContext) => makeAccounts(context, this.#accepted);

  touches = ({ entity }: AuditEntry): boolean => entity === 'supplier-accounts';
}

const placeOf = (supplierId: number, clabe: string): string => `${supplierId}/${clabe}`;

async function makeAccounts(
  { db, actor, importId }: MakingContext,
  accounts: readonly NewAccount[],
): Promise<NewRows[]> {
  const ids = await reserveIds(db, 'supplier_accounts', accounts.length);
  // New suppliers have their ids only now.
  const rows = accounts.map(({ supplier, clabe, titular }, index) => ({
    id: ids[index]!,
    supplierId: supplier.id,
    clabe,
    titular,
    createdBy: actor.userId,
    editedBy: actor.userId,
    changedOn: actor.today,
    importId,
    createdAt: actor.at,
    updatedAt: actor.at,
  }));
  return [
    {
      entity: 'supplier-accounts',
      table: 'supplier_accounts',
      ids,
      make: (from, to) => rows.slice(from, to),
    },
  ];
}
