declare module 'pdfjs-dist/build/pdf.worker.min.mjs';

/** The part of the package's interface that is used here: its own types belong to a file that is not minified. */
declare module 'pdfjs-dist/build/pdf.min.mjs' {
  interface Viewport {
    readonly width: number;
    readonly height: number;
  }

  interface PdfPage {
    getViewport(options: { scale: number }): Viewport;
    render(options: { canvas: HTMLCanvasElement; viewport: Viewport }): { promise: Promise<void> };
  }

  interface LoadingTask {
    promise: Promise<{ numPages: number; getPage(number: number): Promise<PdfPage> }>;
    destroy(): Promise<void>;
  }

  export const GlobalWorkerOptions: { workerPort: Worker | null };
  export function getDocument(options: {
    data: Uint8Array;
    verbosity: number;
    enableXfa: boolean;
    useWasm: boolean;
  }): LoadingTask;
}
