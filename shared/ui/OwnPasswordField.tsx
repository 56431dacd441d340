import { Field } from './Field.tsx';

interface OwnPasswordProps {
  error?: string;
  id?: string;
  focus?: boolean;
}

export function OwnPasswordField({ error, id, focus = error !== undefined }: OwnPasswordProps) {
  return (
    <Field
      name="currentpassword"
      id={id}
      label="Tu propia contraseña"
      kind="password"
      hint="Para confirmar que eres tú; después sirve diez minutos."
      error={error}
      focus={focus}
      autoComplete="current-password"
      required
      wide
    />
  );
}
