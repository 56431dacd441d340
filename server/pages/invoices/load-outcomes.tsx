import { formatMoney } from '../../../shared/money.ts';
import {
  groupByKind,
  kindOf,
  MOST_ALONE,
  plainText,
  type Remark,
  sayOfAll,
} from '../../../shared/remarks.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { Load, StoredOutcome } from '../../services/cfdi/loads.ts';
import type { CfdiOutcome } from '../../services/cfdi/outcomes.ts';
import { LongTable } from '../ui/long-table.tsx';

export const KINDS = { I: 'Factura', E: 'Nota de crédito', P: 'Recibo de pago' } as const;

interface LoadOutcomesProps {
  load: Load;
  /** documents still to be decided about stand below */
  isLeft: boolean;
  /** the first of the stored ones that the table shows */
  from: number;
}

/** The documents of a load that are stored, and the files that could not be read. */
export function LoadOutcomes({ load, isLeft, from }: LoadOutcomesProps) {
  const settled = load.outcomes.filter(({ outcome }) => outcome !== 'refused' && outcome !== 'left');
  const end = from + SETTLED_ON_PAGE;
  const folded = foldWarnings(
    settled.map(({ numero, name, warnings = [] }) => [numero || name, warnings] as const),
  );
  return (
    <>
      {load.problems.length > 0 && (
        <Alert tone="warning" dismissible={false}>
          {load.problems.length === 1 ? 'Un archivo no se leyó:' : 'Estos archivos no se leyeron:'}
          <ul>
            {load.problems.slice(0, MOST_PROBLEMS).map(({ name, problem }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: in the order in which they came, written once
              <li key={index}>
                {name}: {problem}
              </li>
            ))}
            {load.problems.length > MOST_PROBLEMS && (
              <li>
                {load.problems.length - MOST_PROBLEMS} más; todos están en «
                <a href={pages.loadRejects(load.id)} download>
                  lo que no se guarda
                </a>
                ».
              </li>
            )}
          </ul>
        </Alert>
      )}
      {settled.length > 0 && (
        <section aria-labelledby="settled">
          <div className="section-head">
            <h2 id="settled">{sayCount(settled.length, 'documento guardado', 'documentos guardados')}</h2>
            {!isLeft && (
              <span className="actions">
                <LinkButton href={pages.loadInvoice} icon="load">
                  Cargar más XML
                </LinkButton>
                <LinkButton href={pages.invoices} look="primary">
                  Ver facturas
                </LinkButton>
              </span>
            )}
          </div>
          <FoldedAlerts {...folded} />
          <LongTable
            id={SETTLED_FROM}
            shown={end}
            total={settled.length}
            noun="documentos"
            href={withQuery(pages.load(load.id), { [SETTLED_FROM]: end })}
          >
            <DataTable
              caption="Lo que se guardó de cada documento"
              columns={columnsOf(folded)}
              rows={settled.slice(from, end)}
              rowKey={({ name }) => name}
            />
          </LongTable>
        </section>
      )}
    </>
  );
}

/** Of the stored documents, and of the files that were no document, a page shows so many: it stays within 200 KB. */
const SETTLED_ON_PAGE = 20;
const MOST_PROBLEMS = 20;
/** Parameter: the first of the stored documents that are shown. */
export const SETTLED_FROM = 'guardados';

const columnsOf = (folded: FoldedWarnings): readonly Column<StoredOutcome>[] => [
  {
    key: 'document',
    label: 'Documento',
    card: 'title',
    render: ({ numero, name, invoiceIds: [id] }) =>
      id === undefined ? numero || name : <a href={pages.editInvoice(id)}>{numero || name}</a>,
  },
  { key: 'kind', label: 'Tipo', render: ({ kind }) => kind && KINDS[kind] },
  { key: 'emisor', label: 'Proveedor', card: 'line', clip: true, render: ({ emisor }) => emisor ?? '' },
  {
    key: 'total',
    label: 'Total',
    align: 'end',
    render: ({ totalCents }) => totalCents !== undefined && formatMoney(totalCents),
  },
  {
    key: 'outcome',
    label: 'Resultado',
    className: 'wraps',
    card: 'line',
    render: (stored) => (
      <div>
        <OutcomeChip {...stored} isStored />
        <Warnings warnings={stored.warnings ?? []} {...folded} />
      </div>
    ),
  },
];

/** Remarks that many documents share stand once, above them. */
interface FoldedWarnings {
  sentences: readonly string[];
  isFolded: (warning: Remark) => boolean;
}

/** @param told each document's name and its remarks */
export function foldWarnings(told: readonly (readonly [string, readonly Remark[]])[]): FoldedWarnings {
  const said = told.flatMap(([name, warnings]) => warnings.map((one) => [name, one] as const));
  const kinds = [...groupByKind(said)].filter(([, { names }]) => names.length > MOST_ALONE);
  const folded = new Set(kinds.map(([kind]) => kind));
  return {
    sentences: kinds.map(([, kind]) => sayOfAll(kind, 'documentos')),
    isFolded: (warning) => folded.has(kindOf(warning)),
  };
}

export const FoldedAlerts = ({ sentences }: Pick<FoldedWarnings, 'sentences'>) =>
  sentences.map((sentence) => (
    <Alert key={sentence} tone="warning" dismissible={false}>
      {sentence}
    </Alert>
  ));

/** The remarks of one document; those that many share are opened on demand. */
export function Warnings({
  warnings,
  isFolded,
}: Pick<FoldedWarnings, 'isFolded'> & { warnings: readonly Remark[] }) {
  const lines = (which: readonly Remark[]) => {
    const texts = [...new Set(which.map(plainText))];
    const more = texts.length - MOST_SAID;
    const said = [...texts.slice(0, MOST_SAID).map(shorten), ...(more > 0 ? [`Y ${more} avisos más.`] : [])];
    return said.map((text) => (
      <div key={text} className="hint">
        {text}
      </div>
    ));
  };
  const folded = warnings.filter(isFolded);
  return (
    <>
      {lines(warnings.filter((one) => !isFolded(one)))}
      {folded.length > 0 && (
        <Disclosure summary={sayCount(folded.length, 'aviso de los de arriba', 'avisos de los de arriba')}>
          {lines(folded)}
        </Disclosure>
      )}
    </>
  );
}

/** Of one document a row says no more; its own page says all of it. */
const MOST_SAID = 4;
const LONGEST_SAID = 400;

export const shorten = (text: string): string =>
  text.length > LONGEST_SAID ? `${text.slice(0, LONGEST_SAID)}…` : text;

export function OutcomeChip({
  outcome,
  linked,
  kind,
  isStored = false,
}: Pick<StoredOutcome, 'outcome' | 'linked' | 'kind'> & { isStored?: boolean }) {
  if (outcome === 'refused') return <Chip tone="danger">No se guarda</Chip>;
  if (outcome === 'unchanged') return <Chip>Ya está</Chip>;
  if (linked && kind === 'I') return <Chip tone="accent">{isStored ? 'Ligada' : 'Se liga'}</Chip>;
  return <Chip tone="done">{isStored ? 'Guardado' : 'Nuevo'}</Chip>;
}

/** "Se guardaron 38 documentos; 1 ya estaba; 1 no se guardó." */
export function sayStored(outcomes: readonly StoredOutcome[]): string {
  const count = (...of: StoredOutcome['outcome'][]) =>
    outcomes.filter(({ outcome }) => of.includes(outcome)).length;
  const [stored, known, refused] = [count('created', 'warned'), count('unchanged'), count('refused')];
  const parts = [
    stored === 1 ? 'Se guardó 1 documento' : `Se guardaron ${stored} documentos`,
    known > 0 && `${known} ya ${known === 1 ? 'estaba' : 'estaban'}`,
    refused > 0 && `${refused} no se ${refused === 1 ? 'guardó' : 'guardaron'}`,
  ];
  return `${parts.filter(Boolean).join('; ')}.`;
}

export const sayCount = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

export function reasonOf(load: Load, name: string, { reason }: Pick<CfdiOutcome, 'reason'>): string {
  if (reason) return plainText(reason);
  return load.outcomes.find((one) => one.name === name)?.reason ?? 'No se ha guardado.';
}
