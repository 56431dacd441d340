import { Field } from './Field.tsx';

interface OwnPasswordProps {
  error?: string;
  id?: string;
}

export function OwnPassword({ error, id }: OwnPasswordProps) {
  return (
    <Field
      name="currentpassword"
      id={id}
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
