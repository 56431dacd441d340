import { addDays, daysBetween, type PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { DemoCompany } from './company.ts';
import { type DemoRubroKey, demoJobs, demoRubros, demoSources, demoUsers } from './names.ts';
import { Random } from './random.ts';

interface DemoMovement {
  fecha: PlainDate;
  tipo: 'apertura' | 'gasto' | 'reposicion';
  beneficiario: string;
  concepto: string;
  comprobante: 'nota' | 'ninguno';
  folio: string;
  importeCents: Cents;
  /** indexes into the company's lists */
  job: number | null;
  rubro: number | null;
  /** of an expense, and of what gives it back: which of the replenishments */
  replenishment: number | null;
}

export interface DemoPettyCash {
  nombre: string;
  /** what fills it, and whose payments leave it */
  origin: number;
  paying: number;
  /** index into the company's users */
  holder: number;
  openedOn: PlainDate;
  montofijoCents: Cents;
  /** the days on which it was filled up */
  replenishments: PlainDate[];
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
  const paying = demoSources.length - 1;
  const openedOn = `${addDays(today, -DAYS).slice(0, 8)}01`;
  const paid = paidByDay(company, paying);
  const movements: DemoMovement[] = [putIn(openedOn, 'Apertura de la caja', FULL)];
  const replenishments: PlainDate[] = [];
  let [balance, paidSince, receipt] = [FULL, 0, 310];
  let waiting: DemoMovement[] = [];
  for (let day = openedOn; day <= today; day = addDays(day, 1)) {
    const spent = random.chance(0.4)
      ? [makeExpense(random, day, { receipt: String(++receipt), offset: daysBetween(today, day) })]
      : [];
    const taken = paid.get(day) ?? 0;
    const out = taken + spent.reduce((sum, { importeCents }) => sum + importeCents, 0);
    if (balance - out < LEAST) {
      const importeCents = waiting.reduce((sum, one) => sum + one.importeCents, 0);
      for (const one of waiting) one.replenishment = replenishments.length;
      if (waiting.length > 0) {
        const concepto = `Reposición de ${waiting.length} gastos`;
        const group = { tipo: 'reposicion', replenishment: replenishments.length } as const;
        movements.push({ ...putIn(day, concepto, importeCents), ...group });
        replenishments.push(day);
      }
      const forPayments = paidSince + taken;
      if (forPayments > 0) movements.push(putIn(day, 'Para pagos a proveedores', forPayments));
      balance += importeCents + forPayments;
      paidSince = -taken;
      waiting = [];
    }
    movements.push(...spent);
    waiting.push(...spent);
    balance -= out;
    paidSince += taken;
  }
  const holder = demoUsers.length - 1;
  const box = { nombre: 'Caja chica de oficina', origin: 0, paying, holder, montofijoCents: FULL };
  return { ...box, openedOn, replenishments, movements };
}

/** What came into the box. */
const putIn = (fecha: PlainDate, concepto: string, importeCents: Cents): DemoMovement => ({
  fecha,
  tipo: 'apertura',
  beneficiario: '',
  concepto,
  comprobante: 'ninguno',
  folio: '',
  importeCents,
  job: null,
  rubro: null,
  replenishment: null,
});

type DemoExpense = readonly [concept: string, whose: string, rubro: DemoRubroKey, from: number, to: number];

const EXPENSES: readonly DemoExpense[] = [
  ['Gasolina para camioneta', 'Gasolinera Cumbres', 'combustible', 300, 900],
  ['Casetas a obra', 'Autopista del Norte', 'fletes', 90, 420],
  ['Tornillería y taquetes', 'Ferretería La Palma', 'herreria', 60, 380],
  ['Guantes y lentes de seguridad', 'Ferretería La Palma', 'seguridad', 120, 650],
  ['Cinta y contactos', 'Eléctrica del Centro', 'electrica', 80, 450],
  ['Copias de planos', 'Copias y Planos Regio', 'proyectos', 45, 260],
  ['Flete de arena, medio viaje', 'Fletes Hermanos Garza', 'agregados', 350, 800],
  ['Teflón y conexiones', 'Ferretería La Palma', 'hidraulica', 50, 320],
];

function makeExpense(
  random: Random,
  fecha: PlainDate,
  { receipt, offset }: { receipt: string; offset: number },
): DemoMovement {
  const active = demoJobs.flatMap((job, index) => (job[3] <= offset && offset <= job[4] ? [index] : []));
  const [concepto, beneficiario, rubro, from, to] = random.pick(EXPENSES);
  const hasReceipt = random.chance(0.8);
  return {
    fecha,
    tipo: 'gasto',
    beneficiario,
    concepto,
    comprobante: hasReceipt ? 'nota' : 'ninguno',
    folio: hasReceipt ? receipt : '',
    importeCents: Math.round(random.amount(from, to) * 2) * 50,
    job: random.chance(0.9) ? random.pick(active) : null,
    rubro: Object.keys(demoRubros).indexOf(rubro),
    replenishment: null,
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
