import type { ReactNode } from 'react';

export interface ShownDocument {
  /** the page that shows it alone */
  href: string;
  filename: string;
  /** a PDF is drawn by half a megabyte of script, which is loaded only on demand */
  isPdf?: boolean;
}

interface WithDocumentsProps {
  documents: readonly ShownDocument[];
  children: ReactNode;
}

/** On wide windows the loader shows the first document beside the page; others, and those without script, have links. */
export const WithDocuments = ({ documents, children }: WithDocumentsProps) =>
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

/** The XML that an invoice or an expense is made of comes first. */
export const documentsOf = (
  address: string,
  attachments: readonly { id: number; filename: string; kind: string }[],
): ShownDocument[] =>
  attachments
    .toSorted((one, other) => Number(other.kind === 'cfdi') - Number(one.kind === 'cfdi'))
    .map(({ id, filename, kind }) => ({ href: `${address}/${id}/ver`, filename, isPdf: kind === 'pdf' }));
