import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { clients } from '../../../shared/catalogs/clients.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, messageCookieName, requireSession } from '../../http/session.ts';
import type { Actor } from '../../services/audit/audit.ts';
import { createRow } from '../../services/catalogs/row-changes.ts';
import {
  countRemainingSteps,
  createFirstJob,
  FIRST_STEPS,
  FIRST_STEPS_HIDDEN_PREFERENCE,
  type FirstStep,
  readFirstSteps,
  readFormDefaults,
} from '../../services/first-steps/first-steps.ts';
import { listOpenFundsOfHolder } from '../../services/petty-cash/reading.ts';
import { readPreference, setPreference } from '../../services/preferences/preferences.ts';
import { SETTINGS, type Settings } from '../../services/settings/definitions.ts';
import { setLanguage } from '../../services/settings/language.ts';
import { changeSettings, readSettings } from '../../services/settings/settings.ts';
import { parseNewRow } from '../../shapes/catalogs.ts';
import { handleForm, type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { PROPOSED_FIELD_PROPS, toRecordFields } from '../ui/catalog-controls.ts';
import { type PostedFields, readFields } from '../ui/posted-fields.ts';
import { prepareIdempotencyKey, renderRecordForm } from '../ui/record-form.tsx';

export const firstStepsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.firstSteps, (c) => renderSteps(c))
  .post(pages.firstStepsHidden, async (c) => {
    await setPreference(c.get('deps').db, requireSession(c).userId, FIRST_STEPS_HIDDEN_PREFERENCE, true);
    return redirectWithMessage(c, pages.invoices, 'Los primeros pasos ya no se muestran. Siguen en Ayuda.');
  });

/**
 * The default page after a sign-in. An administrator gets the first steps while there are no invoices. Users who hold a
 * petty cash, and neither approve nor administer, get that petty cash.
 */
export async function findStartPageHref(
  db: Db,
  { userId, roles }: { userId: number; roles: readonly number[] },
): Promise<string> {
  if (!mayEnter('work', roles)) return pages.profile;
  if (!mayEnter('admin', roles) && !mayEnter('approval', roles)) return findOwnFundHref(db, userId);
  if (!mayEnter('admin', roles) || (await readPreference(db, userId, FIRST_STEPS_HIDDEN_PREFERENCE)))
    return pages.invoices;
  const { factura } = await readFirstSteps(db, await readSettings(db));
  return factura ? pages.invoices : pages.firstSteps;
}

async function findOwnFundHref(db: Db, userId: number): Promise<string> {
  const [fund, ...others] = await listOpenFundsOfHolder(db, userId);
  if (!fund) return pages.invoices;
  return others.length > 0 ? pages.pettyCash : pages.pettyCashFund(fund.id);
}

interface FirstStepForm {
  fields: readonly RecordField[];
  values: Readonly<Record<string, string>>;
  /** a field that is folded while it has its first value, so that Enter does not stop there */
  folded?: string;
  savedText: string;
  save(db: Db, actor: Actor, posted: PostedFields): Promise<unknown>;
}

const settingField = (
  key: 'empresa' | 'rfc' | 'idioma',
  overrides: Partial<RecordField> = {},
): RecordField => ({
  kind: 'text',
  name: key,
  label: SETTINGS[key].label,
  ...overrides,
});

const FIRM_FIELDS: readonly RecordField[] = [
  settingField('empresa', { required: true }),
  settingField('rfc', { autoCapitalize: 'characters' }),
  settingField('idioma', { ...SETTINGS.idioma.control, kind: 'select' }),
];

const pickFields = (
  catalog: Catalog,
  labels: Readonly<Record<string, Partial<RecordField>>>,
): RecordField[] =>
  Object.entries(labels).map(([name, more]) => ({
    ...toRecordFields(catalog).find((field) => field.name === name)!,
    ...more,
  }));

const CONTACT_HINT = { hint: PROPOSED_FIELD_PROPS.hint };
const unknownContactText = ({ fields }: Catalog) =>
  fields.find(({ requirement, ref }) => requirement && !ref)!.requirement!.unknown;

const createCatalogRow = (catalog: Catalog) => (db: Db, actor: Actor, posted: PostedFields) =>
  createRow(db, actor, catalog, parseNewRow(catalog, posted));

const STEP_FORMS: Partial<Record<FirstStep, FirstStepForm>> = {
  empresa: {
    fields: FIRM_FIELDS,
    values: { idioma: 'es' },
    savedText: 'Se guardaron los datos de la empresa.',
    save(db, actor, posted) {
      if (!posted.empresa?.trim())
        throwIfRefused(createRefusal('Escribe el nombre de la empresa.', 'empresa'));
      const changes = Object.entries(posted).flatMap(([key, value]) =>
        value === undefined ? [] : [{ key, value }],
      );
      return changeSettings(db, actor, changes);
    },
  },
  obra: {
    fields: [
      ...pickFields(jobs, { jobtitle: {} }),
      ...pickFields(clients, {
        clientname: { label: 'Cliente' },
        clientcontactperson: { label: 'Contacto del cliente', ...CONTACT_HINT },
      }),
    ],
    values: { clientcontactperson: unknownContactText(clients) },
    folded: 'clientcontactperson',
    savedText: 'Se guardó la obra.',
    save: (db, actor, { jobtitle = '', clientname = '', clientcontactperson = '' }) =>
      createFirstJob(db, actor, { jobtitle, clientname, clientcontactperson }),
  },
  proveedor: {
    fields: pickFields(suppliers, { suppliername: {}, rfc: {}, suppliercontactperson: CONTACT_HINT }),
    values: { suppliercontactperson: unknownContactText(suppliers) },
    folded: 'suppliercontactperson',
    savedText: 'Se guardó el proveedor.',
    save: createCatalogRow(suppliers),
  },
  origen: {
    fields: pickFields(fundingSources, {
      origenderecursonombre: { hint: 'Una cuenta del banco o una caja, como «Banorte 0123».' },
    }),
    values: {},
    savedText: 'Se guardó el origen de recurso.',
    save: createCatalogRow(fundingSources),
  },
};

for (const [step, { fields, savedText, save }] of Object.entries(STEP_FORMS))
  firstStepsPages.post(pages.firstStep(step), (c) =>
    handleForm(
      c,
      (_, refused) => renderSteps(c, { step: step as FirstStep, ...refused }),
      async ({ form, db, actor }) => {
        const posted = await readFields(db, fields, form);
        const once = { ...posted, idempotencyKey: form.idempotencyKey };
        await writeOnce(c, once, async (trx) => {
          await save(trx, actor, posted);
          return {};
        });
        return redirectWithMessage(c, pages.firstSteps, savedText);
      },
    ),
  );

async function renderSteps(
  c: AppContext,
  { step: refusedStep, ...refused }: Partial<RefusedForm> & { step?: FirstStep } = {},
) {
  const { db } = c.get('deps');
  const settings = await readSettings(db);
  const finished = await readFirstSteps(db, settings);
  // Until the firm has chosen its language, this page is in Spanish, the default that it offers. A page with a message
  // keeps the language of the message.
  const hasMessage = getCookie(c, messageCookieName(c.get('deps').config)) !== undefined;
  if (!finished.empresa && !hasMessage) setLanguage('es');
  const remaining = countRemainingSteps(finished);
  const isStepOpen = (step: FirstStep) => step === refusedStep || !finished[step];
  const requestedStep = refusedStep ?? FIRST_STEPS.find((step) => step === c.req.query('paso'));
  const current = requestedStep && isStepOpen(requestedStep) ? requestedStep : FIRST_STEPS.find(isStepOpen);
  const content = current && (await renderStep(db, current, settings, refused));
  return renderPage(
    c,
    {
      title: 'Para empezar',
      subtitle: `${FIRST_STEPS.length - remaining} de ${FIRST_STEPS.length}`,
      status: refused.status,
    },
    <>
      <ol className="first-steps">
        {FIRST_STEPS.map((step) => (
          <li
            key={step}
            className={finished[step] ? 'done' : undefined}
            aria-current={step === current ? 'step' : undefined}
          >
            <h2>
              {step === current || finished[step] ? (
                TITLES[step]
              ) : (
                <a href={withQuery(pages.firstSteps, { paso: step })}>{TITLES[step]}</a>
              )}
            </h2>
            {finished[step] && (
              <FinishedStep>
                {step === 'pago' ? <DateText date={finished.pago} /> : finished[step]}
              </FinishedStep>
            )}
            {step === current && content}
          </li>
        ))}
      </ol>
      {remaining === 0 ? (
        <p className="actions">
          <LinkButton href={pages.invoices} look="primary">
            Ir a Facturas
          </LinkButton>
          <LinkButton href={pages.balances}>Ver saldos por proveedor</LinkButton>
        </p>
      ) : (
        <form method="post" action={pages.firstStepsHidden} data-busy="">
          <Button look="quiet">Saltar estos pasos</Button>
        </form>
      )}
    </>,
  );
}

const TITLES: Record<FirstStep, string> = {
  empresa: 'Tu empresa',
  obra: 'La primera obra',
  proveedor: 'El primer proveedor',
  origen: 'De dónde salen los pagos',
  factura: 'La primera factura',
  pago: 'El primer pago',
};

const FinishedStep = ({ children }: { children: ReactNode }) => (
  <p>
    <Icon name="check" />
    <span className="visually-hidden">Hecho: </span>
    {children}
  </p>
);

async function renderStep(db: Db, step: FirstStep, settings: Settings, refused: Partial<RefusedForm>) {
  const form = STEP_FORMS[step];
  if (!form) return step === 'factura' ? renderInvoiceStep(db) : renderPaymentStep(db);
  const { empresa, rfc } = settings;
  const values: Record<string, string> = {
    ...form.values,
    ...(step === 'empresa' && { empresa, rfc }),
    ...refused.values,
  };
  const { idempotencyKey, problem } = prepareIdempotencyKey(
    { values, problem: refused.problem },
    'Eso ya se guardó.',
  );
  return renderRecordForm(db, {
    fields: form.fields,
    state: { values, problem },
    action: pages.firstStep(step),
    hidden: { idempotencyKey },
    first: form.fields.find(({ name }) => !values[name])?.name,
    folded: form.folded
      ? { summary: `Contacto: ${values[form.folded]}`, names: [form.folded], values: form.values }
      : undefined,
    buttons: <Button look="primary">Guardar</Button>,
  });
}

const RETURN_PARAMETERS = { back: pages.firstSteps };

async function renderInvoiceStep(db: Db) {
  const { supplierId, jobId } = await readFormDefaults(db);
  return (
    <p className="actions">
      <LinkButton
        href={withQuery(pages.newInvoice, { supplierId, jobId, ...RETURN_PARAMETERS })}
        look="primary"
        icon="plus"
        autoFocus
      >
        Nueva factura
      </LinkButton>
      <LinkButton href={pages.loadInvoice} icon="load">
        Cargar XML
      </LinkButton>
      <LinkButton href={pages.imports}>Importar una tabla</LinkButton>
    </p>
  );
}

async function renderPaymentStep(db: Db) {
  const { invoice, origenderecursoId } = await readFormDefaults(db);
  if (!invoice) return <p className="soft">Primero captura una factura por pagar.</p>;
  const query = { facturaproveedorId: invoice.id, origenderecursoId, ...RETURN_PARAMETERS };
  return (
    <p className="actions">
      <LinkButton href={withQuery(pages.newPayment, query)} look="primary" icon="pay" autoFocus>
        Pagar {invoice.numfactura || 'la factura'}
      </LinkButton>
    </p>
  );
}
