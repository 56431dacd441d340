import { SaxesParser } from 'saxes';
import { DomainError } from '../../../shared/errors.ts';
import { unreadable } from './limits.ts';
import { damaged } from './workbook-zip.ts';

/** An element's attributes by local name; `r:id` is "id" beside others, for no two of ours collide. */
export type Attributes = Readonly<Record<string, string>>;

interface XmlHandlers {
  open(name: string, attributes: Attributes): void;
  close?(name: string): void;
  /** the text between two tags, in one or more pieces */
  text?(text: string): void;
  /** asked after each piece of the file: enough of it was read */
  done?(): boolean;
}

const MAX_DEPTH = 64;

/**
 * Runs through a part without keeping it. Names come without prefix, since some programs write `x:row`.
 * @throws DomainError where it is not well-formed or brings a DOCTYPE
 */
export async function parseXml(pieces: AsyncIterable<string>, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('error', () => {
    throw damaged();
  });
  parser.on('doctype', () => {
    throw unreadable('El libro trae un DOCTYPE; por seguridad no se lee.', 'doctype');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw damaged();
    handlers.open(localName(name), withoutPrefixes(attributes));
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    handlers.close?.(localName(name));
  });
  if (handlers.text) {
    parser.on('text', (text) => handlers.text?.(text));
    parser.on('cdata', (text) => handlers.text?.(text));
  }
  try {
    for await (const piece of pieces) {
      parser.write(piece);
      if (handlers.done?.()) return;
    }
    parser.close();
  } catch (error) {
    throw error instanceof DomainError ? error : damaged();
  }
}

const localName = (name: string): string => {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
};

function withoutPrefixes(attributes: Record<string, string>): Attributes {
  for (const name in attributes) {
    if (!name.includes(':')) continue;
    const plain: Record<string, string> = {};
    for (const [prefixed, value] of Object.entries(attributes)) {
      if (!prefixed.startsWith('xmlns:')) plain[localName(prefixed)] = value;
    }
    return plain;
  }
  return attributes;
}
