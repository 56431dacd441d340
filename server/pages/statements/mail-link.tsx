import { LinkButton } from '../../../shared/ui/Button.tsx';

/** Opens the letter; with script the PDF that goes with it is downloaded by the same click, else by the link beside it. */
export const MailLink = ({ letter, pdf }: { letter: string; pdf: string }) => (
  <LinkButton
    href={letter}
    icon="mail"
    data-also={pdf}
    aria-label="Enviar por correo"
    data-tip="Abre tu programa de correo; el PDF se descarga aparte, para adjuntarlo"
  >
    <span className="roomy">Enviar por correo</span>
  </LinkButton>
);
