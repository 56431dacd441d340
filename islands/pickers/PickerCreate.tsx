import {
  type ComponentType,
  type FormEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { LOGIN_PATH } from '../loader/paths.ts';
import { type Created, newKey, type Refused, sendCreation, valuesOf } from './creation.ts';
import { PickerView } from './PickerView.tsx';
import { type CreationForm, type PickerRow, type PickerSpec, rowName } from './picker.ts';

interface PickerCreateProps {
  /** "Nuevo proveedor" */
  title: string;
  form: CreationForm;
  nameField: string;
  /** what the filter had, for a name */
  proposal: string;
  shown: boolean;
  /** picks the row of another list that a field names; the level above, which shows this form, knows how */
  level: ComponentType<NestedLevelProps>;
  onCreated: (row: PickerRow) => void;
  onLeave: () => void;
}

interface NestedLevelProps {
  spec: PickerSpec;
  isNested: boolean;
  onPick: (row: PickerRow) => void;
  onLeave: () => void;
}

/** The short form of a new row inside a picker's dialog; the API saves it and judges it. */
export function PickerCreate(props: PickerCreateProps) {
  const { title, form, nameField, proposal, shown, level: Level, onCreated, onLeave } = props;
  const id = useId();
  const element = useRef<HTMLFormElement>(null);
  const [key, setKey] = useState(newKey);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const [created, setCreated] = useState<Created>();
  /** rows of other lists, by field; and the field that one is being picked for */
  const [chosen, setChosen] = useState<Readonly<Record<string, PickerRow | undefined>>>({});
  const [asking, setAsking] = useState<string>();
  const isForm = shown && !asking && !created;

  useProposal(element, nameField, proposal);
  useEffect(() => {
    if (shown) focusOn(element, nameField);
  }, [shown, nameField]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const values = valuesOf(new FormData(event.currentTarget));
    setBusy(true);
    setRefused(undefined); // a message that was mended away comes back as a new one
    const answer = await sendCreation(form.url, key, values);
    setBusy(false);
    if ('row' in answer) return answer.warnings.length > 0 ? setCreated(answer) : onCreated(answer.row);
    if (answer.isKeyUsed) setKey(newKey());
    flushSync(() => setRefused(answer));
    focusOn(element, form.fields.find(({ name }) => answer.fields[name])?.name);
  };

  const leave = () => {
    if (!busy) onLeave();
  };

  const choose = (row?: PickerRow) => {
    flushSync(() => {
      if (row && asking) setChosen({ ...chosen, [asking]: row });
      setAsking(undefined);
    });
    focusOn(element, asking);
  };

  const target = form.fields.find(({ name }) => name === asking)?.picker;
  return (
    <>
      <PickerView title={title} shown={isForm} onLeave={leave}>
        <form ref={element} className="dialog-view" aria-label={title} noValidate onSubmit={submit}>
          <div className="dialog-body">
            {refused && <RefusedAlert refused={refused} />}
            <div className="fields">
              {form.fields.map(({ picker, ...field }) => {
                const { name } = field;
                const shared = { ...field, id: id + name, error: refused?.fields[name] };
                if (!picker) return <Field key={name} {...shared} />;
                const row = chosen[name];
                return (
                  <PickerChoice
                    key={name}
                    {...shared}
                    title={picker.title}
                    value={row?.id}
                    chosen={row && rowName(row, picker)}
                    onOpen={() => setAsking(name)}
                  />
                );
              })}
            </div>
          </div>
          <div className="dialog-foot">
            <Button look="primary" busy={busy}>
              {form.save}
            </Button>
            <Button type="button" onClick={leave}>
              Volver
            </Button>
          </div>
        </form>
      </PickerView>
      {shown && target && <Level spec={target} onPick={choose} onLeave={() => choose()} isNested />}
      {created && <Warned title={title} created={created} onRead={() => onCreated(created.row)} />}
    </>
  );
}

function RefusedAlert({ refused }: { refused: Refused }) {
  return (
    <Alert tone="error" dismissible={false}>
      {refused.message}{' '}
      {refused.needsSignIn && (
        <a href={LOGIN_PATH} target="_blank" rel="noopener">
          Iniciar sesión
        </a>
      )}
    </Alert>
  );
}

/** The row is stored; what its author should know is read before the dialog closes. */
function Warned({ title, created, onRead }: { title: string; created: Created; onRead: () => void }) {
  return (
    <PickerView title={title} shown onLeave={onRead}>
      <div className="dialog-body">
        <Alert tone="success" dismissible={false}>
          Se guardó, con un aviso.
        </Alert>
        {created.warnings.map((warning) => (
          <Alert key={warning} tone="warning" dismissible={false}>
            {warning}
          </Alert>
        ))}
      </div>
      <div className="dialog-foot">
        <Button type="button" look="primary" autoFocus onClick={onRead}>
          Continuar
        </Button>
      </div>
    </PickerView>
  );
}

/** The name follows what is typed in the filter until somebody changes it here. */
function useProposal(form: RefObject<HTMLFormElement | null>, nameField: string, proposal: string) {
  const last = useRef('');
  useEffect(() => {
    const input = form.current?.elements.namedItem(nameField);
    if (!(input instanceof HTMLInputElement) || input.value !== last.current) return;
    input.value = proposal;
    last.current = proposal;
  }, [form, nameField, proposal]);
}

/** The control of this name; of a choice its button; without a name what sends the form. */
function focusOn(form: RefObject<HTMLFormElement | null>, name?: string) {
  const wanted = name ? `[name="${name}"]:not([type=hidden]), [data-for="${name}"]` : 'button:not([type])';
  form.current?.querySelector<HTMLElement>(wanted)?.focus();
}

interface PickerChoiceProps {
  id: string;
  name: string;
  label: string;
  /** of the view that the button leads to: "Seleccionar cliente" */
  title: string;
  value?: number;
  chosen?: string;
  required?: boolean;
  error?: string;
  onOpen: () => void;
}

/** In a dialog's form: a row of another list, picked in another view of the same dialog. */
function PickerChoice(props: PickerChoiceProps) {
  const { id, name, label, title, value, chosen, required, error, onOpen } = props;
  return (
    <div className="field wide">
      <label id={`${id}-label`} className={required ? 'label req' : 'label'} htmlFor={id}>
        {label}
      </label>
      <input type="hidden" name={name} value={value ?? ''} />
      <div className="picker">
        <output id={`${id}-chosen`} className={chosen ? 'control' : 'control soft'} title={chosen}>
          {chosen ?? 'Sin seleccionar'}
        </output>
        <Button
          id={id}
          type="button"
          data-for={name}
          aria-label={title}
          aria-describedby={error ? `${id}-chosen ${id}-note` : `${id}-chosen`}
          aria-invalid={error ? true : undefined}
          onClick={onOpen}
        >
          Seleccionar…
        </Button>
      </div>
      {error && (
        <div id={`${id}-note`} className="field-error">
          <Icon name="warning" />
          {error}
        </div>
      )}
    </div>
  );
}
