import { Button } from '../shared/ui/Button.tsx';
import { Chosen } from './tray/Chosen.tsx';

/** What is ticked of the rows of a form, under them, with the button that sends it. */
export default function ChosenTotal({ form, button }: { form: string; button: string }) {
  return (
    <div className="tray any">
      <Chosen form={form}>
        <Button look="primary">{button}</Button>
      </Chosen>
    </div>
  );
}
