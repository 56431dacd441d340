import { Hono } from 'hono';
import { Button } from '../../../shared/ui/Button.tsx';
import { pages } from '../../../shared/urls.ts';
import { readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, requireSession } from '../../http/session.ts';
import { readPreference, setPreference } from '../../services/preferences/preferences.ts';
import { THEME, type Theme } from '../../shell/theme.ts';

const CHOICES: readonly (readonly [theme: Theme | '', label: string])[] = [
  ['', 'Como el sistema'],
  ['claro', 'Claro'],
  ['oscuro', 'Oscuro'],
];

export const themePages = new Hono<AppEnv>({ strict: false }).post(pages.theme, async (c) => {
  const { tema } = await readForm(c);
  const [theme] = CHOICES.find(([one]) => one === tema) ?? [''];
  await setPreference(c.get('deps').db, requireSession(c).userId, THEME, theme || undefined);
  return c.redirect(pages.profile, 303);
});

/** What the user reads on: pressed is what holds; paper is always light. */
export async function renderThemes(c: AppContext) {
  const chosen = (await readPreference(c.get('deps').db, requireSession(c).userId, THEME)) ?? '';
  return (
    <section aria-labelledby="theme">
      <h2 id="theme">Tema</h2>
      <form method="post" action={pages.theme} className="actions">
        {CHOICES.map(([theme, label]) => (
          <Button key={theme} name="tema" value={theme} aria-pressed={theme === chosen}>
            {label}
          </Button>
        ))}
      </form>
    </section>
  );
}
