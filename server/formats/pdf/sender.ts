import type { Letterhead } from '../sheets/list-export.ts';
import type { Fonts } from './file.ts';
import type { Page } from './page.ts';
import { clip, printable, widthOf, wrap } from './text.ts';

type Sender = Pick<Letterhead, 'empresa' | 'rfc' | 'direccion'>;

export interface SenderLine {
  text: string;
  size: number;
  isName: boolean;
  /** how far above or below the other lines it stands */
  leading: number;
}

/** Who sends it: name, RFC and address, each on a second line where one does not hold it. */
export function senderLines(
  { empresa, rfc, direccion }: Sender,
  { regular, bold }: Fonts,
  width: number,
  sizes: { name: number; address: number },
): SenderLine[] {
  const address = [rfc && `RFC ${rfc}`, direccion].filter(Boolean).join('  ·  ');
  const lines = (text: string, size: number, isName: boolean): SenderLine[] => {
    const font = isName ? bold : regular;
    const leading = size * (isName ? 1.2 : 1.3);
    const broken = text ? wrap(printable(text, font), font, size, width, 2) : [];
    return broken.map((line) => ({ text: line, size, isName, leading }));
  };
  return [...lines(empresa, sizes.name, true), ...lines(address, sizes.address, false)];
}

/** On the pages after the first: what it is, and whose. One is cut only where both need more than half. */
export function drawRunningHead(
  page: Page,
  { title, empresa }: Pick<Letterhead, 'title' | 'empresa'>,
  { left, right }: { left: number; right: number },
  y: number,
  style: { size: number; grey: number },
): void {
  const { regular } = page.fonts;
  const [what, whose] = [printable(title, regular), printable(empresa, regular)];
  const room = right - left - 16;
  const beside = (text: string) => Math.max(room / 2, room - widthOf(text, regular, style.size));
  page.text(what, left, y, { ...style, width: beside(whose) });
  page.end(clip(whose, regular, style.size, beside(what)), right, y, style);
}
