import { LinkButton } from '../../../shared/ui/Button.tsx';

interface MailLinkProps {
  letter: string;
  pdf: string;
  /** of several on a page what they send too */
  says?: string;
}

/** Opens the letter; with script the PDF that goes with it is downloaded by the same click, else by the link beside it. */
export const MailLink = ({ letter, pdf, says = 'Enviar por correo' }: MailLinkProps) => (
  <LinkButton
    href={letter}
    icon="mail"
    data-also={pdf}
    aria-label={says}
    data-tip="Abre tu programa de correo; el PDF se descarga aparte, para adjuntarlo"
  >
    <span className="roomy">{says}</span>
  </LinkButton>
);
