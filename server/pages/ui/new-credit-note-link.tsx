import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';

export const NewCreditNoteLink = ({ supplierId }: { supplierId?: number }) => (
  <LinkButton href={withQuery(pages.newCreditNote, { supplierId })}>
    <span>
      Nota<span className="roomy"> de crédito</span>
    </span>
  </LinkButton>
);
