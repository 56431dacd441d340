import { z } from 'zod';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { pages } from '../../shared/urls.ts';
import type { Preference } from '../services/preferences/preferences.ts';

/** Whether an administrator has been asked; who has answered is not asked again. */
export const LANGUAGE_ASKED: Preference<boolean> = { name: 'language.asked', shape: z.boolean() };

/** Asks an administrator once whether the firm wants all in Spanish. */
export const LanguageOffer = () => (
  <Alert tone="info" head="Idioma" dismissible={false}>
    Las fechas y algunos textos están en inglés, como <span lang="en">Fri, 20 Nov 2026</span>. Pueden estar en
    español para todos, como vie, 20 nov 2026.
    <form method="post" action={pages.settingsLanguage} data-busy="">
      <Button name="idioma" value="es" look="quiet">
        Todo en español
      </Button>
      <Button name="idioma" value="mixto" look="quiet">
        Dejar como está
      </Button>
    </form>
  </Alert>
);
