import { PickerField } from './pickers/PickerField.tsx';
import type { PickerFieldProps } from './pickers/picker.ts';

export default function ReferencePicker(props: PickerFieldProps) {
  return <PickerField {...props} />;
}
