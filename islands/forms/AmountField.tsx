import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import { Field, type FieldProps } from '../../shared/ui/Field.tsx';
import { fetchArithmetic, workOut } from './workingOut.ts';

type Keys = ComponentType<{ input: RefObject<HTMLInputElement | null> }>;

/**
 * An amount, or a rate, in which something may be worked out: the result shows below while it is typed, and takes
 * the operation's place when the field is left. `onChange` is told of everything that is typed here.
 */
export function AmountField({ field, onChange }: { field: FieldProps; onChange: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState({ text: '', isWrong: false });
  const [Keys, setKeys] = useState<Keys>();
  const { name, label, readOnly } = field;
  const noteId = `${field.id ?? name}-result`;

  // Only a finger needs them; without them the digits are still there.
  useEffect(() => {
    if (readOnly || !matchMedia('(pointer: coarse)').matches) return;
    import('./OperatorKeys.tsx').then(({ OperatorKeys }) => setKeys(() => OperatorKeys), console.warn);
  }, [readOnly]);

  const follow = async (isLeft: boolean) => {
    const control = input.current;
    if (!control || readOnly) return;
    await fetchArithmetic(control.value);
    const result = workOut(name, control.value, label);
    const isWrong = isLeft && result !== undefined && result.text === undefined;
    setNote({ text: result && (result.text || isLeft) ? result.shown : '', isWrong });
    if (isLeft && result?.text) control.value = result.text;
    onChange();
  };

  return (
    <Field
      {...field}
      inputRef={input}
      onInput={() => void follow(false)}
      onBlur={() => void follow(true)}
      isWrong={note.isWrong}
      describedBy={noteId}
      below={
        <>
          {/* There from the start, so that a screen reader hears what is put in later. */}
          <output id={noteId} className={note.isWrong ? 'hint wrong' : 'hint'}>
            {note.text}
          </output>
          {Keys && <Keys input={input} />}
        </>
      }
    />
  );
}
