import { pages } from '../../../shared/urls.ts';

export const ACCEPTED_DOCUMENT_TYPES =
  '.xml,.zip,.pdf,text/xml,application/xml,application/zip,application/pdf';

/** Accepts files dropped on the page. Links to this form open the file dialog (islands/loader/files.ts). */
export const FileDropForm = () => (
  <form method="post" action={pages.loadInvoice} encType="multipart/form-data" data-sends="" hidden>
    <input
      type="file"
      name="xml"
      accept={ACCEPTED_DOCUMENT_TYPES}
      multiple
      aria-hidden="true"
      tabIndex={-1}
    />
  </form>
);
