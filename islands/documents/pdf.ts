import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist/build/pdf.min.mjs';

/** Only the first pages of a longer document are drawn; its link opens all of it. */
const MAX_PAGES = 10;

/** Draws the pages of the PDF at the address in `data-pdf`, before that element. @throws where it cannot be read */
export async function drawPdf(container: HTMLElement): Promise<void> {
  GlobalWorkerOptions.workerPort ??= new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    type: 'module',
  });
  const response = await fetch(container.dataset.pdf!);
  const data = new Uint8Array(await response.arrayBuffer());
  const task = getDocument({ data, verbosity: 0, enableXfa: false, useWasm: false });
  const pdf = await task.promise;
  const count = Math.min(pdf.numPages, MAX_PAGES);
  for (let number = 1; number <= count && container.isConnected; number++) {
    const page = await pdf.getPage(number);
    const natural = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: (container.clientWidth * devicePixelRatio) / natural.width });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    canvas.role = 'img';
    canvas.ariaLabel = `Página ${number} de ${pdf.numPages}`;
    await page.render({ canvas, viewport }).promise;
    container.before(canvas);
  }
  await task.destroy();
}
