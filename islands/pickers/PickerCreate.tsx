import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { currentLanguage } from '../../shared/language.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { GENERIC_ERROR_TEXT } from '../hooks/ask.ts';
import { LOGIN_PATH } from '../loader/paths.ts';
import { PickerDialogView } from './PickerDialogView.tsx';
import type { CreationForm, PickerComponent, PickerRow } from './picker.ts';

interface PickerCreateProps {
  title: string;
  form: CreationForm;
  nameField: string;
  proposal: string;
  isOpen: boolean;
  picker: PickerComponent;
  onCreated: (row: PickerRow) => void;
  onLeave: () => void;
}

export function PickerCreate(props: PickerCreateProps) {
  const { title, form, nameField, proposal, isOpen, picker: Picker, onCreated, onLeave } = props;
  const id = useId();
  const element = useRef<HTMLFormElement>(null);
  const [key, setKey] = useState(newIdempotencyKey);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<CreationRefusal>();
  const [created, setCreated] = useState<CreatedRow>();
  useProposedName(element, nameField, proposal);
  useEffect(() => {
    if (isOpen) focusControl(element, nameField);
  }, [isOpen, nameField]);

  const submitNewRow = async (event: FormEvent<HTMLFormElement>) => {
    if (event.defaultPrevented) return; // A picker that still looks for the row of its text has held the submit.
    event.preventDefault();
    if (busy) return;
    const values = readFilledValues(new FormData(event.currentTarget), form.fields);
    setBusy(true);
    setRefused(undefined); // Removing the alert first makes screen readers announce the next one.
    const answer = await sendCreation(form.url, key, values);
    setBusy(false);
    if ('row' in answer) return answer.warnings.length > 0 ? setCreated(answer) : onCreated(answer.row);
    if (answer.isKeyUsed) setKey(newIdempotencyKey());
    flushSync(() => setRefused(answer));
    focusControl(element, form.fields.find(({ name }) => answer.fields[name])?.name);
  };

  const leaveUnlessBusy = () => {
    if (!busy) onLeave();
  };

  return (
    <>
      <PickerDialogView title={title} isOpen={isOpen && !created} onLeave={leaveUnlessBusy}>
        <form ref={element} className="dialog-view" aria-label={title} noValidate onSubmit={submitNewRow}>
          <div className="dialog-body">
            {refused && <RefusedAlert refused={refused} />}
            <div className="fields">
              {form.fields.map(({ picker, ...field }) => {
                const { name } = field;
                const shared = { ...field, id: id + name, error: refused?.fields[name] };
                return picker ? (
                  <Picker key={name} {...shared} picker={picker} value={null} />
                ) : (
                  <Field key={name} {...shared} />
                );
              })}
            </div>
          </div>
          <div className="dialog-foot">
            <Button look="primary" busy={busy}>
              {form.saveLabel}
            </Button>
            <Button type="button" onClick={leaveUnlessBusy}>
              Cancelar
            </Button>
          </div>
        </form>
      </PickerDialogView>
      {created && (
        <CreatedWithWarnings title={title} created={created} onRead={() => onCreated(created.row)} />
      )}
    </>
  );
}

function RefusedAlert({ refused }: { refused: CreationRefusal }) {
  return (
    <Alert tone="error" isDismissible={false}>
      {refused.message}{' '}
      {refused.needsSignIn && (
        <a href={LOGIN_PATH} target="_blank" rel="noopener">
          Iniciar sesión
        </a>
      )}
    </Alert>
  );
}

function CreatedWithWarnings({
  title,
  created,
  onRead,
}: {
  title: string;
  created: CreatedRow;
  onRead: () => void;
}) {
  return (
    <PickerDialogView title={title} isOpen onLeave={onRead}>
      <div className="dialog-body">
        <Alert tone="success" isDismissible={false}>
          Se guardó, con un aviso.
        </Alert>
        {created.warnings.map((warning) => (
          <Alert key={warning} tone="warning" isDismissible={false}>
            {warning}
          </Alert>
        ))}
      </div>
      <div className="dialog-foot">
        <Button type="button" look="primary" autoFocus onClick={onRead}>
          Continuar
        </Button>
      </div>
    </PickerDialogView>
  );
}

/** The name field copies the text of the search until somebody edits it. */
function useProposedName(form: RefObject<HTMLFormElement | null>, nameField: string, proposal: string) {
  const last = useRef('');
  useEffect(() => {
    const input = form.current?.elements.namedItem(nameField);
    if (!(input instanceof HTMLInputElement) || input.value !== last.current) return;
    input.value = proposal;
    last.current = proposal;
  }, [form, nameField, proposal]);
}

function focusControl(form: RefObject<HTMLFormElement | null>, name?: string) {
  const wanted = name
    ? `[name="${name}"]:not([type=hidden]), [name="${name}"] ~ .combo input`
    : 'button:not([type])';
  form.current?.querySelector<HTMLElement>(wanted)?.focus();
}

interface CreatedRow {
  row: PickerRow;
  /** warnings about the row, which was stored */
  warnings: readonly string[];
}

interface CreationRefusal {
  message: string;
  fields: Readonly<Record<string, string>>;
  needsSignIn?: boolean;
  /** the key belongs to a row that was created before; another submit, with a new key, creates a second row */
  isKeyUsed?: boolean;
}

/**
 * Never leaves the page and never throws, so that the input stays in this form and in the form behind the dialog.
 * @param key the same for all attempts to send one form, so that a lost answer does not create the row twice
 */
export async function sendCreation(
  url: string,
  key: string,
  values: Readonly<Record<string, string>>,
): Promise<CreatedRow | CreationRefusal> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(values),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    const reason = isTimeout ? 'El servidor tarda demasiado.' : 'No hay conexión con el servidor.';
    return { message: `${reason} Lo escrito sigue aquí: intenta de nuevo.`, fields: {} };
  }
  const body = (await response.json().catch(() => undefined)) as CreationAnswer | undefined;
  if (response.status === 401) {
    const message = 'Tu sesión terminó. Inicia sesión en otra pestaña y guarda de nuevo.';
    return { message, fields: {}, needsSignIn: true };
  }
  if (response.ok && typeof body?.id === 'number') {
    return { row: body as PickerRow, warnings: body.warnings ?? [] };
  }
  const translate = await loadTranslator();
  return {
    message: translate(body?.message || GENERIC_ERROR_TEXT),
    fields: Object.fromEntries(
      Object.entries(body?.fields ?? {}).map(([name, message]) => [name, translate(message)]),
    ),
    isKeyUsed: body?.code === 'idempotency_key_reused',
  };
}

/** The API answers with the specification's texts, which are shown in the page's language. */
async function loadTranslator(): Promise<(text: string) => string> {
  const keepUntranslated = (text: string) => text;
  if (currentLanguage() === 'mixto') return keepUntranslated;
  return import('../../shared/spanish.ts').then(
    ({ toSpanish }) => toSpanish,
    () => keepUntranslated,
  );
}

/** crypto.randomUUID is missing if a page comes over plain http from another machine. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Leaves empty fields out; for the API empty and absent fields are the same. */
function readFilledValues(form: FormData, fields: readonly { name: string }[]): Record<string, string> {
  const entries = fields.map(({ name }) => [name, String(form.get(name) ?? '').trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value));
}

const TIMEOUT_MS = 30_000;

interface CreationAnswer {
  id?: number;
  warnings?: string[];
  message?: string;
  fields?: Record<string, string>;
  code?: string;
}
