export interface PageContent {
  status: number;
  /** The page's HTML, with its entities decoded. */
  decodedHtml: string;
  /** the tone and the text of each alert: "error: Ya existe la factura …" */
  alerts: string[];
  /** the cells' words in the first table's body, row by row */
  rows: string[][];
  /** what a control of this name would post; of a picker, the chosen id */
  value(name: string): string | undefined;
  /** the errors shown beside the controls */
  errors: string[];
  /** name of the control that has the focus on arrival; of a picker, its label */
  focusedControlName: string | undefined;
  /** the addresses of links with this text or accessible name */
  links(name: string | RegExp): string[];
  /** the values in the definition lists (.totals, .facts), by term */
  facts: Record<string, string>;
}

export async function readPage(response: Response | Promise<Response>): Promise<PageContent> {
  const { status } = await response;
  const html = decodeEntities(await (await response).text());
  // browsers show the content of <noscript> only without script
  const scripted = html.replace(/<noscript>.*?<\/noscript>/gs, '');
  const alerts = matchAllGroups(
    scripted,
    /<div class="alert (\w+)"[^>]*>.*?<strong>.*?<\/strong><div>(.*?)<\/div>/gs,
  ).map(([tone, text]) => `${tone}: ${htmlToText(text)}`);
  const rows = matchAllGroups(
    /<tbody>(.*?)<\/tbody>/s.exec(scripted)?.[1] ?? '',
    /<tr[^>]*>(.*?)<\/tr>/gs,
  ).map(([row]) => matchAllGroups(row, /<td[^>]*>(.*?)<\/td>/gs).map(([cell]) => htmlToText(cell)));
  const focused = /<\w+[^>]*\bautofocus\b[^>]*>/i.exec(scripted)?.[0] ?? '';
  return {
    status,
    decodedHtml: html,
    alerts,
    rows,
    value: (name) => readPostedValue(scripted, name),
    errors: matchAllGroups(scripted, /class="field-error"[^>]*>(.*?)<\/div>/gs).map(([text]) =>
      htmlToText(text),
    ),
    focusedControlName: readAttribute(focused, 'name') ?? findLabel(scripted, readAttribute(focused, 'id')),
    links: (name) =>
      matchAllGroups(scripted, /<a([^>]*)>(.*?)<\/a>/gs).flatMap(([tag, content]) => {
        const label = readAttribute(tag, 'aria-label') ?? htmlToText(content);
        const isMeant = typeof name === 'string' ? label === name : name.test(label);
        return isMeant ? [readAttribute(tag, 'href') ?? ''] : [];
      }),
    facts: Object.fromEntries(
      matchAllGroups(scripted, /<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs).map(([term, value]) => [
        htmlToText(term),
        htmlToText(value),
      ]),
    ),
  };
}

function readPostedValue(html: string, name: string): string | undefined {
  const input = new RegExp(`<input(?=[^>]* name="${name}")[^>]*>`).exec(html)?.[0];
  if (input) return readAttribute(input, 'value') ?? '';
  const area = new RegExp(`<textarea(?=[^>]* name="${name}")[^>]*>(.*?)</textarea>`, 's').exec(html)?.[1];
  if (area !== undefined) return area;
  const output = new RegExp(`<output(?=[^>]* name="${name}")[^>]*>(.*?)</output>`, 's').exec(html)?.[1];
  if (output !== undefined) return htmlToText(output);
  const select = new RegExp(`<select(?=[^>]* name="${name}")[^>]*>(.*?)</select>`, 's').exec(html)?.[1];
  return readAttribute(/<option[^>]*selected[^>]*>/.exec(select ?? '')?.[0] ?? '', 'value');
}

function findLabel(html: string, id = ''): string | undefined {
  const label = matchAllGroups(html, /<label([^>]*)>(.*?)<\/label>/gs).find(
    ([tag]) => readAttribute(tag, 'for') === id,
  );
  return label && htmlToText(label[1]);
}

const readAttribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

const matchAllGroups = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((found) => found.slice(1).map((group) => group ?? '')) as [
    string,
    string,
  ][];

const htmlToText = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const decodeEntities = (html: string) =>
  html
    .replaceAll('&#x27;', "'")
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    // a quote inside an attribute (an island's properties) must not end it
    .replaceAll('&quot;', '”');
