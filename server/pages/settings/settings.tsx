import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import packageJson from '../../../package.json' with { type: 'json' };
import type { DomainError } from '../../../shared/errors.ts';
import { sizeText } from '../../../shared/text.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { localPath, readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { anchorNotice } from '../../services/audit/anchors.ts';
import { readAuditTail } from '../../services/audit/audit.ts';
import { readAbout } from '../../services/database/stats.ts';
import { setPreference } from '../../services/preferences/preferences.ts';
import { isControl, SETTINGS, type SettingKey, type Settings } from '../../services/settings/definitions.ts';
import { LANGUAGE_ASKED } from '../../services/settings/first-steps.ts';
import { readFormerValues } from '../../services/settings/former-values.ts';
import { readLogo } from '../../services/settings/logo.ts';
import {
  changeSetting,
  changeSettings,
  readSettings,
  type SettingChange,
} from '../../services/settings/settings.ts';
import { type RefusedForm, redirectWith, renderPage, type TakenForm } from '../../shell/render.tsx';
import { NEWS } from '../ui/news.ts';
import { takeConfirmed } from '../ui/own-password.tsx';
import { backupRoutes, renderBackups } from './backups.tsx';
import { bankLayoutRoutes, renderBankLayouts } from './bank-layouts.tsx';
import { formerName, SettingsForm } from './form.tsx';
import { LogoForms, logoRoutes } from './logo.tsx';
import { Section, SectionLinks } from './sections.tsx';

export const settingsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.settings, (c) => renderSettings(c))
  .post(pages.settings, async (c) => {
    const { db } = c.get('deps');
    const form = await readForm(c);
    const changes = changesOf(form);
    const asking = {
      form: sentAgain(changes, form),
      title: 'Cambiar la configuración',
      button: 'Guardar',
      back: pages.settings,
      asks: changes.some(({ key }) => isControl(key)),
    };
    const again = async (_: AppContext, { problem, status }: RefusedForm) => {
      const stored = (problem.extra?.current as Settings | undefined) ?? (await readSettings(db));
      const typed = typedAgain(changes, stored, problem);
      return renderSettings(c, { ...typed, motivo: form.motivo, problem, status });
    };
    const save = async ({ actor }: TakenForm) => {
      const allowFuture = form.allowFuture !== undefined;
      const changed = await changeSettings(db, actor, changes, { allowFuture });
      return redirectWith(c, pages.settings, changed === 0 ? NOTHING_CHANGED : SAVED);
    };
    return takeConfirmed(c, asking, again, save);
  })
  .post(pages.settingsLanguage, async (c) => {
    const { db } = c.get('deps');
    const { idioma = '', next } = await readForm(c);
    await changeSetting(db, actorOf(c), 'idioma', idioma);
    await setPreference(db, requireSession(c).userId, LANGUAGE_ASKED, true);
    return redirectWith(c, localPath(next) ?? pages.invoices, LANGUAGE_CHOSEN);
  })
  .route('/', logoRoutes(again))
  .route('/', bankLayoutRoutes(again))
  .route('/', backupRoutes(again));

const LANGUAGE_CHOSEN = 'Se guardó el idioma. Se cambia en Configuración.';
const SAVED = 'Se guardó la configuración.';
const NOTHING_CHANGED = 'No había nada que guardar: la configuración quedó igual.';
const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** Only the settings that were edited: others may have changed the rest meanwhile. */
function changesOf(form: Record<string, string>): SettingChange[] {
  return KEYS.flatMap((key) => {
    const value = oneBreak(form[key]);
    const former = oneBreak(form[formerName(key)]);
    return value === undefined || value === former ? [] : [{ key, value, former }];
  });
}

/** All that the form has to say, where it is sent a second time with the password. */
const sentAgain = (changes: readonly SettingChange[], form: Record<string, string>) =>
  Object.fromEntries(
    [
      ...changes.flatMap(({ key, value, former }) => [
        [key, value],
        [formerName(key as SettingKey), former],
      ]),
      ...['motivo', 'allowFuture', 'currentpassword'].map((name) => [name, form[name]]),
    ].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Forms post line breaks as CR LF. */
const oneBreak = (text: string | undefined) => text?.replaceAll('\r\n', '\n');

/** Edited settings stay as typed. After somebody else's save, saving again overwrites it. */
function typedAgain(changes: readonly SettingChange[], stored: Settings, { kind }: DomainError) {
  const typed = { ...stored };
  const former = { ...stored };
  for (const change of changes) {
    const key = change.key as SettingKey;
    typed[key] = change.value;
    if (kind !== 'stale') former[key] = change.former ?? stored[key];
  }
  return { typed, former };
}

interface PageState {
  typed?: Settings;
  former?: Settings;
  motivo?: string;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

function again(c: AppContext, { problem, status }: Pick<RefusedForm, 'problem' | 'status'>) {
  return renderSettings(c, { problem, status });
}

const isOfLayouts = (c: AppContext): boolean => c.req.path.startsWith(pages.bankLayouts);

async function renderSettings(c: AppContext, { typed, former, motivo, problem, status }: PageState = {}) {
  const { db, config } = c.get('deps');
  const stored = await readSettings(db);
  const logo = await readLogo(db);
  return renderPage(
    c,
    { title: 'Configuración', status },
    <div className="stack">
      <SectionLinks />
      {problem && (
        <Alert tone="error">
          {problem.kind === 'invalid' && problem.fields
            ? 'No se guardó nada: revisa los campos marcados.'
            : problem.message}
          {problem.kind === 'stale' && ' Si guardas de nuevo, queda lo tuyo.'}
        </Alert>
      )}
      <SettingsForm
        typed={typed ?? stored}
        former={former ?? stored}
        problem={problem}
        motivo={motivo}
        logo={logo}
        changes={await readFormerValues(db)}
        timeZone={config.timeZone}
      />
      <LogoForms hasLogo={logo !== undefined} />
      {await renderBankLayouts(c, isOfLayouts(c) ? problem : undefined)}
      {await renderBackups(c, isOfLayouts(c) ? undefined : problem?.fields?.currentpassword)}
      {await renderAbout(c)}
    </div>,
  );
}

/** The audit trail's end, and what this installation is. */
async function renderAbout(c: AppContext) {
  const { db } = c.get('deps');
  const { lastId, lastHash } = await readAuditTail(db);
  const { kind, bytes } = await readAbout(db);
  const notAnchored = await anchorNotice(db);
  const changes = NEWS[0]?.points ?? [];
  return (
    <>
      <Section title="Bitácora">
        <p>
          Quién capturó, cambió o eliminó qué: {lastId.toLocaleString('en-US')}{' '}
          {lastId === 1 ? 'anotación' : 'anotaciones'}
          {lastHash && (
            <>
              , la última con la huella <code className="chain">{lastHash}</code>
            </>
          )}
          .
        </p>
        {notAnchored && (
          <Alert tone="warning" dismissible={false}>
            {notAnchored}
          </Alert>
        )}
        <div className="actions">
          <LinkButton href={pages.audit} icon="history">
            Abrir la bitácora
          </LinkButton>
          <LinkButton href={withQuery(pages.audit, { comprobar: 1 })} icon="check">
            Comprobar la cadena
          </LinkButton>
        </div>
      </Section>
      <Section title="Acerca de">
        <p>
          Saldo {packageJson.version} · {kind} · {sizeText(bytes)}
        </p>
        {changes.length > 0 && (
          <Disclosure summary="Qué cambió en esta versión">
            <ul className="guide-text">
              {changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          </Disclosure>
        )}
      </Section>
    </>
  );
}
