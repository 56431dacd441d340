import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Fragment, type ReactNode } from 'react';
import { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages } from '../../../shared/urls.ts';
import { readFormWithLists } from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import {
  getSettingDefinition,
  isSettingSubject,
  needsPasswordToChange,
  SETTING_SUBJECTS,
  SETTINGS,
  type SettingKey,
  type SettingSubject,
  type Settings,
  SOME_ROLES_OPTION,
  settingKeysOf,
} from '../../services/settings/definitions.ts';
import { changeSettings, readSettings, type SettingChange } from '../../services/settings/settings.ts';
import { type FormRequest, type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { ChoiceLinks } from '../ui/choice-links.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { handleFormWithPassword } from '../ui/password-form.tsx';
import { FaultyFieldLinks } from '../ui/refused-alert.tsx';
import { renderAbout } from './about.tsx';
import { backupRoutes, renderBackups } from './backups.tsx';
import { bankLayoutRoutes, renderBankLayouts } from './bank-layouts.tsx';
import { previousFieldName, type RenderRefused, rolesFieldName, SettingsForm } from './form.tsx';
import { logoRoutes, renderLogo } from './logo.tsx';

const createRefusedRenderer =
  (subject: SettingSubject): RenderRefused =>
  (c, { problem, status }) =>
    renderSubject(c, subject, { problem, status });

export const settingsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.settings, (c) => renderSubject(c, FIRST_SUBJECT))
  .post(pages.settings, saveSettings)
  .route('/', logoRoutes(createRefusedRenderer('empresa')))
  .route('/', bankLayoutRoutes(createRefusedRenderer('bancos')))
  .route('/', backupRoutes(createRefusedRenderer('respaldos')))
  .get(pages.settingsOf(':subject'), (c) => {
    const subject = c.req.param('subject') ?? '';
    if (!isSettingSubject(subject)) throw new DomainError('not-found', 'No existe esta página.');
    return renderSubject(c, subject);
  });

const FIRST_SUBJECT = 'empresa';
const SAVED_TEXT = 'Se guardó la configuración.';
const NOTHING_CHANGED_TEXT = 'No había nada que guardar: la configuración quedó igual.';
const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

const subjectHref = (subject: SettingSubject) =>
  subject === FIRST_SUBJECT ? pages.settings : pages.settingsOf(subject);

/** Settings that the form does not contain stay unchanged. */
async function saveSettings(c: AppContext) {
  const { db } = c.get('deps');
  const form = await readSettingsForm(c);
  const changes = findChanges(form);
  const anySentKey = SETTING_KEYS.find((key) => form[key] !== undefined);
  const subject = anySentKey ? SETTINGS[anySentKey].subject : FIRST_SUBJECT;
  const back = subjectHref(subject);
  const confirmation = {
    form,
    title: 'Cambiar la configuración',
    button: 'Guardar',
    back,
    needsPassword: changes.some(({ key }) => needsPasswordToChange(key)),
  };
  const renderRefusedSettings = async (_: AppContext, { problem, status }: RefusedForm) => {
    const stored = (problem.extra?.current as Settings | undefined) ?? (await readSettings(db));
    const typed = overlayTypedValues(changes, stored, problem);
    return renderSubject(c, subject, { ...typed, motivo: form.motivo, problem, status });
  };
  return handleFormWithPassword(c, confirmation, renderRefusedSettings, async ({ actor }: FormRequest) => {
    const allowFuture = form.allowFuture !== undefined;
    const changed = await changeSettings(db, actor, changes, { allowFuture });
    return redirectWithMessage(c, back, changed === 0 ? NOTHING_CHANGED_TEXT : SAVED_TEXT);
  });
}

/** Joins the ticked roles of a setting to a list of their ids. */
async function readSettingsForm(c: AppContext): Promise<Record<string, string>> {
  const named = SETTING_KEYS.filter((key) => getSettingDefinition(key).control?.kind === 'roles');
  const { fields, lists } = await readFormWithLists(c, named.map(rolesFieldName));
  for (const key of named)
    if (fields[key] === SOME_ROLES_OPTION) fields[key] = lists[rolesFieldName(key)]!.join();
  return fields;
}

/** Returns the changes of edited settings only, since other users may have changed the rest meanwhile. */
function findChanges(form: Record<string, string>): SettingChange[] {
  return SETTING_KEYS.flatMap((key) => {
    const value = normalizeBreaks(form[key]);
    const previous = normalizeBreaks(form[previousFieldName(key)]);
    return value === undefined || value === previous ? [] : [{ key, value, previous }];
  });
}

/** Forms post line breaks as CR LF. */
const normalizeBreaks = (text: string | undefined) => text?.replaceAll('\r\n', '\n');

/** The refused form shows edited settings as typed. After a stale save, saving again overwrites newer values. */
function overlayTypedValues(changes: readonly SettingChange[], stored: Settings, { kind }: DomainError) {
  const typed = { ...stored };
  const previous = { ...stored };
  for (const change of changes) {
    const key = change.key as SettingKey;
    typed[key] = change.value;
    if (kind !== 'stale') previous[key] = change.previous ?? stored[key];
  }
  return { typed, previous };
}

interface SettingsPageState {
  typed?: Settings;
  previous?: Settings;
  motivo?: string;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

const EXTRA_SECTIONS: Partial<
  Record<SettingSubject, (c: AppContext, problem: DomainError | undefined) => Promise<ReactNode>>
> = {
  empresa: renderLogo,
  bancos: renderBankLayouts,
  respaldos: renderBackups,
  'acerca-de': renderAbout,
  cierre: async () => (
    <p>
      <LinkButton href={pages.closing} icon="calendar">
        Cierre de mes
      </LinkButton>
    </p>
  ),
};

async function renderSubject(
  c: AppContext,
  subject: SettingSubject,
  { typed, previous, motivo, problem, status }: SettingsPageState = {},
) {
  const stored = await readSettings(c.get('deps').db);
  const subjects = Object.entries(SETTING_SUBJECTS) as [SettingSubject, string][];
  const parts = <Fragment key="parts">{await EXTRA_SECTIONS[subject]?.(c, problem)}</Fragment>;
  const settings = settingKeysOf(subject).length > 0 && (
    <SettingsForm
      key="settings"
      subject={subject}
      typed={typed ?? stored}
      previous={previous ?? stored}
      problem={problem}
      motivo={motivo}
    />
  );
  return renderPage(
    c,
    {
      title: 'Configuración',
      subtitle: <span className="roomy">{SETTING_SUBJECTS[subject]}</span>,
      status,
      actions: historyLink(c, 'settings'),
    },
    <div className="subjects">
      <ChoiceLinks
        label="Temas"
        choices={subjects.map(([one, label]) => ({
          label,
          href: subjectHref(one),
          isCurrent: one === subject,
        }))}
      />
      <div className="stack">
        {problem && (
          <Alert
            tone="error"
            footer={
              <FaultyFieldLinks
                problem={problem}
                names={settingKeysOf(subject).map((name) => ({
                  name,
                  label: getSettingDefinition(name).label,
                }))}
              />
            }
          >
            {problem.kind === 'invalid' && problem.fields
              ? 'No se guardó nada: revisa los campos marcados.'
              : problem.message}
            {problem.kind === 'stale' && ' Si guardas de nuevo, queda lo tuyo.'}
          </Alert>
        )}
        {subject === 'respaldos' ? [parts, settings] : [settings, parts]}
      </div>
    </div>,
  );
}
