import { Field, type FieldProps } from '../../shared/ui/Field.tsx';
import { PickerField } from '../pickers/PickerField.tsx';
import type { PickerFieldProps } from '../pickers/picker.ts';

export const USUAL_PROPOSAL_HINT = 'Propuesta, por sus tres últimas facturas.';

export type ControlProps = ({ kind: 'ref' } & PickerFieldProps) | FieldProps;

type FormControlProps = { control: ControlProps } & Pick<PickerFieldProps, 'onPick' | 'proposal'>;

export function FormControl({ control, onPick, proposal }: FormControlProps) {
  if (control.kind !== 'ref') return <Field {...control} />;
  const { kind: _kind, ...picker } = control;
  return <PickerField proposalHint={USUAL_PROPOSAL_HINT} {...picker} onPick={onPick} proposal={proposal} />;
}
