import type { ReactNode } from 'react';
import { putFirst } from './long-table.tsx';

interface PanelDocument {
  /** address of the page that shows only this document */
  href: string;
  filename: string;
  /** whether drawing the document takes half a megabyte of script, which is only loaded on demand */
  isPdf?: boolean;
}

interface DocumentPanelLayoutProps {
  documents: readonly PanelDocument[];
  children: ReactNode;
}

/** On wide windows script shows the first document next to the page, and the others when their links are clicked. */
export const DocumentPanelLayout = ({ documents, children }: DocumentPanelLayoutProps) =>
  documents.length === 0 ? (
    children
  ) : (
    <div className="beside-document">
      <div>{children}</div>
      <aside
        className="document-panel needs-script no-print"
        aria-label="Documento"
        data-part=""
        data-documents=""
      >
        <p>
          {documents.map(({ href, filename, isPdf }) => (
            <a key={href} href={href} data-on-demand={isPdf ? '' : undefined}>
              <bdi>{filename}</bdi>
            </a>
          ))}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it */}
        <section tabIndex={0} aria-label="Contenido del documento" aria-live="polite">
          <p className="soft">Elige arriba el documento que quieres ver aquí.</p>
        </section>
      </aside>
    </div>
  );

/** The XML comes first, since it is the invoice or expense itself. */
export const toPanelDocuments = (
  address: string,
  attachments: readonly { id: number; filename: string; kind: string }[],
): PanelDocument[] =>
  putFirst(attachments, ({ kind }) => kind === 'cfdi').map(({ id, filename, kind }) => ({
    href: `${address}/${id}/ver`,
    filename,
    isPdf: kind === 'pdf',
  }));
