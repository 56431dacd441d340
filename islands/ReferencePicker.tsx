import { PickerField } from './pickers/PickerField.tsx';
import type { PickerFieldProps } from './pickers/picker.ts';

/** A form's picker where all else in the form is plain: a job's client, an invoice's supplier. */
export default function ReferencePicker(props: PickerFieldProps) {
  return <PickerField {...props} />;
}
