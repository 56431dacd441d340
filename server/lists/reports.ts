import { BASIS_LABELS } from '../../shared/costs.ts';
import { requireOrderedPeriod, resolvePeriod } from '../../shared/periods.ts';
import { pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/sheet.ts';
import {
  CROSS_CHECK_GROUP_LABELS,
  FISCAL_SUBJECTS,
  fiscalPaths,
  JOURNAL_KIND_LABELS,
} from '../services/fiscal/labels.ts';
import { AS_OF_FILTER, clientFilter, jobFilter, rubroFilter, supplierFilter } from './catalog-filters.ts';
import { choiceFilter, createPeriodFlags, type Filter, type FilterValues } from './filter.ts';
import type { List, ReadContext } from './list.ts';
import { list69bList } from './list-69b.ts';
import { paymentReceiptsDueList } from './receipts-due.ts';

const balanceFilters = [
  {
    kind: 'number',
    name: 'weeknum',
    label: 'Primera semana',
    apiLabel: 'weeknum',
    description: 'Primera semana ISO; por omisión la del corte',
    words: false,
    flag: ['--week <semana>', 'primera semana (ISO); si falta, la del corte'],
  },
  {
    kind: 'number',
    name: 'yr',
    label: 'Año',
    apiLabel: 'yr',
    description: 'Su año ISO',
    words: false,
    flag: ['--year <año>', 'año de la primera semana'],
  },
  { ...AS_OF_FILTER, description: 'Saldos al terminar ese día; por omisión hoy', words: false },
  { ...supplierFilter, always: true },
  { ...jobFilter, always: true },
] as const satisfies readonly Filter[];

export type BalancesQuery = FilterValues<typeof balanceFilters>;

export const balanceList: List<typeof balanceFilters> = {
  title: 'Saldos por proveedor',
  noun: ['factura', 'facturas'],
  page: pages.balances,
  area: 'work',
  help: 'saldos',
  filters: balanceFilters,
  alwaysVisible: ['corte', 'supplierId', 'jobId'],
  leadingFilters: { page: ['corte'] },
  menu: { label: 'Saldo por proveedor', icon: 'balance', place: 2 },
  sorts: {},
  command: {
    name: 'balances',
    description: 'los saldos por proveedor y semana, como `saldo report balances`',
  },
  readExport: async (query, context) => (await readBalanceExport(query, context)).list,
};

export async function readBalanceExport(
  query: BalancesQuery,
  { db, today, timeZone, appliedFilters }: Omit<ReadContext, 'now'>,
) {
  const { readBalances } = await import('../services/balances/balances.ts');
  const { balancesExport, balancesLongExport } = await import('../services/exports/balances.ts');
  const report = await readBalances(db, query, { today, timeZone });
  return {
    report,
    list: balancesExport(report, appliedFilters) as ListExport<unknown>,
    long: () => balancesLongExport(report, appliedFilters) as ListExport<unknown>,
  };
}

const resultFilters = [
  {
    kind: 'period',
    name: 'desde',
    to: 'hasta',
    label: 'Periodo',
    ends: ['Desde', 'Hasta'],
    flags: createPeriodFlags(),
  },
  { ...jobFilter, always: true },
  { ...clientFilter, flag: ['--client <cliente>', 'id o nombre exacto'] },
  { ...rubroFilter, always: true },
  choiceFilter('base', 'Base', BASIS_LABELS, {
    defaultChoice: 'facturado',
    flag: ['--basis <base>', 'por fecha de emisión o de pago'],
  }),
  choiceFilter('iva', 'IVA', { sin: 'Sin IVA', con: 'Con IVA' }, { defaultChoice: 'sin', words: false }),
  choiceFilter(
    'caja',
    'Caja chica',
    { con: 'Con caja chica', sin: 'Sin caja chica' },
    {
      defaultChoice: 'con',
      flag: ['--petty-cash <caja>', 'con o sin los gastos de caja chica'],
    },
  ),
] as const satisfies readonly Filter[];

export type ResultsQuery = FilterValues<typeof resultFilters>;

export const resultList: List<typeof resultFilters> = {
  title: 'Resultados',
  noun: ['obra', 'obras'],
  page: pages.results,
  area: 'work',
  help: 'resultados',
  filters: resultFilters,
  alwaysVisible: ['desde', 'jobId'],
  menu: { label: 'Resultados', icon: 'results', place: 1 },
  sorts: {},
  command: { name: 'results', description: 'el costo por obra y rubro; si no se dice, del año hasta hoy' },
  completeFilter(query, today) {
    const { from, to } = resolvePeriod(query, today);
    requireOrderedPeriod({ from, to });
    return { ...query, desde: from, hasta: to };
  },
  async readExport({ desde, hasta, iva: _iva, ...query }, { db, today, timeZone }) {
    const { resultsExport } = await import('../services/exports/results.ts');
    const { from, to } = resolvePeriod({ desde, hasta }, today);
    return resultsExport(db, { ...query, from, to }, timeZone);
  },
};

const budgetFilters = [{ ...jobFilter, always: true }] as const satisfies readonly Filter[];

export const budgetList: List<typeof budgetFilters> = {
  title: 'Presupuesto',
  noun: ['partida', 'partidas'],
  page: pages.budgets,
  area: 'work',
  help: 'presupuesto',
  filters: budgetFilters,
  menu: { label: 'Presupuesto', icon: 'budget', place: 3 },
  sorts: {},
  command: {
    name: 'budgets',
    description: 'los presupuestos por obra y rubro, con lo gastado y lo que queda',
  },
  async readExport({ jobId }, { db }) {
    const { budgetsExport } = await import('../services/exports/budgets.ts');
    return budgetsExport(db, jobId);
  },
};

const whatIfFilter = <const Name extends string>(name: Name, label: string, what: string, like: string) =>
  ({
    kind: 'texts',
    name,
    label,
    apiLabel: name,
    max: 60,
    only: 'link',
    words: false,
    description: `Prueba: ${what}; no se guarda. Puede repetirse`,
    flag: [`--${name} <${like}...>`, `prueba: ${what}`],
  }) as const;

const cashFlowFilters = [
  {
    kind: 'number',
    name: 'semanas',
    label: 'Semanas',
    apiLabel: 'semanas',
    description: 'Cuántas columnas de semana, máximo; por omisión las de Saldos por proveedor',
    flag: ['--semanas <número>', 'cuántas, máximo; si falta, las de los saldos'],
  },
  whatIfFilter(
    'mover',
    'Mover',
    'paga otro día lo que una factura debe fuera de las programaciones',
    'factura:día',
  ),
  whatIfFilter('sin', 'Sin', 'no le paga nada a un proveedor', 'proveedor'),
  whatIfFilter('saldo', 'Saldo', 'lo que tiene hoy un origen de recurso', 'origen:cantidad'),
] as const satisfies readonly Filter[];

export const cashFlowList: List<typeof cashFlowFilters> = {
  title: 'Flujo',
  noun: ['semana', 'semanas'],
  page: pages.cashFlow,
  area: 'cash',
  help: 'flujo',
  filters: cashFlowFilters,
  menu: { label: 'Flujo', icon: 'flow', place: 4 },
  sorts: {},
  command: {
    name: 'flujo',
    description: 'lo que sale del banco por semana y hasta dónde alcanza, como `saldo report flujo`',
  },
  async readExport(query, { db, today }) {
    const { cashFlowExport } = await import('../services/exports/cash-flow.ts');
    const { readCashFlow } = await import('../services/balances/cash-flow.ts');
    return cashFlowExport(await readCashFlow(db, query, today));
  },
};

const monthFilter = {
  kind: 'text',
  name: 'mes',
  label: 'Mes',
  max: 7,
  only: 'link',
  words: 'Mes',
  description: 'AAAA-MM; por omisión, el de hoy',
  flag: ['--mes <mes>', 'AAAA-MM; si falta, el de hoy'],
} as const satisfies Filter;

const crossCheckFilters = [
  monthFilter,
  choiceFilter('que', 'Qué', CROSS_CHECK_GROUP_LABELS, {
    only: 'link',
    flag: ['--que <grupo>', 'solo un grupo; si falta, todos los CFDI del mes'],
  }),
] as const satisfies readonly Filter[];

export const crossCheckList: List<typeof crossCheckFilters> = {
  title: FISCAL_SUBJECTS.cruce,
  noun: ['CFDI', 'CFDI'],
  page: fiscalPaths.cross,
  area: 'fiscal',
  help: 'fiscal',
  filters: crossCheckFilters,
  sorts: {},
  command: { name: 'cruce', description: 'los CFDI de un mes según el SAT, junto a lo que hay en Saldo' },
  async readExport(query, { db, today }) {
    const { crossCheckExport } = await import('../services/exports/fiscal-cross-check.ts');
    return crossCheckExport(db, query, today);
  },
};

const monthFilters = [monthFilter] as const satisfies readonly Filter[];

export const diotList: List<typeof monthFilters> = {
  title: FISCAL_SUBJECTS.diot,
  noun: ['renglón', 'renglones'],
  page: fiscalPaths.diot,
  area: 'fiscal',
  help: 'diot',
  filters: monthFilters,
  sorts: {},
  command: {
    name: 'diot',
    description: 'lo pagado en un mes por proveedor y tasa de IVA, y lo que no se reporta',
  },
  async readExport({ mes }, { db, today }) {
    const { diotExport } = await import('../services/exports/fiscal-diot.ts');
    return diotExport(db, mes, today);
  },
};

const JOURNAL_KINDS_TEXT = Object.entries(JOURNAL_KIND_LABELS)
  .map(([kind, label]) => `${kind}: ${label}`)
  .join('; ');

const journalFilters = [
  monthFilter,
  {
    kind: 'text',
    name: 'q',
    label: 'Póliza, nombre, concepto o importe',
    max: 100,
    flag: ['--texto <texto>', 'parte de su clave, nombre, concepto o un importe'],
  },
  choiceFilter('tipo', 'Pólizas de', JOURNAL_KIND_LABELS, {
    description: JOURNAL_KINDS_TEXT,
    flag: ['--tipo <tipo>', JOURNAL_KINDS_TEXT],
  }),
  {
    kind: 'text',
    name: 'cuenta',
    label: 'Cuenta',
    max: 300,
    description: 'Como está en Configuración; solo sus renglones',
    flag: [
      '--cuenta <cuenta>',
      'solo los renglones de esa cuenta, como está en Configuración; en hledger, sus pólizas enteras',
    ],
  },
  { kind: 'text', name: 'que', label: 'Ver', max: 10, only: 'link', words: false },
] as const satisfies readonly Filter[];

export const journalList: List<typeof journalFilters> = {
  title: FISCAL_SUBJECTS.polizas,
  noun: ['renglón', 'renglones'],
  page: fiscalPaths.journal,
  area: 'fiscal',
  help: 'polizas',
  filters: journalFilters,
  alwaysVisible: ['q'],
  sorts: {},
  command: {
    name: 'journal',
    description: 'las pólizas de un mes para el contador, también para hledger',
    otherFormats: ['hledger'],
  },
  async readExport(query, context) {
    const { journalExport } = await import('../services/exports/journal.ts');
    return journalExport(context.db, query, context);
  },
};

export const withholdingList: List<typeof monthFilters> = {
  title: FISCAL_SUBJECTS.retenciones,
  noun: ['retención', 'retenciones'],
  page: fiscalPaths.withheld,
  area: 'fiscal',
  help: 'retenciones',
  filters: monthFilters,
  sorts: {},
  command: {
    name: 'retenciones',
    description: 'lo retenido en lo pagado en un mes, por proveedor, junto a lo que corresponde',
  },
  async readExport({ mes }, { db, today }) {
    const { withholdingsExport } = await import('../services/exports/fiscal-withholdings.ts');
    return withholdingsExport(db, mes, today);
  },
};

export const reports: readonly List[] = [
  balanceList,
  resultList,
  budgetList,
  cashFlowList,
  crossCheckList,
  paymentReceiptsDueList,
  diotList,
  journalList,
  withholdingList,
  list69bList,
];
