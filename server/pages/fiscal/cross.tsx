import { Hono } from 'hono';
import { z } from 'zod';
import { formatCount } from '../../../shared/counts.ts';
import { addDays, formatDate, monthName, plainDateIn } from '../../../shared/dates.ts';
import { type Period, parseMonth } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { CFDI_KINDS } from '../../formats/sat/kinds.ts';
import { MAX_METADATA_MB } from '../../formats/sat/metadata.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readSentForm } from '../../http/uploads.ts';
import {
  type Cross,
  type CrossGroup,
  type CrossRow,
  linkDocument,
  monthIn,
  readCancelled,
  readCross,
} from '../../services/fiscal/cross.ts';
import { CROSS_LABELS, type CrossGroupName, fiscalPaths } from '../../services/fiscal/labels.ts';
import { loadMetadata } from '../../services/fiscal/loading.ts';
import { missingMetadataError, fiscalTexts as texts } from '../../services/fiscal/texts.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { choiceField, monthField, parseId, wholeField } from '../../shapes/fields.ts';
import { answerForm, handleForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { FileField } from '../ui/file-field.tsx';
import { parseListQuery } from '../ui/lists.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { type FormState, parseVersion } from '../ui/record-form.tsx';

const MAX_ROWS = 100;
/** On the page of all groups. */
const FIRST_ROWS = 10;

const shape = z.strictObject({
  mes: monthField('mes'),
  que: choiceField('que', keysOf(CROSS_LABELS)),
  desde: wholeField('desde', 0, 1_000_000),
});

export const fiscalPages = new Hono<AppEnv>({ strict: false })
  .get(pages.fiscal, (c) => showMonth(c))
  .get(fiscalPaths.cross, (c) => showCross(c, { values: {} }))
  .get(fiscalPaths.cancelled, (c) => showCancelled(c))
  .post(fiscalPaths.metadata, (c) => {
    let values: FormState['values'] = {};
    return answerForm(
      c,
      async () => {
        const { fields, files } = await readSentForm(c, MAX_METADATA_MB);
        values = fields;
        if (!files.file) throw missingMetadataError();
        const outcome = await loadMetadata(c.get('deps').db, actorOf(c), files.file, {
          signal: c.req.raw.signal,
        });
        const { warnings } = outcome;
        return redirectWithMessage(c, crossAddress(fields.mes), { text: texts.loaded(outcome), warnings });
      },
      (problem, status) => showCross(c, { values, problem, status }),
    );
  })
  .post(fiscalPaths.link, (c) =>
    handleForm(
      c,
      (_, refused) => showCross(c, refused),
      async ({ db, actor, form: { uuid, factura, version, mes } }) => {
        const facturaproveedorId = parseId(factura, 'Factura');
        const sent = { uuid, facturaproveedorId, version: parseVersion(version) };
        await linkDocument(db, actor, sent);
        const about = { href: pages.editInvoice(facturaproveedorId), link: 'Ver la factura' };
        return redirectWithMessage(c, crossAddress(mes), { text: texts.linked, about });
      },
    ),
  );

const crossAddress = (mes: string | undefined, que?: CrossGroupName, desde?: number) =>
  withQuery(fiscalPaths.cross, { mes, que, desde });

const nameOf = ({ from }: Period) => `${monthName(from)} de ${from.slice(0, 4)}`;
const monthParameter = ({ from }: Period) => from.slice(0, 7);

const MonthLinks = ({ month, page }: { month: Period; page: string }) => (
  <p className="actions">
    {[addDays(month.from, -1), addDays(month.to, 1)].map((day, index) => (
      <a key={day} href={withQuery(page, { mes: day.slice(0, 7) })}>
        {index === 0 ? `‹ ${monthName(day)}` : `${monthName(day)} ›`}
      </a>
    ))}
  </p>
);

/** @returns nothing while the firm's own RFC is not known */
async function readMonth(c: AppContext, month: Period): Promise<Cross | undefined> {
  const { db } = c.get('deps');
  const settings = await readSettings(db);
  return settings.rfc ? readCross(db, month, settings) : undefined;
}

async function showMonth(c: AppContext) {
  const { mes } = parseListQuery(c, shape.pick({ mes: true }));
  const month = monthIn(mes, c.get('today'));
  const cross = await readMonth(c, month);
  return renderPage(
    c,
    { title: 'Fiscal', subject: nameOf(month) },
    <div className="stack">
      <MonthLinks month={month} page={pages.fiscal} />
      <section aria-labelledby="cruce">
        <h2 id="cruce">
          <a href={crossAddress(monthParameter(month))}>{CROSS_TITLE}</a>
        </h2>
        {cross ? <CrossCard cross={cross} /> : <RfcMissing />}
      </section>
    </div>,
  );
}

const CROSS_TITLE = 'Cruce con el SAT';

const CrossCard = ({ cross }: { cross: Cross }) => {
  const state = stateOf(cross);
  return (
    <>
      <p>
        <Chip tone={STATES[state].tone}>{STATES[state].label}</Chip> {formatCount(cross.sat.cuenta)} CFDI por{' '}
        <Money cents={cross.sat.totalCents} href={crossAddress(monthParameter(cross.month))} />
      </p>
      <ul>
        {PENDING.filter((name) => cross[name].cuenta > 0).map((name) => (
          <li key={name}>
            <a href={crossAddress(monthParameter(cross.month), name)}>
              {CROSS_LABELS[name]}: {formatCount(cross[name].cuenta)}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
};

/** The groups in which somebody has to do something, the most urgent first. */
const PENDING = ['cancelados', 'difieren', 'sinUuid', 'faltan'] as const satisfies readonly CrossGroupName[];

const STATES = {
  abierto: { label: 'Abierto', tone: 'neutral' },
  pendientes: { label: 'Con pendientes', tone: 'warn' },
  cuadrado: { label: 'Cuadrado', tone: 'done' },
} as const;

/** A document that was cancelled and never captured is no loss: it counts as nothing to do. */
const isPending = ({ own, estatus }: CrossRow): boolean => own !== null || estatus === 'vigente';

function stateOf(cross: Cross): keyof typeof STATES {
  if (cross.cortes.length === 0 || cross.cortes.some(({ isFinished }) => !isFinished)) return 'abierto';
  return PENDING.some((name) => cross[name].rows.some(isPending)) ? 'pendientes' : 'cuadrado';
}

const RfcMissing = () => (
  <Alert tone="warning" dismissible={false}>
    {texts.rfcMissing} <a href={pages.settings}>Ir a Configuración</a>
  </Alert>
);

async function showCross(c: AppContext, { values, problem, status }: FormState) {
  const isPosted = c.req.method === 'POST';
  const { mes: asked, que, desde = 0 } = isPosted ? ({} as z.output<typeof shape>) : parseListQuery(c, shape);
  const month = (isPosted && parseMonth(values.mes)) || monthIn(asked, c.get('today'));
  const mes = monthParameter(month);
  const cross = await readMonth(c, month);
  return renderPage(
    c,
    {
      title: CROSS_TITLE,
      subject: nameOf(month),
      status,
      actions: <ExportLinks list={fiscalPaths.cross} first="xlsx" query={{ mes, que }} />,
    },
    <div className="stack">
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <MonthLinks month={month} page={fiscalPaths.cross} />
      {cross ? <CrossGroups cross={cross} que={que} desde={desde} /> : <RfcMissing />}
      <LoadForm c={c} mes={mes} error={problem?.fields?.file} cross={cross} />
    </div>,
  );
}

interface GroupsProps {
  cross: Cross;
  que: CrossGroupName | undefined;
  desde: number;
}

function CrossGroups({ cross, que, desde }: GroupsProps) {
  const mes = monthParameter(cross.month);
  const item = (name: CrossGroupName, op?: '+') => ({
    label: `${CROSS_LABELS[name]} (${formatCount(cross[name].cuenta)})`,
    cents: cross[name].totalCents,
    href: crossAddress(mes, name),
    ...(op && { op }),
  });
  const { sat } = cross;
  if (sat.cuenta === 0)
    return (
      <EmptyState title={`Ningún CFDI de ${nameOf(cross.month)}`}>
        Carga los metadatos de los CFDI recibidos que da el SAT, en TXT o zip.
      </EmptyState>
    );
  const shown = que ? [que] : PENDING.filter((name) => cross[name].cuenta > 0);
  return (
    <>
      <Totals
        label="Lo que tiene el SAT"
        items={[
          item('iguales'),
          item('difieren', '+'),
          item('faltan', '+'),
          item('ajenos', '+'),
          { label: `SAT (${formatCount(sat.cuenta)})`, cents: sat.totalCents, op: '=' },
        ]}
      />
      {shown.length === 0 && <p>Todo lo del SAT está en Saldo, y nada de lo que está se canceló.</p>}
      {shown.map((name) => (
        <Group key={name} cross={cross} name={name} from={que ? desde : 0} isAlone={que !== undefined} />
      ))}
      {que && <LinkButton href={crossAddress(mes)}>Ver lo pendiente del mes</LinkButton>}
    </>
  );
}

interface GroupProps {
  cross: Cross;
  name: CrossGroupName;
  from: number;
  isAlone: boolean;
}

const EXPLANATIONS: Readonly<Record<CrossGroupName, string>> = {
  iguales: 'Con el mismo UUID, RFC y monto en Saldo.',
  difieren: 'Con el mismo UUID en Saldo, y otro RFC u otro monto.',
  faltan:
    'A nombre de la empresa, y no están en Saldo: carga su XML. Lo cancelado ya no se captura; lo que está sin UUID se cuenta aquí también.',
  ajenos: 'Para otro RFC, o nóminas y traslados, que en Saldo no se capturan.',
  cancelados: 'Están en Saldo, y el SAT los da por cancelados. Primero los que ya se pagaron.',
  sinUuid: 'Capturadas sin su CFDI: corresponden a uno por RFC, total y diez días.',
};

function Group({ cross, name, from, isAlone }: GroupProps) {
  const mes = monthParameter(cross.month);
  const { cuenta, totalCents } = cross[name];
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>
        {CROSS_LABELS[name]}: {formatCount(cuenta)} por <Money cents={totalCents} />
      </h2>
      <GroupRows
        group={cross[name]}
        name={name}
        from={from}
        most={isAlone ? MAX_ROWS : FIRST_ROWS}
        mes={mes}
        href={(shown) => crossAddress(mes, name, isAlone ? shown : undefined)}
      />
    </section>
  );
}

interface GroupRowsProps {
  group: CrossGroup;
  name: CrossGroupName;
  from: number;
  most: number;
  mes?: string;
  href: (shown: number) => string;
}

function GroupRows({ group: { rows, cuenta }, name, from, most, mes, href }: GroupRowsProps) {
  const part = rows.slice(from, from + most);
  const shown = from + part.length;
  return (
    <>
      <p className="note">{EXPLANATIONS[name]}</p>
      {name === 'cancelados' && <PaidApart rows={rows} />}
      <LongTable id={`grupo-${name}`} shown={shown} total={cuenta} noun={['CFDI', 'CFDI']} href={href(shown)}>
        <DataTable
          caption={CROSS_LABELS[name]}
          columns={columnsOf(name, mes)}
          rows={part}
          rowKey={({ uuid }) => uuid}
        />
      </LongTable>
    </>
  );
}

async function showCancelled(c: AppContext) {
  const { desde = 0 } = parseListQuery(c, shape.pick({ desde: true }));
  const group = await readCancelled(c.get('deps').db);
  return renderPage(
    c,
    { title: CROSS_LABELS.cancelados },
    group.cuenta === 0 ? (
      <EmptyState
        title="Ningún CFDI cancelado"
        action={<LinkButton href={fiscalPaths.cross}>Ir al cruce</LinkButton>}
      >
        De lo que está en Saldo, los metadatos que se han cargado no dan nada por cancelado.
      </EmptyState>
    ) : (
      <div className="stack">
        <GroupRows
          group={group}
          name="cancelados"
          from={desde}
          most={MAX_ROWS}
          href={(shown) => withQuery(fiscalPaths.cancelled, { desde: shown })}
        />
      </div>
    ),
  );
}

function PaidApart({ rows }: { rows: readonly CrossRow[] }) {
  const paid = rows.filter(({ pagadoCents }) => (pagadoCents ?? 0) > 0);
  if (paid.length === 0) return <p>De ninguno se ha pagado nada.</p>;
  return (
    <Alert tone="warning" head="Ya pagados" dismissible={false}>
      {paid.length === 1 ? 'De uno ya se pagaron' : `De ${formatCount(paid.length)} ya se pagaron`}{' '}
      <Money cents={paid.reduce((sum, { pagadoCents }) => sum + (pagadoCents ?? 0), 0)} />.
    </Alert>
  );
}

const columnsOf = (name: CrossGroupName, mes: string | undefined): Column<CrossRow>[] => [
  {
    key: 'nombre',
    label: 'Proveedor',
    card: 'title',
    className: 'wraps names',
    under: ({ rfc, sustituidoPor }) =>
      [rfc, sustituidoPor.length > 0 && `Lo sustituye ${sustituidoPor.join(', ')}`]
        .filter(Boolean)
        .join(' · '),
  },
  dateColumn('fecha', 'Fecha'),
  { key: 'efecto', label: 'Efecto', render: ({ efecto }) => CFDI_KINDS[efecto] },
  moneyColumn('montoSat', 'Monto SAT', ({ montoSatCents }) => montoSatCents),
  ...(name === 'faltan' || name === 'ajenos'
    ? []
    : [
        moneyColumn<CrossRow>('montoSaldo', 'En Saldo', ({ montoSaldoCents }) => montoSaldoCents ?? 0, {
          dash: true,
        }),
        {
          key: 'documento',
          label: 'Documento',
          card: 'line' as const,
          className: 'wraps names',
          render: (row: CrossRow) => <Own row={row} />,
        },
        moneyColumn<CrossRow>('pagado', 'Pagado', ({ pagadoCents }) => pagadoCents ?? 0, { dash: true }),
      ]),
  {
    key: 'estatus',
    label: 'Estatus',
    card: 'corner',
    render: ({ estatus, fechaCancelacion }) =>
      estatus === 'vigente' ? (
        <Chip tone="done">Vigente</Chip>
      ) : (
        <Chip tone="danger">
          {fechaCancelacion ? `Cancelado el ${formatDate(fechaCancelacion)}` : 'Cancelado'}
        </Chip>
      ),
  },
  ...(name === 'sinUuid'
    ? [
        {
          key: 'ligar',
          label: 'Acciones',
          card: 'actions' as const,
          render: ({ uuid, own }: CrossRow) =>
            own && (
              <form method="post" action={fiscalPaths.link} data-busy="">
                <input type="hidden" name="uuid" value={uuid} />
                <input type="hidden" name="factura" value={own.id} />
                <input type="hidden" name="version" value={own.version} />
                <input type="hidden" name="mes" value={mes} />
                <Button look="quiet" aria-label={`Ligar la factura ${own.name || `#${own.id}`} con su CFDI`}>
                  Ligar
                </Button>
              </form>
            ),
        },
      ]
    : []),
];

function Own({ row: { own } }: { row: CrossRow }) {
  if (!own) return '–';
  const name = own.name || `#${own.id}`;
  if (own.noun === 'invoices') return <a href={pages.editInvoice(own.id)}>Factura {name}</a>;
  if (own.noun === 'petty-cash') return <a href={pages.pettyCashMovement(own.id)}>Gasto: {name}</a>;
  if (own.noun === 'credit-notes') return <a href={pages.creditNotes}>Nota de crédito {name}</a>;
  return `REP ${name}`;
}

interface LoadFormProps {
  c: AppContext;
  mes: string;
  error: string | undefined;
  cross: Cross | undefined;
}

function LoadForm({ c, mes, error, cross }: LoadFormProps) {
  const { timeZone } = c.get('deps').config;
  return (
    <section aria-labelledby="archivos">
      <h2 id="archivos">Archivos de metadatos</h2>
      <ul>
        {cross?.cortes.map(({ id, archivo, cargado, filas, visto, isFinished }) => (
          <li key={id}>
            {archivo}: {formatCount(filas)} CFDI, hasta el {formatDate(visto)}; cargado el{' '}
            {formatDate(plainDateIn(new Date(cargado), timeZone))}.
            {!isFinished && ' La carga se interrumpió: cárgalo otra vez.'}
          </li>
        ))}
      </ul>
      <form
        method="post"
        action={fiscalPaths.metadata}
        encType="multipart/form-data"
        className="form"
        data-busy=""
        noValidate
      >
        <input type="hidden" name="mes" value={mes} />
        <div className="fields">
          <FileField
            name="file"
            label="Metadatos del SAT"
            accept=".txt,.zip"
            hint="El TXT o el zip que el SAT da al pedir metadatos de CFDI recibidos, con cualquier herramienta. Cargarlo otra vez no cambia nada."
            error={error}
          />
        </div>
        <div className="form-actions">
          <Button look="primary">Cargar</Button>
        </div>
      </form>
    </section>
  );
}
