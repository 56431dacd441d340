import { Hono } from 'hono';
import { z } from 'zod';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { formatDate, plainDateIn } from '../../../shared/dates.ts';
import { type Period, parseMonth } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { MAX_METADATA_MB } from '../../formats/sat/metadata.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readUploadForm } from '../../http/uploads.ts';
import { crossCheckList } from '../../lists/reports.ts';
import { formatMonthAndYear } from '../../services/balances/closing-tasks.ts';
import {
  type CrossCheck,
  excludeRepeatedDocuments,
  PENDING_GROUPS,
  readCrossCheck,
  readDocumentsCancelledInSat,
  resolveMonth,
} from '../../services/fiscal/cross-check.ts';
import { importMetadata } from '../../services/fiscal/import-metadata.ts';
import {
  CROSS_CHECK_GROUP_LABELS,
  type CrossCheckGroupName,
  fiscalPaths,
} from '../../services/fiscal/labels.ts';
import { linkDocument } from '../../services/fiscal/link-without-uuid.ts';
import { missingMetadataFileError, fiscalTexts as texts } from '../../services/fiscal/texts.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { choiceField, monthField, parseId, wholeNumberField } from '../../shapes/fields.ts';
import { handleForm, redirectWithMessage, renderPage, saveOrRerender } from '../../shell/render.tsx';
import { FileField } from '../ui/file-field.tsx';
import { parseListQuery } from '../ui/list-layout.tsx';
import { type FormState, parseVersion } from '../ui/record-form.tsx';
import { GroupRows } from './cross-check-rows.tsx';
import { formatMonthParameter, renderMonth } from './month-page.tsx';

const ROWS_ON_PAGE = 100;
const MAX_ROWS_PER_GROUP = 10;

const queryShape = z.strictObject({
  mes: monthField('mes'),
  que: choiceField('que', keysOf(CROSS_CHECK_GROUP_LABELS)),
  desde: wholeNumberField('desde', 0, 1_000_000),
});

export const crossCheckPages = new Hono<AppEnv>({ strict: false })
  .get(fiscalPaths.cross, (c) => showCrossCheck(c, { values: {} }))
  .get(fiscalPaths.cancelled, (c) => showCancelledDocuments(c))
  .post(fiscalPaths.metadata, (c) => {
    let values: FormState['values'] = {};
    return saveOrRerender(
      c,
      async () => {
        const { fields, files } = await readUploadForm(c, MAX_METADATA_MB);
        values = fields;
        if (!files.file) throw missingMetadataFileError();
        const outcome = await importMetadata(c.get('deps').db, actorOf(c), files.file, {
          signal: c.req.raw.signal,
        });
        const { warnings } = outcome;
        return redirectWithMessage(c, crossCheckHref(fields.mes), {
          text: texts.loaded(outcome),
          warnings,
        });
      },
      (problem, status) => showCrossCheck(c, { values, problem, status }),
    );
  })
  .post(fiscalPaths.link, (c) =>
    handleForm(
      c,
      (_, refused) => showCrossCheck(c, refused),
      async ({ db, actor, form: { uuid, factura, version, mes } }) => {
        const facturaproveedorId = parseId(factura, 'Factura');
        const sent = { uuid, facturaproveedorId, version: parseVersion(version) };
        await linkDocument(db, actor, sent);
        const about = { href: pages.editInvoice(facturaproveedorId), link: 'Ver la factura' };
        return redirectWithMessage(c, crossCheckHref(mes), {
          ...{ text: texts.linked, about },
          undo: pages.unlinkInvoice(facturaproveedorId),
        });
      },
    ),
  );

const crossCheckHref = (mes: string | undefined, que?: CrossCheckGroupName, desde?: number) =>
  withQuery(fiscalPaths.cross, { mes, que, desde });

async function readMonthCrossCheck(c: AppContext, month: Period): Promise<CrossCheck | undefined> {
  const { db } = c.get('deps');
  const settings = await readSettings(db);
  return settings.rfc ? readCrossCheck(db, month, settings) : undefined;
}

async function showCrossCheck(c: AppContext, { values, problem, status }: FormState) {
  const isPosted = c.req.method === 'POST';
  const {
    mes: asked,
    que,
    desde = 0,
  } = isPosted ? ({} as z.output<typeof queryShape>) : parseListQuery(c, queryShape);
  const month = (isPosted && parseMonth(values.mes)) || resolveMonth(asked, c.get('today'));
  const mes = formatMonthParameter(month);
  const cross = await readMonthCrossCheck(c, month);
  return renderMonth(c, crossCheckList, month, {
    ...{ query: { que }, problem, status },
    ...{ lacksRfc: !cross, hasFiles: Boolean(cross?.sat.cuenta) },
    content: (
      <>
        {cross && <CrossCheckGroups cross={cross} que={que} desde={desde} />}
        <MetadataForm c={c} mes={mes} error={problem?.fields?.file} cross={cross} />
      </>
    ),
  });
}

interface GroupsProps {
  cross: CrossCheck;
  que: CrossCheckGroupName | undefined;
  desde: number;
}

function CrossCheckGroups({ cross, que, desde }: GroupsProps) {
  const mes = formatMonthParameter(cross.month);
  const createReconciliationItem = (name: CrossCheckGroupName, op?: '+') => ({
    label: `${CROSS_CHECK_GROUP_LABELS[name]} (${formatCount(cross[name].cuenta)})`,
    cents: cross[name].totalCents,
    href: crossCheckHref(mes, name),
    ...(op && { op }),
  });
  const { sat } = cross;
  if (sat.cuenta === 0) {
    const title = cross.cortes.length > 0 ? 'Ningún CFDI en los metadatos' : 'Faltan los metadatos';
    return (
      <EmptyState title={`${title} de ${formatMonthAndYear(cross.month)}`}>
        El cruce compara los CFDI que el SAT tiene a nombre de la empresa con lo capturado: cuáles faltan,
        cuáles difieren y cuáles se cancelaron, sobre todo si ya se pagaron. Pide los metadatos de los CFDI
        recibidos en el mes, en el portal del SAT o con tu programa de descarga masiva, y cárgalos aquí.
      </EmptyState>
    );
  }
  const shown = que
    ? [que]
    : PENDING_GROUPS.filter((name) => excludeRepeatedDocuments(cross, name).cuenta > 0);
  return (
    <>
      <Totals
        label="Lo que tiene el SAT"
        items={[
          createReconciliationItem('iguales'),
          createReconciliationItem('difieren', '+'),
          createReconciliationItem('faltan', '+'),
          createReconciliationItem('ajenos', '+'),
          { label: `SAT (${formatCount(sat.cuenta)})`, cents: sat.totalCents, op: '=' },
        ]}
      />
      {cross.cancelados.cuenta > 0 && (
        <p className="note">
          De lo que está en Saldo, el SAT canceló{' '}
          <a href={crossCheckHref(mes, 'cancelados')}>{pluralize(cross.cancelados.cuenta, 'CFDI', 'CFDI')}</a>
          .
        </p>
      )}
      {shown.length === 0 && <p>Todo lo del SAT está en Saldo, y nada de lo que está se canceló.</p>}
      {shown.map((name) => (
        <GroupSection
          key={name}
          cross={cross}
          name={name}
          from={que ? desde : 0}
          isAlone={que !== undefined}
        />
      ))}
      {que && <LinkButton href={crossCheckHref(mes)}>Ver lo pendiente del mes</LinkButton>}
    </>
  );
}

interface GroupProps {
  cross: CrossCheck;
  name: CrossCheckGroupName;
  from: number;
  isAlone: boolean;
}

function GroupSection({ cross, name, from, isAlone }: GroupProps) {
  const mes = formatMonthParameter(cross.month);
  const group = excludeRepeatedDocuments(cross, name);
  const { cuenta, totalCents } = group;
  const fitting = cross[name].cuenta - cuenta;
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>
        {CROSS_CHECK_GROUP_LABELS[name]}: {formatCount(cuenta)} por <Money cents={totalCents} />
      </h2>
      {fitting > 0 && (
        <p className="note">
          {fitting === 1 ? 'Otro más coincide' : `Otros ${formatCount(fitting)} coinciden`} con una factura
          sin UUID: <a href={crossCheckHref(mes, 'sinUuid')}>{CROSS_CHECK_GROUP_LABELS.sinUuid}</a>.
        </p>
      )}
      <GroupRows
        group={group}
        name={name}
        firstRow={from}
        maxRows={isAlone ? ROWS_ON_PAGE : MAX_ROWS_PER_GROUP}
        mes={mes}
        href={(shown) => crossCheckHref(mes, name, isAlone ? shown : undefined)}
      />
    </section>
  );
}

interface MetadataFormProps {
  c: AppContext;
  mes: string;
  error: string | undefined;
  cross: CrossCheck | undefined;
}

function MetadataForm({ c, mes, error, cross }: MetadataFormProps) {
  const { timeZone } = c.get('deps').config;
  return (
    <section aria-label="Metadatos del SAT" className="stack">
      {cross && cross.cortes.length > 0 && (
        <ul>
          {cross.cortes.map(({ id, archivo, cargado, filas, visto, isFinished }) => (
            <li key={id}>
              {archivo}: {formatCount(filas)} CFDI, hasta el {formatDate(visto)}; cargado el{' '}
              {formatDate(plainDateIn(new Date(cargado), timeZone))}.
              {!isFinished && ' La carga se interrumpió: cárgalo otra vez.'}
            </li>
          ))}
        </ul>
      )}
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
            hint="El TXT o el zip, tal como se descarga. Cargarlo otra vez no cambia nada."
            error={error}
          />
        </div>
        <div className="actions">
          <Button look="primary">Cargar</Button>
        </div>
      </form>
    </section>
  );
}

async function showCancelledDocuments(c: AppContext) {
  const { desde = 0 } = parseListQuery(c, queryShape.pick({ desde: true }));
  const group = await readDocumentsCancelledInSat(c.get('deps').db);
  return renderPage(
    c,
    { title: CROSS_CHECK_GROUP_LABELS.cancelados },
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
          firstRow={desde}
          maxRows={ROWS_ON_PAGE}
          href={(shown) => withQuery(fiscalPaths.cancelled, { desde: shown })}
        />
      </div>
    ),
  );
}
