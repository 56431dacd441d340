import { Field } from './Field.tsx';

/** The password of whoever makes a change that asks for it again. */
export function OwnPassword({ error }: { error?: string }) {
  return (
    <Field
      name="currentpassword"
      label="Tu propia contraseña"
      kind="password"
      hint="Para confirmar que eres tú; después sirve diez minutos."
      error={error}
      focus={error !== undefined}
      autoComplete="current-password"
      required
      wide
    />
  );
}
