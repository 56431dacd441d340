import { Alert } from '../../shared/ui/Alert.tsx';
import { Check } from '../../shared/ui/Check.tsx';

export const NewSupplierCheck = ({ text, checked }: { text: string; checked: boolean }) => (
  <Check name="createSupplier" checked={checked}>
    {text}
  </Check>
);

export const MismatchAcceptance = ({ text, checked }: { text: string; checked: boolean }) => (
  <div>
    <Alert tone="warning" dismissible={false}>
      {text}
    </Alert>
    <Check name="allowMismatch" checked={checked}>
      Acepto el total del documento
    </Check>
  </div>
);
