/** The package has types for its main module only. */
declare module 'pdfjs-dist/image_decoders/pdf.image_decoders.min.mjs' {
  export class JpegImage {
    readonly width: number;
    readonly height: number;
    /** @throws where the file is damaged */
    parse(bytes: Uint8Array): void;
    getData(options: { width: number; height: number; forceRGB: true }): Uint8Array;
  }
}
