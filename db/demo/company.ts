import { addDays, daysBetween, mondayOf, type PlainDate } from '../../shared/dates.ts';
import { type Cents, DEFAULT_RATE, RATE_SCALE, type Rate, taxOf } from '../../shared/money.ts';
import { type DemoRubroKey, demoJobs, demoRubros, demoSources } from './names.ts';
import { Random } from './random.ts';
import { type DemoSupplier, makeSuppliers } from './suppliers.ts';

export interface DemoInvoice {
  /** indexes into the company's lists */
  supplier: number;
  job: number;
  rubro: number | null;
  numfactura: string;
  fechaemision: PlainDate;
  fecharecepcion: PlainDate;
  fechavencimiento: PlainDate | null;
  subtotalCents: Cents;
  tasa: Rate;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  comments: string;
  payments: DemoPayment[];
}

interface DemoPayment {
  source: number;
  checknum: string;
  paymentdate: PlainDate;
  amountCents: Cents;
}

export interface DemoCompany {
  suppliers: DemoSupplier[];
  /** in the order of their reception */
  invoices: DemoInvoice[];
}

const INVOICES = 2500;
const YEARS_DAYS = 3 * 365;
const RUBROS = Object.keys(demoRubros) as DemoRubroKey[];

/** How much of the work falls to each rubro, and when in a job it comes: early (0) to late (1). */
const SHARES: Record<DemoRubroKey, readonly [share: number, phase: number]> = {
  acero: [12, 0.3],
  concreto: [11, 0.3],
  agregados: [14, 0.4],
  manodeobra: [15, 0.5],
  maquinaria: [9, 0.2],
  electrica: [7, 0.7],
  hidraulica: [6, 0.7],
  acabados: [8, 0.85],
  canceleria: [4, 0.85],
  impermeable: [2, 0.8],
  fletes: [5, 0.4],
  herreria: [3, 0.8],
  proyectos: [4, 0.05],
  seguridad: [4, 0.5],
  combustible: [5, 0.4],
};

/** The books of a contractor over the three years before `today`: the same for the same day. */
export function makeCompany(today: PlainDate): DemoCompany {
  const random = new Random(20_090_312);
  const suppliers = makeSuppliers(random);
  const numbers = suppliers.map((supplier) => supplier.firstNumber);
  const days = Array.from({ length: INVOICES }, () => random.whole(-YEARS_DAYS, 0)).sort((a, b) => a - b);
  const cheques = demoSources.map((_, index) => 1000 * (index + 1) + random.whole(1, 400));
  const invoices = days.map((day) => makeInvoice(random, { today, day, suppliers, numbers, cheques }));
  return { suppliers, invoices };
}

interface Making {
  today: PlainDate;
  /** of reception, from today */
  day: number;
  suppliers: DemoSupplier[];
  /** the next number of each supplier */
  numbers: number[];
  /** the last cheque of each source */
  cheques: number[];
}

function makeInvoice(random: Random, { today, day, suppliers, numbers, cheques }: Making): DemoInvoice {
  const active = demoJobs.flatMap((job, index) => (job[3] <= day && day <= job[4] ? [index] : []));
  const job = random.weighted(active, (index) => demoJobs[index]![5]);
  const [, , , start, end] = demoJobs[job]!;
  const progress = (day - start) / (end - start);
  const rubro = random.weighted(
    RUBROS,
    (key) => SHARES[key][0] * Math.exp(-6 * (progress - SHARES[key][1]) ** 2),
  );
  const supplier = random.weighted(
    suppliers.flatMap((one, index) => (one.rubro === rubro ? [index] : [])),
    (index) => suppliers[index]!.weight,
  );
  const seller = suppliers[supplier]!;
  const fecharecepcion = addDays(today, day);
  const fechaemision = addDays(fecharecepcion, -random.pick([0, 0, 1, 1, 2, 3, 5]));
  const amounts = makeAmounts(random, rubro, seller.isPerson);
  numbers[supplier]! += random.whole(1, 9);
  const invoice: DemoInvoice = {
    supplier,
    job,
    rubro: random.chance(0.02) ? null : RUBROS.indexOf(rubro),
    numfactura: numberText(random, seller, numbers[supplier]!, fechaemision),
    fechaemision,
    fecharecepcion,
    fechavencimiento: random.chance(0.03) ? null : addDays(fecharecepcion, seller.diascredito),
    ...amounts,
    comments: random.chance(0.08) ? random.pick(COMMENTS) : '',
    payments: [],
  };
  invoice.payments = makePayments(random, invoice, today, cheques);
  return invoice;
}

const COMMENTS = [
  'Incluye maniobras de descarga.',
  'Pendiente nota de crédito por faltante.',
  'Estimación revisada por residencia.',
  'Entregado en dos viajes.',
  'Precio según cotización de abril.',
  'Pago contra entrega de fianza.',
];

function numberText(
  random: Random,
  { numbering, suppliername }: DemoSupplier,
  number: number,
  issued: PlainDate,
) {
  if (numbering === 'letter') return `${suppliername[0]!.normalize('NFD')[0]}-${number}`;
  if (numbering === 'year') return `FAC-${issued.slice(0, 4)}-${String(number).padStart(5, '0')}`;
  if (numbering === 'plain') return String(number);
  return `${Math.floor(random.next() * 0xffff)
    .toString(16)
    .padStart(4, '0')}${number.toString(16).padStart(4, '0')}`.toUpperCase();
}

function makeAmounts(random: Random, rubro: DemoRubroKey, isPerson: boolean) {
  const [from, to] = demoRubros[rubro].range;
  const subtotalCents = Math.round(random.amount(from, to) * 100);
  const tasa = random.weighted([DEFAULT_RATE, 8 * RATE_SCALE, 0], (rate) =>
    rate === DEFAULT_RATE ? 93 : rate === 0 ? 3 : 4,
  );
  const ivaCents = taxOf(subtotalCents, tasa);
  const retencionesCents = withheld(random, rubro, isPerson, subtotalCents, ivaCents);
  // the tax on fuels, and now and then a local one
  const otrosimpuestosCents =
    rubro === 'combustible'
      ? taxOf(subtotalCents, 4.5 * RATE_SCALE)
      : random.chance(0.01)
        ? taxOf(subtotalCents, 3 * RATE_SCALE)
        : 0;
  const totalCents = subtotalCents + ivaCents + otrosimpuestosCents - retencionesCents;
  return { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents };
}

/** Fees of a person: two thirds of the IVA and 10 % ISR; carriage: 4 % of IVA; public works: 5 al millar. */
function withheld(
  random: Random,
  rubro: DemoRubroKey,
  isPerson: boolean,
  subtotal: Cents,
  iva: Cents,
): Cents {
  if (isPerson && rubro === 'proyectos') return taxOf(subtotal, 10 * RATE_SCALE) + Math.round((iva * 2) / 3);
  if (rubro === 'fletes') return Math.min(iva, taxOf(subtotal, 4 * RATE_SCALE));
  if (isPerson) return taxOf(subtotal, 1.25 * RATE_SCALE);
  return rubro === 'manodeobra' && random.chance(0.1) ? taxOf(subtotal, 0.5 * RATE_SCALE) : 0;
}

/** Old ones are paid, but for a few; what fell due lately often not yet; what is not due seldom. */
function makePayments(
  random: Random,
  invoice: DemoInvoice,
  today: PlainDate,
  cheques: number[],
): DemoPayment[] {
  const due = invoice.fechavencimiento ?? addDays(invoice.fecharecepcion, 30);
  const late = daysBetween(due, today);
  const [paidWhole, paidPart] = late > 75 ? [0.975, 0.015] : late > 0 ? [0.72, 0.12] : [0.12, 0.1];
  const fate = random.next();
  if (fate >= paidWhole + paidPart) return [];
  const isWhole = fate < paidWhole;
  const parts = invoice.totalCents > 15_000_000 ? random.pick([1, 2, 2, 3]) : random.pick([1, 1, 1, 1, 2]);
  const goal = isWhole ? invoice.totalCents : Math.round(invoice.totalCents * (0.2 + 0.6 * random.next()));
  const source = random.weighted([0, 1, 2, 3, 4], (index) => sourceWeight(index, invoice));
  const payments: DemoPayment[] = [];
  let left = goal;
  for (let part = 1; part <= parts && left > 0; part++) {
    const amountCents = part === parts ? left : Math.round(left * (0.35 + 0.3 * random.next()));
    left -= amountCents;
    const wished = addDays(due, random.whole(-4, 12) + 14 * (part - parts));
    payments.push({
      source,
      checknum: checkNumber(random, source, cheques),
      paymentdate: payday(wished, invoice.fecharecepcion, today),
      amountCents,
    });
  }
  return payments;
}

function sourceWeight(index: number, { totalCents, job }: DemoInvoice): number {
  const isPublic = demoJobs[job]![2] === 2;
  const isHousing = demoJobs[job]![2] === 1;
  return [40, isPublic ? 120 : 2, 15, isHousing ? 45 : 1, totalCents < 800_000 ? 25 : 0][index]!;
}

function checkNumber(random: Random, source: number, cheques: number[]): string {
  if (source === 4) return '';
  if (random.chance(0.7)) return `SPEI ${random.whole(1_000_000, 9_999_999)}`;
  cheques[source]! += 1;
  return String(cheques[source]);
}

/** The Friday of that week, or the latest one there has been; not before the invoice came. */
function payday(wished: PlainDate, received: PlainDate, today: PlainDate): PlainDate {
  const friday = addDays(mondayOf(wished), 4);
  const paid = friday > today ? addDays(mondayOf(today), -3) : friday;
  return paid < received ? received : paid;
}
