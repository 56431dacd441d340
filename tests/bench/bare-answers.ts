import Database from 'better-sqlite3';

/** What a list says: its first fifty ids and its sums, or a part of that. */
export interface Answer {
  ids?: number[];
  sums?: Sums;
}

interface Sums {
  count: number;
  totalCents: number;
  paidCents: number;
}

/** What of the lists' questions the floors answer too. */
export interface Asked {
  supplierId?: number;
  jobId?: number;
  numfactura?: string;
  issued?: { from: string; to: string };
  sort?: 'id' | 'fechavencimiento';
}

const COLUMNS = `i.id, i."supplierId", s.suppliername, s.rfc, i."jobId", j.jobtitle, r.nombrerubro, i.numfactura,
  i.fechaemision, i.fecharecepcion, i.fechavencimiento, i.vence, i."subtotalCents", i.tasa, i."ivaCents",
  i."totalCents", i."paidCents", i.comments, i.uuid, i.version`;

/**
 * The floors of lists.ts on a database file, which is only read: statements that are prepared, sums that are rolled up
 * in memory (who keeps them is not measured), and for texts a mirror of all numbers and amounts, as an array is looked
 * through.
 */
export class BareLists {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement<unknown[], unknown>>();
  readonly #numbers: string;
  readonly #width: number;
  readonly #ids: Int32Array;
  readonly #totals: Float64Array;
  readonly #paid: Float64Array;

  constructor(file: string) {
    const db = new Database(file, { readonly: true });
    this.#db = db;
    db.pragma('cache_size = -65536');
    db.pragma('temp_store = memory');
    db.exec(`create temp table roll as
        select -1 as s, -1 as j, count(*) as count, sum("totalCents") as "totalCents", sum("paidCents") as "paidCents" from main.invoices
        union all select "supplierId", -1, count(*), sum("totalCents"), sum("paidCents") from main.invoices group by 1
        union all select "supplierId", "jobId", count(*), sum("totalCents"), sum("paidCents") from main.invoices group by 1, 2;
      create unique index roll_key on roll (s, j);
      create temp table days as select fechaemision as day, count(*) as count, sum("totalCents") as "totalCents",
        sum("paidCents") as "paidCents" from main.invoices group by 1;
      create unique index days_key on days (day)`);
    const { count, width } = db
      .prepare<[], { count: number; width: number }>(
        'select count(*) as count, max(length("numfacturaFold")) + 1 as width from invoices',
      )
      .get()!;
    this.#width = width;
    [this.#ids, this.#totals, this.#paid] = [
      new Int32Array(count),
      new Float64Array(count),
      new Float64Array(count),
    ];
    const all = db
      .prepare('select id, "numfacturaFold", "totalCents", "paidCents" from invoices order by id')
      .raw()
      .iterate() as IterableIterator<[number, string, number, number]>;
    const text = Buffer.alloc(width * count);
    let at = 0;
    for (const [id, number, total, paid] of all) {
      text.write(number, at * width, 'latin1');
      [this.#ids[at], this.#totals[at], this.#paid[at]] = [id, total, paid];
      at++;
    }
    this.#numbers = text.toString('latin1');
  }

  close(): void {
    this.#db.close();
  }

  /** The first fifty and the sums. */
  list({ supplierId, jobId, numfactura, issued, sort = 'id' }: Asked): Answer {
    if (numfactura !== undefined) return this.#search(numfactura);
    const order = sort === 'id' ? 'i.id' : 'i.fechavencimiento, i.id';
    const parts = [
      ...(supplierId ? ['i."supplierId" = :supplierId'] : []),
      ...(jobId ? ['i."jobId" = :jobId'] : []),
      ...(issued ? ['i.fechaemision between :from and :to'] : []),
    ];
    const where = parts.join(' and ') || 'true';
    const by = { supplierId, jobId, ...issued };
    const sums = issued
      ? this.#get(
          'select sum(count) as count, sum("totalCents") as "totalCents", sum("paidCents") as "paidCents" from days where day between :from and :to',
          by,
        )
      : this.#get('select count, "totalCents", "paidCents" from roll where s = :s and j = :j', {
          s: supplierId ?? -1,
          j: jobId ?? -1,
        });
    return {
      ids: this.#page(`select i.id from invoices i where ${where} order by ${order} limit 50`, by),
      sums,
    };
  }

  #search(needle: string): Answer {
    const sums = { count: 0, totalCents: 0, paidCents: 0 };
    const ids: number[] = [];
    for (let hit = this.#numbers.indexOf(needle); hit >= 0; ) {
      const at = Math.floor(hit / this.#width);
      if (ids.length < 50) ids.push(this.#ids[at]!);
      sums.count++;
      sums.totalCents += this.#totals[at]!;
      sums.paidCents += this.#paid[at]!;
      hit = this.#numbers.indexOf(needle, (at + 1) * this.#width);
    }
    return { ids: this.#page('select value as id from json_each(:ids)', { ids: JSON.stringify(ids) }), sums };
  }

  #page(ids: string, values: object): number[] {
    const text = `select ${COLUMNS} from (${ids}) f cross join invoices i on i.id = f.id
      left join suppliers s on s.id = i."supplierId" left join jobs j on j.id = i."jobId"
      left join rubros r on r.id = i."rubroId"`;
    return (this.#prepared(text).all(values) as { id: number }[]).map(({ id }) => id);
  }

  #get(text: string, values: object): Sums {
    return this.#prepared(text).get(values) as Sums;
  }

  #prepared(text: string): Database.Statement<unknown[], unknown> {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.#db.prepare<unknown[], unknown>(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}
