/** Shows a document beside the page: the one whose link in [data-documents] was clicked, and the first one on load. */
function startDocumentPanel(panel: HTMLElement): void {
  const links = [...panel.querySelectorAll('a')];
  const region = panel.querySelector('section')!;
  panel.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || !links.includes(link) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void showDocument(link);
  });
  let current: HTMLAnchorElement;

  async function showDocument(link: HTMLAnchorElement): Promise<void> {
    current = link;
    for (const one of links) one.ariaCurrent = one === link ? 'true' : null;
    region.ariaBusy = 'true';
    const sheet = await fetchDocumentElement(link.href).catch(() => null);
    if (current !== link) return;
    region.replaceChildren(...(sheet ? sheet.childNodes : ['No se pudo mostrar el documento.']));
    region.scrollTop = 0;
    region.ariaBusy = null;
    const pdf = region.querySelector<HTMLElement>('[data-pdf]');
    if (pdf) await import('./pdf.ts').then(({ drawPdf }) => drawPdf(pdf)).catch(() => {}); // if this fails, the document's link remains
  }

  const first = links.find(({ dataset }) => dataset.onDemand === undefined);
  if (first) void showDocument(first);
}

async function fetchDocumentElement(address: string): Promise<HTMLElement | null> {
  const text = await (await fetch(address)).text();
  return new DOMParser().parseFromString(text, 'text/html').getElementById('document');
}

const documentPanel = document.querySelector<HTMLElement>('[data-documents]');
if (documentPanel && documentPanel.offsetWidth > 0) startDocumentPanel(documentPanel); // narrow windows do not show the panel

export {};
