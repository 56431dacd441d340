import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Reason } from './closed-period.tsx';
import type { FormState } from './record-form.tsx';

interface ConfirmStepProps {
  summary: ReactNode;
  question: string;
  action: string;
  /** of the row as it was shown; absent where any version will do */
  version?: string;
  button: string;
  /** where it leads once it is done */
  next?: string;
  isOpen?: boolean;
  /** the name of the field for a reason, without which it is never done */
  reason?: string;
  /** the last request, where it was refused */
  refused?: Pick<FormState, 'stepAddress' | 'values' | 'problem'>;
}

/** A step that asks for confirmation, with or without script. */
export function ConfirmStep({
  summary,
  question,
  action,
  version,
  button,
  next,
  isOpen = false,
  reason,
  refused,
}: ConfirmStepProps) {
  const isRefused = refused?.stepAddress === action;
  return (
    <Disclosure summary={summary} isOpen={isOpen || isRefused}>
      <form method="post" action={action} className="stack" data-busy="">
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        {next && <input type="hidden" name="next" value={next} />}
        <p>{question}</p>
        {(isRefused || reason) && <Reason {...(isRefused && refused)} always={reason} />}
        <div className="actions">
          <Button look="danger">{button}</Button>
        </div>
      </form>
    </Disclosure>
  );
}
