import type { ReactNode } from 'react';
import type { Cents } from '../../../shared/money.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import type { IconName } from '../../../shared/ui/Icon.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { HiddenFields, type HiddenTexts } from './step-form.tsx';

interface NextActionBarProps {
  label: string;
  /** absent if the page's head shows the state */
  state?: ReactNode;
  /** `isLive`: hidden without script, which updates it while the form is filled in (islands/drafts/sums.ts) */
  sum?: { label: string; cents: Cents; note?: string; isLive?: true };
  missingText?: ReactNode;
  /** the next action: a primary button, or a form that ends in one */
  nextAction?: ReactNode;
  moreActions?: readonly ReactNode[];
  isOpen?: boolean;
}

export const MORE_ACTIONS_ID = 'mas-acciones';

/** Comes first in the markup, so that screen readers and the keyboard reach the next step before the lines. */
export function NextActionBar({
  label,
  state,
  sum,
  missingText,
  nextAction,
  moreActions = [],
  isOpen = false,
}: NextActionBarProps) {
  const folded = moreActions.filter(Boolean);
  return (
    <section className="step-bar" aria-label={label}>
      {state && <div className="step-state">{state}</div>}
      {sum && (
        <dl className={sum.isLive ? 'step-sum needs-script' : 'step-sum'}>
          <dt>{sum.label}</dt>
          <dd data-sum={sum.isLive ? '' : undefined}>
            <Money cents={sum.cents} />
          </dd>
          {sum.note && <dd className="hint">{sum.note}</dd>}
        </dl>
      )}
      {missingText && <p className="step-missing">{missingText}</p>}
      <div className="actions">
        {folded.length > 0 && !isOpen && (
          <Button type="button" className="step-more" popoverTarget={MORE_ACTIONS_ID}>
            Más acciones
          </Button>
        )}
        {nextAction}
      </div>
      {folded.length > 0 && (
        <div className="popover step-acts" id={MORE_ACTIONS_ID} popover={isOpen ? undefined : 'auto'}>
          {folded.map((action, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the actions are rendered once, on the server
            <div key={index}>{action}</div>
          ))}
        </div>
      )}
    </section>
  );
}

interface StepButtonProps {
  action: string;
  /** hidden fields: version, idempotencyKey */
  hidden?: HiddenTexts;
  look?: 'primary' | 'quiet' | 'danger';
  icon?: IconName;
  /** the accessible name, where the text is too short */
  label?: string;
  children: ReactNode;
}

export const StepButton = ({ action, hidden = {}, look, icon, label, children }: StepButtonProps) => (
  <form method="post" action={action} data-busy="" noValidate>
    <HiddenFields fields={hidden} />
    <Button look={look} icon={icon} aria-label={label}>
      {children}
    </Button>
  </form>
);
