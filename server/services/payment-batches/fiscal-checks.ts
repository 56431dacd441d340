import { formatLongDate } from '../../../shared/dates.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import { describeSealProblem } from '../../formats/cfdi/warnings.ts';
import {
  describeWithholdingDifferences,
  describeWithholdingWithoutXml,
} from '../../formats/cfdi/withholdings.ts';
import { SITUATION_LABELS, type Situation } from '../../formats/sat/list-69b.ts';
import { Replacements } from '../document-relations.ts';
import { fiscalPaths } from '../fiscal/labels.ts';
import { readSituations } from '../fiscal/list-69b.ts';
import { readInvoiceCfdiFacts } from '../fiscal/payments-with-cfdi.ts';
import { readSatStates } from '../fiscal/sat-status.ts';
import { checkInvoiceSeals } from '../invoices/seal-matches.ts';
import {
  type Check,
  type CheckInput,
  type LineWithFacts,
  levelFromSetting,
  type ProblemFinder,
} from './check-types.ts';

const SAT_METADATA_LABEL = 'Metadatos del SAT';
const LIST_69B_LABEL = 'Lista 69-B del SAT';

export const FISCAL_CHECKS = {
  cancelado: {
    level: levelFromSetting('semaforo.cancelado'),
    sourceLabel: SAT_METADATA_LABEL,
    prepareFinder: prepareCancelledDocumentCheck,
  },
  sin_verificar: {
    level: levelFromSetting('semaforo.sin_verificar'),
    sourceLabel: SAT_METADATA_LABEL,
    prepareFinder: prepareUnverifiedDocumentCheck,
  },
  lista69b: {
    level: levelFromSetting('semaforo.lista69b'),
    sourceLabel: LIST_69B_LABEL,
    prepareFinder: (checked) => prepareList69bCheck(checked, 'definitivo'),
  },
  /** Never blocks, because the supplier may still prove to the SAT that its operations are real. */
  lista69b_presunto: {
    level: (settings) => (settings['semaforo.lista69b'] === 'ignorar' ? 'ignorar' : 'avisar'),
    sourceLabel: LIST_69B_LABEL,
    prepareFinder: (checked) => prepareList69bCheck(checked, 'presunto'),
  },

  /** Where the XML is missing, the supplier's regime tells whether something should be withheld. */
  retencion: {
    level: levelFromSetting('semaforo.retencion'),
    sourceLabel: 'XML de la factura',
    async prepareFinder({ db, lines, settings }) {
      const facts = await readInvoiceCfdiFacts(db, invoiceIdsWithXml(lines));
      const ownRfc = normalizeRfc(settings.rfc);
      return ({ invoiceId, invoice: { rfc, regimenFiscal } }) => {
        const cfdi = facts.get(invoiceId);
        const problems = cfdi
          ? describeWithholdingDifferences(cfdi, ownRfc)
          : describeWithholdingWithoutXml(rfc ?? '', regimenFiscal ?? '', ownRfc);
        return (
          problems.length > 0 && {
            reason: problems.join(' '),
            date: cfdi?.fecha ?? null,
            remedy: pages.editInvoice(invoiceId),
          }
        );
      };
    },
  },

  /** A document without a seal passes. */
  sello: {
    level: levelFromSetting('semaforo.sello'),
    sourceLabel: 'XML de la factura',
    async prepareFinder({ db, lines }) {
      const seals = await checkInvoiceSeals(db, invoiceIdsWithXml(lines));
      return ({ invoiceId, invoice: { fechaemision } }) => {
        const problem = describeSealProblem(seals.get(invoiceId));
        return (
          problem !== undefined && {
            reason: `${problem}: pide al proveedor otra vez el XML.`,
            date: fechaemision,
            remedy: pages.editInvoice(invoiceId),
          }
        );
      };
    },
  },
} as const satisfies Readonly<Record<string, Check>>;

async function prepareCancelledDocumentCheck(input: CheckInput): Promise<ProblemFinder> {
  const { db, lines } = input;
  const states = await readSatStatesOfLines(input);
  const cancelled = uuidsOf(lines).filter((uuid) => states.get(uuid)?.estatus === 'cancelado');
  const replacements = await Replacements.read(db, cancelled);
  return ({ invoiceId, invoice: { uuid, rfc } }) => {
    const state = uuid === null ? undefined : states.get(uuid);
    if (state?.estatus !== 'cancelado') return undefined;
    const since = state.fechaCancelacion ? ` desde el ${formatLongDate(state.fechaCancelacion)}` : '';
    const successors = replacements.findSuccessors({ uuid, rfc }).map((one) => one.uuid);
    return {
      reason: `El SAT tiene su CFDI por cancelado${since}.${successors.length > 0 ? ` Lo sustituye ${successors.join(', ')}.` : ''}`,
      date: state.visto,
      remedy: pages.editInvoice(invoiceId),
    };
  };
}

async function prepareUnverifiedDocumentCheck(input: CheckInput): Promise<ProblemFinder> {
  const states = await readSatStatesOfLines(input);
  return ({ invoiceId, invoice: { uuid, fechaemision } }) =>
    (uuid === null || !states.has(uuid)) && {
      reason:
        uuid === null
          ? 'No tiene UUID: no se sabe si el SAT la tiene.'
          : 'Ningún archivo del SAT trae su CFDI.',
      date: null,
      remedy: fechaemision
        ? withQuery(fiscalPaths.cross, { mes: fechaemision.slice(0, 7) })
        : pages.editInvoice(invoiceId),
    };
}

const uuidsOf = (lines: readonly LineWithFacts[]): string[] =>
  lines.flatMap(({ invoice }) => invoice.uuid ?? []);

async function prepareList69bCheck(input: CheckInput, situacion: Situation): Promise<ProblemFinder> {
  const listed = await readSituationsOfLines(input);
  return ({ invoice: { rfc, supplierId } }) => {
    const found = listed.get(rfc ?? '');
    if (found?.situacion !== situacion) return undefined;
    const since = found[situacion as 'definitivo' | 'presunto'];
    return {
      reason: `El proveedor está como ${SITUATION_LABELS[situacion]} en la lista 69-B${since ? ` desde el ${formatLongDate(since)}` : ''}, con corte del ${formatLongDate(found.corte)}: pídele que acredite sus operaciones, o no le pagues.`,
      date: found.corte,
      remedy: `${pages.editSupplier}/${supplierId}`,
    };
  };
}

function memoizeRead<Value>(read: (input: CheckInput) => Promise<Value>) {
  const reads = new WeakMap<CheckInput, Promise<Value>>();
  return (input: CheckInput): Promise<Value> => {
    const value = reads.get(input) ?? read(input);
    reads.set(input, value);
    return value;
  };
}

const readSituationsOfLines = memoizeRead(({ db, lines }) =>
  readSituations(db, [...new Set(lines.flatMap(({ invoice: { rfc } }) => rfc ?? []))]),
);
const readSatStatesOfLines = memoizeRead(({ db, lines }) => readSatStates(db, uuidsOf(lines)));

const invoiceIdsWithXml = (lines: readonly LineWithFacts[]): number[] =>
  lines.flatMap(({ invoiceId, invoice }) => (invoice.hasXml ? invoiceId : []));
