import { language } from '../../shared/language.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { pages } from '../../shared/urls.ts';

/** Asks whether the firm wants all in Spanish; then back to `next`, or to where the first sign-in leads. */
export const LanguageChoice = ({ next }: { next?: string }) => (
  <form method="post" action={pages.settingsLanguage} className="actions" data-busy="">
    {next && <input type="hidden" name="next" value={next} />}
    <Button name="idioma" value="es">
      Todo en español
    </Button>
    <Button name="idioma" value="mixto" look="quiet">
      Dejar como está
    </Button>
  </form>
);

export const LanguageWords = () =>
  language() === 'es' ? (
    <p>Todo está en español, para todos.</p>
  ) : (
    <p>
      Las fechas y algunos textos están en inglés, como <span lang="en">Fri, 20 Nov 2026</span>. Pueden estar
      en español para todos, como vie, 20 nov 2026.
    </p>
  );
