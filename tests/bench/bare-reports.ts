import Database from 'better-sqlite3';
import type { PlainDate } from '../../shared/dates.ts';
import type { Period } from '../../shared/periods.ts';

interface Days extends Period {
  month: Period;
  months: Period;
  week: Period;
  today: PlainDate;
  yesterday: PlainDate;
}

export interface SteeredBy {
  openCents: number;
  billedCents: number;
  paidCents: number;
  newsCents: number[];
  suppliers: number[];
  jobs: number[];
  largest: number[];
  last: number[];
}

export interface Costs {
  jobs: number[];
  rubrosCents: number;
  monthsCents: number;
}

/**
 * The floors of lists.ts for the dashboard and Resultados on a database file, which is only read: statements that are
 * prepared, of invoices and payments that are dated until today, without credit notes and petty cash.
 */
export class BareReports {
  readonly #db: Database.Database;
  readonly #dashboard: ReadonlyMap<string, Database.Statement>;
  readonly #results: ReadonlyMap<string, Database.Statement>;

  constructor(file: string) {
    const db = new Database(file, { readonly: true });
    this.#db = db;
    db.pragma('cache_size = -65536');
    const spent = (
      key: 'jobId' | 'rubroId',
    ) => `(select coalesce("${key}", 0) as id, substr(fechaemision, 1, 7) as month,
        "subtotalCents" + "otrosimpuestosCents" as cost, "totalCents" as total, "paidCents" as paid, fechaemision as last
      from invoices where fechaemision between :from and :to)`;
    const paid = (from: string) =>
      `from payments where kind = 'pago' and paymentdate between ${from} and :today`;
    const prepared = (texts: Record<string, string>) =>
      new Map(Object.entries(texts).map(([name, text]) => [name, db.prepare(text)]));
    this.#dashboard = prepared({
      due: `select vence as day, count(*) as count, sum("totalCents" - "paidCents") as cents from invoices
        where "totalCents" > "paidCents" group by 1 order by 1`,
      paid: `select count(*) as count, sum("amountCents") as cents ${paid(':monthFrom')}`,
      captured: `select count(*) as count, coalesce(sum("totalCents"), 0) as cents from invoices
        where fechacaptura >= :yesterday`,
      news: `select count(*) as count, coalesce(sum("amountCents"), 0) as cents ${paid(':yesterday')}`,
      billed: `select substr(fechaemision, 1, 7) as month, sum("totalCents") as cents from invoices
        where fechaemision between :monthsFrom and :today group by 1`,
      flows: `select substr(paymentdate, 1, 7) as month, sum("amountCents") as cents ${paid(':monthsFrom')} group by 1`,
      suppliers: `select o."supplierId" as id, s.suppliername, o.cents from (select "supplierId",
          sum("totalCents" - "paidCents") as cents from invoices where "totalCents" > "paidCents" group by 1) o join suppliers s on s.id = o."supplierId"
        order by o.cents desc, o."supplierId" limit 10`,
      jobs: `select c.id, j.jobtitle, c.cents from (select id, sum(cost) as cents from ${spent('jobId')} group by 1
        order by 2 desc, 1 limit 10) c join jobs j on j.id = c.id order by c.cents desc, c.id`,
      largest: `select i.id, i.numfactura, s.suppliername, i.vence, i."totalCents" - i."paidCents" as cents from invoices i
        join suppliers s on s.id = i."supplierId" where i.vence between :weekFrom and :weekTo and i."totalCents" > i."paidCents"
        order by 5 desc, i.id limit 5`,
      last: `select p.id, p.paymentdate, s.suppliername, p."amountCents" from payments p
        join invoices i on i.id = p."facturaproveedorId" join suppliers s on s.id = i."supplierId"
        where p.kind = 'pago' order by p.id desc limit 5`,
    });
    this.#results = prepared({
      jobs: `select c.*, j.jobtitle, k.clientname from (select id, sum(cost) as cost, sum(paid) as paid,
          sum(total) - sum(paid) as pending, max(last) as last from ${spent('jobId')} group by 1) c
        join jobs j on j.id = c.id left join clients k on k.id = j."clientId" order by c.cost desc, c.id limit 40`,
      rubros: `select id, sum(cost) as cents from ${spent('rubroId')} group by 1`,
      months: `select month, sum(cost) as cents from ${spent('jobId')} group by 1`,
    });
  }

  close(): void {
    this.#db.close();
  }

  dashboard({ today, yesterday, month, months, week, from, to }: Days): SteeredBy {
    const rows = asked(this.#dashboard, {
      today,
      yesterday,
      monthFrom: month.from,
      monthsFrom: months.from,
      weekFrom: week.from,
      weekTo: week.to,
      from,
      to,
    });
    return {
      openCents: centsIn(rows.due),
      billedCents: centsIn(rows.billed),
      paidCents: centsIn(rows.flows),
      newsCents: [centsIn(rows.captured), centsIn(rows.news)],
      suppliers: idsIn(rows.suppliers),
      jobs: idsIn(rows.jobs),
      largest: idsIn(rows.largest),
      last: idsIn(rows.last),
    };
  }

  results({ from, to }: Period): Costs {
    const { jobs, rubros, months } = asked(this.#results, { from, to });
    return { jobs: idsIn(jobs), rubrosCents: centsIn(rubros), monthsCents: centsIn(months) };
  }
}

interface Row {
  id: number;
  cents: number;
}

const asked = (statements: ReadonlyMap<string, Database.Statement>, values: object) =>
  Object.fromEntries([...statements].map(([name, statement]) => [name, statement.all(values) as Row[]]));

const idsIn = (rows: readonly Row[] = []): number[] => rows.map(({ id }) => id);

const centsIn = (rows: readonly Row[] = []): number => rows.reduce((sum, { cents }) => sum + cents, 0);
