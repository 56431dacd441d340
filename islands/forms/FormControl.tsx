import { Field, type FieldProps } from '../../shared/ui/Field.tsx';
import type { PickerFieldProps } from '../pickers/fieldProps.ts';
import { PickerField } from '../pickers/PickerField.tsx';
import { PROPOSED } from './proposed.ts';

/** One control of a form as plain data: that of a picker, or of a field. */
export type ControlProps = ({ kind: 'ref' } & PickerFieldProps) | FieldProps;

type FormControlProps = { control: ControlProps } & Pick<PickerFieldProps, 'onPick' | 'proposal'>;

/** @param onPick told of what a picker chooses: the row as the API has it, or null */
export function FormControl({ control, onPick, proposal }: FormControlProps) {
  if (control.kind !== 'ref') return <Field {...control} />;
  const { kind: _kind, ...picker } = control;
  return <PickerField {...picker} onPick={onPick} proposal={proposal} proposedAs={PROPOSED} />;
}
