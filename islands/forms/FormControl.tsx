import { Field, type FieldProps } from '../../shared/ui/Field.tsx';
import { PickerField, type PickerFieldProps } from '../pickers/PickerField.tsx';

/** One control of a form as plain data: that of a picker, or of a field. */
export type ControlProps = ({ kind: 'ref' } & PickerFieldProps) | FieldProps;

/** @param onPick told of what a picker chooses: the row as the API has it, or null */
export function FormControl({
  control,
  onPick,
}: {
  control: ControlProps;
  onPick?: PickerFieldProps['onPick'];
}) {
  if (control.kind !== 'ref') return <Field {...control} />;
  const { kind: _kind, ...picker } = control;
  return <PickerField {...picker} onPick={onPick} />;
}
