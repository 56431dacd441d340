import { PickerField, type PickerFieldProps } from './pickers/PickerField.tsx';

/** A form's one picker where all else in the form is plain: a job's client. */
export default function ReferencePicker(props: Omit<PickerFieldProps, 'onChange'>) {
  return <PickerField {...props} />;
}
