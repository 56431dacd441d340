import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import type { FormState } from './record-form.tsx';
import { ReasonField } from './refusal-reason.tsx';

interface ConfirmStepProps {
  summary: ReactNode;
  question: string;
  action: string;
  /** version of the row that was shown; absent where the step does not check it */
  version?: string;
  button: string;
  nextPath?: string;
  isOpen?: boolean;
  /** the id of the field for a reason, where the step always requires one */
  reasonFieldId?: string;
  /** the page's state after this or another step was refused */
  refused?: Pick<FormState, 'stepAddress' | 'values' | 'problem'>;
}

export function ConfirmStep({
  summary,
  question,
  action,
  version,
  button,
  nextPath,
  isOpen = false,
  reasonFieldId,
  refused,
}: ConfirmStepProps) {
  const isRefused = refused?.stepAddress === action;
  return (
    <Disclosure summary={summary} isOpen={isOpen || isRefused}>
      <form method="post" action={action} className="stack" data-busy="">
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        {nextPath && <input type="hidden" name="next" value={nextPath} />}
        <p>{question}</p>
        {(isRefused || reasonFieldId) && (
          <ReasonField {...(isRefused && refused)} requiredFieldId={reasonFieldId} />
        )}
        <div className="actions">
          <Button look="danger">{button}</Button>
        </div>
      </form>
    </Disclosure>
  );
}
