import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import { Field, type FieldProps } from '../../shared/ui/Field.tsx';
import { evaluateOperation, loadArithmeticIfNeeded } from './evaluation.ts';

type OperatorKeysComponent = ComponentType<{ input: RefObject<HTMLInputElement | null> }>;

interface AmountFieldProps {
  field: FieldProps;
  onChange: () => void;
  problem?: string;
  isProposal?: boolean;
}

/** Where an operation such as 3*250 is typed, its result is shown below, and replaces the operation on blur. */
export function AmountField({ field, onChange, problem, isProposal }: AmountFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState({ text: '', isWrong: false });
  const [Keys, setKeys] = useState<OperatorKeysComponent>();
  /** Once the text has changed, the server's error no longer applies to it. */
  const [isTouched, setTouched] = useState(false);
  const { name, label, readOnly } = field;
  const noteId = `${field.id ?? name}-result`;

  // Only touch screens need the operator keys; if these fail to load, digits can still be typed.
  useEffect(() => {
    if (readOnly || !matchMedia('(pointer: coarse)').matches) return;
    import('./OperatorKeys.tsx').then(({ OperatorKeys }) => setKeys(() => OperatorKeys), console.warn);
  }, [readOnly]);

  const evaluateTypedAmount = async (isLeaving: boolean) => {
    const control = input.current;
    if (!control || readOnly) return;
    await loadArithmeticIfNeeded(control.value);
    const evaluation = evaluateOperation(name, control.value, label);
    const isWrong = isLeaving && evaluation !== undefined && evaluation.text === undefined;
    setNote({ text: evaluation && (evaluation.text || isLeaving) ? evaluation.shown : '', isWrong });
    if (isLeaving && evaluation?.text) control.value = evaluation.text;
    onChange();
  };

  const error = isTouched ? undefined : field.error;
  const shownProblem = error === undefined ? problem : undefined;
  const isWrong = note.isWrong || shownProblem !== undefined;
  const text = note.text && shownProblem ? `${note.text}. ${shownProblem}` : note.text || shownProblem;
  const look = isWrong ? 'hint wrong' : isProposal ? 'hint proposal' : 'hint';
  return (
    <Field
      {...field}
      error={error}
      inputRef={input}
      onInput={() => {
        setTouched(true);
        void evaluateTypedAmount(false);
      }}
      onBlur={() => void evaluateTypedAmount(true)}
      isWrong={isWrong}
      describedBy={noteId}
      below={
        <>
          {/* Rendered from the start, so that screen readers announce changes. */}
          <output id={noteId} className={look}>
            {text || (isProposal && 'Propuesta: todo lo que se debe.')}
          </output>
          {Keys && <Keys input={input} />}
        </>
      }
    />
  );
}
