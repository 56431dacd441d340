import Database from 'better-sqlite3';

export interface Answer {
  ids: number[];
  sums: { count: number; totalCents: number; paidCents: number };
}

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

/** The lower bound for lists.ts on SQLite: one prepared statement for the rows and one for the sums. */
export class BareLists {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement<unknown[], unknown>>();

  constructor(file: string) {
    this.#db = new Database(file, { readonly: true });
    this.#db.pragma('cache_size = -65536');
  }

  close(): void {
    this.#db.close();
  }

  list({ supplierId, jobId, numfactura, issued, sort = 'id' }: Asked): Answer {
    const order = sort === 'id' ? 'id' : 'fechavencimiento, id';
    const parts = [
      ...(supplierId ? ['"supplierId" = :supplierId'] : []),
      ...(jobId ? ['"jobId" = :jobId'] : []),
      ...(issued ? ['fechaemision between :from and :to'] : []),
      ...(numfactura === undefined ? [] : ['instr("numfacturaFold", :numfactura) > 0']),
    ];
    const where = parts.join(' and ') || 'true';
    const by = { supplierId, jobId, numfactura, ...issued };
    const rows = `select ${COLUMNS} from (select id from invoices where ${where} order by ${order} limit 50) f
      cross join invoices i on i.id = f.id left join suppliers s on s.id = i."supplierId"
      left join jobs j on j.id = i."jobId" left join rubros r on r.id = i."rubroId"`;
    const sums = `select count(*) as count, coalesce(sum("totalCents"), 0) as "totalCents",
      coalesce(sum("paidCents"), 0) as "paidCents" from invoices where ${where}`;
    return {
      ids: (this.#prepared(rows).all(by) as { id: number }[]).map(({ id }) => id),
      sums: this.#prepared(sums).get(by) as Answer['sums'],
    };
  }

  #prepared(text: string): Database.Statement<unknown[], unknown> {
    const statement = this.#statements.get(text) ?? this.#db.prepare<unknown[], unknown>(text);
    this.#statements.set(text, statement);
    return statement;
  }
}
