import { addDays, daysBetween, type PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { DemoCompany } from './company.ts';
import { type DemoRubroKey, demoJobs, demoRubros, demoSources, demoUsers } from './names.ts';
import { Random } from './random.ts';

interface DemoMovement {
  movementdate: PlainDate;
  kind: 'ingreso' | 'gasto';
  concept: string;
  comprobante: string;
  amountCents: Cents;
  /** indexes into the company's lists */
  job: number | null;
  rubro: number | null;
}

export interface DemoPettyCash {
  source: number;
  responsable: string;
  openedOn: PlainDate;
  openingCents: Cents;
  /** in the order in which they were made */
  movements: DemoMovement[];
}

const DAYS = 120;
/** What the box is filled up to, and what must be left in it. */
const FULL: Cents = 600_000;
const LEAST: Cents = 80_000;

/** The cash box of the last months: filled up whenever its payments and small expenses leave too little. */
export function makePettyCash(company: DemoCompany, today: PlainDate): DemoPettyCash {
  const random = new Random(40_070_118);
  const source = demoSources.length - 1;
  const openedOn = `${addDays(today, -DAYS).slice(0, 8)}01`;
  const paid = paidByDay(company, source);
  const movements: DemoMovement[] = [];
  let balance = FULL;
  let receipt = 310;
  for (let day = openedOn; day <= today; day = addDays(day, 1)) {
    const spent = random.chance(0.4)
      ? [makeExpense(random, day, { receipt: String(++receipt), offset: daysBetween(today, day) })]
      : [];
    const out = (paid.get(day) ?? 0) + spent.reduce((sum, { amountCents }) => sum + amountCents, 0);
    if (balance - out < LEAST) {
      const amountCents = Math.ceil((FULL - balance + out) / 50_000) * 50_000;
      movements.push({ ...FILLING, movementdate: day, comprobante: '', amountCents, job: null, rubro: null });
      balance += amountCents;
    }
    movements.push(...spent);
    balance -= out;
  }
  const [first, last] = demoUsers.at(-1)!;
  return { source, responsable: `${first} ${last}`, openedOn, openingCents: FULL, movements };
}

const FILLING = { kind: 'ingreso', concept: 'Reposición de caja chica' } as const;

const EXPENSES: readonly (readonly [concept: string, rubro: DemoRubroKey, from: number, to: number])[] = [
  ['Gasolina para camioneta', 'combustible', 300, 900],
  ['Casetas a obra', 'fletes', 90, 420],
  ['Tornillería y taquetes', 'herreria', 60, 380],
  ['Guantes y lentes de seguridad', 'seguridad', 120, 650],
  ['Cinta y contactos', 'electrica', 80, 450],
  ['Copias de planos', 'proyectos', 45, 260],
  ['Flete de arena, medio viaje', 'agregados', 350, 800],
  ['Teflón y conexiones', 'hidraulica', 50, 320],
];

function makeExpense(
  random: Random,
  movementdate: PlainDate,
  { receipt, offset }: { receipt: string; offset: number },
): DemoMovement {
  const active = demoJobs.flatMap((job, index) => (job[3] <= offset && offset <= job[4] ? [index] : []));
  const [concept, rubro, from, to] = random.pick(EXPENSES);
  return {
    movementdate,
    kind: 'gasto',
    concept,
    comprobante: random.chance(0.8) ? receipt : '',
    amountCents: Math.round(random.amount(from, to) * 2) * 50,
    job: random.chance(0.9) ? random.pick(active) : null,
    rubro: Object.keys(demoRubros).indexOf(rubro),
  };
}

function paidByDay({ invoices }: DemoCompany, source: number): Map<PlainDate, Cents> {
  const paid = new Map<PlainDate, Cents>();
  for (const payment of invoices.flatMap(({ payments }) => payments)) {
    if (payment.source !== source) continue;
    paid.set(payment.paymentdate, (paid.get(payment.paymentdate) ?? 0) + payment.amountCents);
  }
  return paid;
}
