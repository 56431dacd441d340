import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Reason } from './closed-period.tsx';
import type { FormState } from './record-form.tsx';

interface AskProps {
  summary: ReactNode;
  question: string;
  action: string;
  /** of the row as it was shown; none where any version of it will do */
  version?: string;
  button: string;
  /** where it leads to then */
  next?: string;
  /** whether it was asked for already */
  isOpen?: boolean;
  /** never done without a reason, whose field is called so */
  reason?: string;
  /** the last answer, where it was refused */
  refused?: Pick<FormState, 'asked' | 'values' | 'problem'>;
}

/** A step that asks before it is done, with or without script. */
export function Ask({
  summary,
  question,
  action,
  version,
  button,
  next,
  isOpen = false,
  reason,
  refused,
}: AskProps) {
  const isRefused = refused?.asked === action;
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
