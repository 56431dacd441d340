import { Hono } from 'hono';
import type { ReactNode } from 'react';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import { clients } from '../../shared/catalogs/clients.ts';
import { fundingSources } from '../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Chip } from '../../shared/ui/Chip.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { pages } from '../../shared/urls.ts';
import { type AppContext, type AppEnv, requireSession } from '../http/session.ts';
import { readPreference, setPreference } from '../services/preferences/preferences.ts';
import { SETTINGS } from '../services/settings/definitions.ts';
import {
  countLeft,
  FIRST_STEPS,
  FIRST_STEPS_HIDDEN,
  type FirstStep,
  LANGUAGE_ASKED,
  readFirstSteps,
} from '../services/settings/first-steps.ts';
import { changeSettings, readSettings } from '../services/settings/settings.ts';
import { LanguageChoice, LanguageWords } from '../shell/language-choice.tsx';
import { type RefusedForm, redirectWith, renderPage, takeForm } from '../shell/render.tsx';

/** "Para empezar": what an administrator of a new firm sets up, each step ticked by what there is. */
export const firstStepsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.firstSteps, (c) => renderSteps(c))
  .post(pages.firstStepsFirm, (c) =>
    takeForm(c, renderSteps, async ({ form, db, actor }) => {
      const changes = FIRM.flatMap((key) => (form[key] === undefined ? [] : [{ key, value: form[key] }]));
      await changeSettings(db, actor, changes);
      return redirectWith(c, pages.firstSteps, 'Se guardaron los datos de la empresa.');
    }),
  )
  .post(pages.firstStepsHidden, async (c) => {
    await setPreference(c.get('deps').db, requireSession(c).userId, FIRST_STEPS_HIDDEN, true);
    return redirectWith(c, pages.invoices, 'Los primeros pasos ya no se muestran. Siguen en Configuración.');
  });

const FIRM = ['empresa', 'rfc'] as const;

async function renderSteps(c: AppContext, { values, problem, status }: Partial<RefusedForm> = {}) {
  const { db } = c.get('deps');
  const isLanguageAsked = (await readPreference(db, requireSession(c).userId, LANGUAGE_ASKED)) === true;
  const steps = await readFirstSteps(db, { isLanguageAsked });
  const left = countLeft(steps);
  const settings = await readSettings(db);
  const contents: Record<FirstStep, ReactNode> = {
    ...LINKS,
    empresa: <Firm values={values ?? settings} errors={problem?.fields ?? {}} />,
    idioma: (
      <>
        <LanguageWords />
        <LanguageChoice next={pages.firstSteps} />
      </>
    ),
  };
  return renderPage(
    c,
    { title: 'Para empezar', status },
    <>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <p className="soft">
        {left === 0
          ? 'Todo está listo: captura facturas, págalas, y el lunes abre Saldo por proveedor.'
          : 'Ningún paso es obligatorio ni tiene que ir en orden. Cada uno se marca solo cuando está hecho.'}
      </p>
      <ol className="form first-steps">
        {FIRST_STEPS.map((step, index) => (
          <li key={step} aria-labelledby={`step-${step}`}>
            <h2 id={`step-${step}`}>
              {index + 1}. {TITLES[step]} {steps[step] && <Chip tone="done">Hecho</Chip>}
            </h2>
            {contents[step]}
          </li>
        ))}
      </ol>
      <form method="post" action={pages.firstStepsHidden} className="form-actions" data-busy="">
        <LinkButton href={pages.invoices} look={left === 0 ? 'primary' : undefined}>
          Ir a Facturas
        </LinkButton>
        {left > 0 && <Button look="quiet">No mostrar más en Facturas</Button>}
      </form>
    </>,
  );
}

const TITLES: Record<FirstStep, string> = {
  empresa: 'Nombre y RFC de la empresa',
  idioma: 'Idioma',
  clients: 'El primer cliente',
  jobs: 'La primera obra',
  'funding-sources': 'De dónde salen los pagos',
  invoices: 'Lo que ya tienes',
};

const firstOf = ({ paths, texts }: Catalog, says: string) => (
  <>
    <p>{says}</p>
    <p className="actions">
      <LinkButton href={paths.create} icon="plus">
        {texts.create}
      </LinkButton>
    </p>
  </>
);

const LINKS = {
  clients: firstOf(clients, 'Cada obra es de un cliente: quien la encarga.'),
  jobs: firstOf(jobs, 'A una obra se carga cada factura; Resultados dice lo que ha costado.'),
  'funding-sources': firstOf(fundingSources, 'Las cuentas y cajas de las que se paga a los proveedores.'),
  invoices: (
    <>
      <p>
        Proveedores, facturas y pagos de una tabla de Excel o CSV; o los XML de tus facturas, muchos a la vez.
      </p>
      <p className="actions">
        <LinkButton href={pages.imports}>Importar una tabla</LinkButton>
        <LinkButton href={pages.loadInvoice}>Cargar XML</LinkButton>
      </p>
    </>
  ),
};

interface FirmProps {
  values: Readonly<Partial<Record<string, string>>>;
  errors: Readonly<Record<string, string>>;
}

const Firm = ({ values, errors }: FirmProps) => (
  <form method="post" action={pages.firstStepsFirm} className="form" data-busy="" noValidate>
    <div className="fields">
      {FIRM.map((key) => (
        <Field
          key={key}
          name={key}
          label={SETTINGS[key].label}
          value={values[key]}
          error={errors[key]}
          autoComplete="off"
        />
      ))}
    </div>
    <div className="actions">
      <Button>Guardar</Button>
    </div>
  </form>
);
