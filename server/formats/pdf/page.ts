import type { Fonts, PdfPage, Rule, TextRun } from './file.ts';
import { clip, printable, widthOf } from './text.ts';

/** Where text and rules are unless they say otherwise, in points. */
interface PageFrame {
  left: number;
  right: number;
  /** of the letters */
  size: number;
  paper?: PdfPage['size'];
}

interface TextStyle {
  size?: number;
  bold?: boolean;
  /** 0 black to 1 white */
  grey?: number;
}

/** What is drawn on one page; texts are made printable here. */
export class Page implements PdfPage {
  readonly runs: TextRun[] = [];
  readonly rules: Rule[] = [];
  logo: PdfPage['logo'];
  readonly size: PdfPage['size'];
  readonly fonts: Fonts;
  readonly #frame: PageFrame;

  constructor(fonts: Fonts, frame: PageFrame) {
    this.fonts = fonts;
    this.size = frame.paper;
    this.#frame = frame;
  }

  text(text: string, x: number, y: number, style: TextStyle & { width?: number } = {}) {
    const { size = this.#frame.size, bold = false, grey = 0, width = this.#frame.right - x } = style;
    const font = bold ? this.fonts.bold : this.fonts.regular;
    if (text)
      this.runs.push({ text: clip(printable(text, font), font, size, width), x, y, size, bold, grey });
  }

  /** Ending at `right`. */
  end(text: string, right: number, y: number, style: TextStyle = {}) {
    const { size = this.#frame.size, bold = false, grey = 0 } = style;
    if (!text) return;
    const font = bold ? this.fonts.bold : this.fonts.regular;
    const shown = printable(text, font);
    const width = widthOf(shown, font, size);
    this.runs.push({ text: shown, x: right - width, y, size, bold, grey });
  }

  rule(y: number, weight: number, part: { x?: number; width?: number; grey?: number } = {}) {
    const { left, right } = this.#frame;
    const { x = left, width = right - left, grey = 0 } = part;
    this.rules.push({ x, y, width, weight, grey });
  }
}
