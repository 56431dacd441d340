import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import {
  checkMovement,
  MOVEMENT_KINDS,
  type Movement,
  type MovementKind,
  type ReceiptKind,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { withRemedy } from '../../../shared/remarks.ts';
import { cleanText, fold } from '../../../shared/text.ts';
import type { ParsedRow, RowValues } from '../../formats/tables/table.ts';
import type { ListEntry, NamedEntries } from '../catalogs/known.ts';
import { amountsOf } from '../petty-cash/amounts.ts';
import { EVERYBODYS } from '../petty-cash/movements.ts';
import { centsOf, dateOf, Refused, textOf } from './judging.ts';
import type { Box, Boxes } from './known-boxes.ts';
import type { References } from './references.ts';

/** A movement as its row says it; what it names may be new itself. */
export interface NewMovement
  extends Pick<
    Movement,
    | 'tipo'
    | 'fecha'
    | 'beneficiario'
    | 'concepto'
    | 'comprobante'
    | 'folio'
    | 'subtotalCents'
    | 'ivaCents'
    | 'importeCents'
    | 'comprobarAntes'
    | 'comments'
  > {
  box: Box;
  uuid: string;
  job: ListEntry | undefined;
  rubro: ListEntry | undefined;
  source: ListEntry | undefined;
  /** what the file calls the replenishment that it is of; '' where it is of none */
  reposicion: string;
  /** what tells it apart from others of the file that say the same */
  clave: string;
  line: number;
  named: NamedEntries;
}

export interface DraftRules {
  boxes: Boxes;
  references: References;
  today: PlainDate;
  /** until when a receipt is awaited, in days */
  term: number;
  /** whether who imports may put money in, set it right, and let an expense pass without receipt */
  isApprover: boolean;
}

/** Money goes to, or comes from, the origin of the box. */
const OF_ORIGIN: readonly MovementKind[] = ['apertura', 'reposicion', 'devolucion'];

/** @throws Refused, DomainError (amounts that do not add up, what cannot be stored) */
export function draftMovement({ values, line }: ParsedRow, rules: DraftRules): NewMovement {
  const { boxes, references, today, isApprover } = rules;
  const box = boxes.named(textOf(values, 'caja'));
  const tipo = kindOf(textOf(values, 'tipo'));
  if (!EVERYBODYS.includes(tipo) && !isApprover)
    throw new Refused('tipo', withRemedy(texts.approverKind, 'act-as'));
  const text = (name: string, max: number) => cleanText(textOf(values, name), name, name, max);
  const reposicion = textOf(values, 'reposicion');
  if (reposicion && tipo !== 'gasto' && tipo !== 'reposicion')
    throw new Refused('reposicion', texts.onlyReplenished);
  const source = references.named(fundingSources, values, 'origenderecursonombre');
  if (source && !OF_ORIGIN.includes(tipo)) throw new Refused('origenderecursonombre', texts.onlyOrigin);
  const isNone = fold(textOf(values, 'nombrerubro')) === fold(NO_RUBRO_NAME);
  const job = references.named(jobs, values, 'jobtitle');
  const rubro = isNone ? undefined : references.named(rubros, values, 'nombrerubro');
  const uuid = textOf(values, 'uuid').toUpperCase();
  const fecha = dateOf(values, 'fecha');
  const draft = {
    tipo,
    fecha: fecha!,
    beneficiario: text('beneficiario', 200),
    concepto: text('concepto', 300),
    ...amountsOf({
      subtotalCents: centsOf(values, 'subtotal') ?? undefined,
      ivaCents: centsOf(values, 'iva') ?? undefined,
      importeCents: centsOf(values, 'importe') ?? undefined,
    }),
    folio: text('folio', 60),
    uuid,
    ...receiptOf(values, { tipo, fecha, uuid, reposicion, ...rules }),
    comments: text('comments', 4000),
  };
  const ids = { jobId: job?.id ?? null, rubroId: rubro?.id ?? null };
  const problem = checkMovement({ ...draft, ...ids }, { openedOn: box.openedOn, today });
  if (problem) {
    const [[field, reason] = ['concepto', problem.message]] = Object.entries(problem.fields);
    throw new Refused(COLUMNS[field] ?? field, reason);
  }
  const named: NamedEntries = [
    ['jobs', job],
    ['rubros', rubro],
    ['funding-sources', source],
  ];
  return { ...draft, box, job, rubro, source, reposicion, clave: textOf(values, 'clave'), line, named };
}

const COLUMNS: Readonly<Record<string, string>> = { jobId: 'jobtitle', rubroId: 'nombrerubro' };

function kindOf(said: string): MovementKind {
  const found = said === '' ? 'gasto' : MOVEMENT_KINDS.find((kind) => kind === fold(said));
  if (!found) throw new Refused('tipo', texts.noKind(said));
  return found;
}

/** An expense that the firm has let pass without a receipt. */
export const WITHOUT_RECEIPT = 'Sin comprobante';

const RECEIPTS: Readonly<Record<string, ReceiptKind>> = {
  cfdi: 'cfdi',
  nota: 'nota',
  ninguno: 'ninguno',
  [fold(WITHOUT_RECEIPT)]: 'ninguno',
};

interface Asked extends DraftRules {
  tipo: MovementKind;
  fecha: PlainDate | null;
  uuid: string;
  reposicion: string;
}

function receiptOf(
  values: RowValues,
  { tipo, fecha, uuid, reposicion, term, isApprover }: Asked,
): Pick<Movement, 'comprobante' | 'comprobarAntes'> {
  const said = textOf(values, 'comprobante');
  const comprobante = RECEIPTS[fold(said)] ?? (said === '' ? (uuid ? 'cfdi' : 'ninguno') : undefined);
  if (!comprobante) throw new Refused('comprobante', texts.noReceiptKind(said));
  const comprobarAntes = dateOf(values, 'comprobarAntes');
  if (tipo !== 'gasto' || comprobante !== 'ninguno') return { comprobante, comprobarAntes };
  if (fold(said) === fold(WITHOUT_RECEIPT) && !comprobarAntes) {
    if (!isApprover) throw new Refused('comprobante', withRemedy(texts.approverAccepts, 'act-as'));
    return { comprobante, comprobarAntes: null };
  }
  if (reposicion) throw new Refused('reposicion', texts.notProved);
  return { comprobante, comprobarAntes: comprobarAntes ?? (fecha && addDays(fecha, term)) };
}
