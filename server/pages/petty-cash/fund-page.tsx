import type { ReactNode } from 'react';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { renderPage } from '../../shell/render.tsx';
import { historyLink } from '../ui/history-link.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';

interface FundPage {
  title: string;
  fund: { id: number; nombre: string };
  state: Pick<FormState, 'problem' | 'status'>;
  auditedRow?: readonly [entity: string, id: number];
}

export const renderFundSubpage = (
  c: AppContext,
  { title, fund, state: { problem, status }, auditedRow }: FundPage,
  content: ReactNode,
) =>
  renderPage(
    c,
    {
      title,
      subtitle: fund.nombre,
      status,
      actions: (
        <>
          <LinkButton href={pages.pettyCashFund(fund.id)}>Ver la caja</LinkButton>
          {auditedRow && historyLink(c, ...auditedRow)}
        </>
      ),
    },
    <div className="stack">
      <RefusedAlert problem={problem} />
      {content}
    </div>,
  );

/** The field is folded, since counts and requests seldom need comments. */
export const FoldedCommentsField = ({ value, error }: { value: string | undefined; error?: string }) => (
  <div className="wide">
    <Disclosure summary="Observaciones" isOpen={Boolean(value || error)}>
      <Field
        name="comments"
        label="Observaciones"
        kind="textarea"
        value={value}
        error={error}
        maxLength={4000}
        wide
      />
    </Disclosure>
  </div>
);
