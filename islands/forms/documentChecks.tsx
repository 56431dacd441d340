import { Alert } from '../../shared/ui/Alert.tsx';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';

export const NewSupplierCheckbox = ({ text, checked }: { text: string; checked: boolean }) => (
  <Checkbox name="createSupplier" checked={checked}>
    {text}
  </Checkbox>
);

export const MismatchAcceptance = ({ text, checked }: { text: string; checked: boolean }) => (
  <div>
    <Alert tone="warning" isDismissible={false}>
      {text}
    </Alert>
    <Checkbox name="allowMismatch" checked={checked}>
      Acepto el total del documento
    </Checkbox>
  </div>
);
