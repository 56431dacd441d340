import { Button } from '../shared/ui/Button.tsx';
import { Chosen } from './tray/Chosen.tsx';

/** The form that boxes in rows belong to, wherever they stand. */
export const TRAY = 'programar';

interface PaymentTrayProps {
  /** where invoices are chosen to be paid together */
  action: string;
  /** what its button says: that nothing is stored yet */
  step: { name: string; value: string };
}

/**
 * What is ticked among the rows of a list, and the way to pay it. The stylesheet shows it with the first tick, and only
 * then it comes alive; without script its button does the same.
 */
export default function PaymentTray({ action, step }: PaymentTrayProps) {
  return (
    <form id={TRAY} className="tray" method="post" action={action} aria-label="Lo marcado">
      <Chosen form={TRAY}>
        <Button look="primary" icon="pay" name={step.name} value={step.value}>
          Programar pago
        </Button>
      </Chosen>
    </form>
  );
}
