export interface ReadPage {
  status: number;
  /** the words, with entities decoded */
  html: string;
  /** "error: Ya existe la factura …" */
  alerts: string[];
  /** the cells' words in the first table's body, row by row */
  rows: string[][];
  /** what a control of this name would post; of a picker, the chosen id */
  value(name: string): string | undefined;
  /** the errors shown beside the controls */
  errors: string[];
  /** name of the control that has the focus on arrival; of a picker, its label */
  focused: string | undefined;
  /** the addresses of links with this text or accessible name */
  links(name: string | RegExp): string[];
  /** term → value of the definition lists (.totals, .facts) */
  facts: Record<string, string>;
}

export async function readPage(response: Response | Promise<Response>): Promise<ReadPage> {
  const { status } = await response;
  const html = decode(await (await response).text());
  // the content of <noscript> belongs to another page
  const scripted = html.replace(/<noscript>.*?<\/noscript>/gs, '');
  const alerts = matches(
    scripted,
    /<div class="alert (\w+)"[^>]*>.*?<strong>.*?<\/strong><div>(.*?)<\/div>/gs,
  ).map(([tone, text]) => `${tone}: ${words(text)}`);
  const rows = matches(/<tbody>(.*?)<\/tbody>/s.exec(scripted)?.[1] ?? '', /<tr[^>]*>(.*?)<\/tr>/gs).map(
    ([row]) => matches(row, /<td[^>]*>(.*?)<\/td>/gs).map(([cell]) => words(cell)),
  );
  const focused = /<\w+[^>]*\bautofocus\b[^>]*>/i.exec(scripted)?.[0] ?? '';
  return {
    status,
    html,
    alerts,
    rows,
    value: (name) => postedValue(scripted, name),
    errors: matches(scripted, /class="field-error"[^>]*>(.*?)<\/div>/gs).map(([text]) => words(text)),
    focused: attribute(focused, 'name') ?? labelOf(scripted, attribute(focused, 'id')),
    links: (name) =>
      matches(scripted, /<a([^>]*)>(.*?)<\/a>/gs).flatMap(([tag, content]) => {
        const label = attribute(tag, 'aria-label') ?? words(content);
        const isMeant = typeof name === 'string' ? label === name : name.test(label);
        return isMeant ? [attribute(tag, 'href') ?? ''] : [];
      }),
    facts: Object.fromEntries(
      matches(scripted, /<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs).map(([term, value]) => [
        words(term),
        words(value),
      ]),
    ),
  };
}

function postedValue(html: string, name: string): string | undefined {
  const input = new RegExp(`<input(?=[^>]* name="${name}")[^>]*>`).exec(html)?.[0];
  if (input) return attribute(input, 'value') ?? '';
  const area = new RegExp(`<textarea(?=[^>]* name="${name}")[^>]*>(.*?)</textarea>`, 's').exec(html)?.[1];
  if (area !== undefined) return area;
  const output = new RegExp(`<output(?=[^>]* name="${name}")[^>]*>(.*?)</output>`, 's').exec(html)?.[1];
  if (output !== undefined) return words(output);
  const select = new RegExp(`<select(?=[^>]* name="${name}")[^>]*>(.*?)</select>`, 's').exec(html)?.[1];
  return attribute(/<option[^>]*selected[^>]*>/.exec(select ?? '')?.[0] ?? '', 'value');
}

function labelOf(html: string, id = ''): string | undefined {
  const label = matches(html, /<label([^>]*)>(.*?)<\/label>/gs).find(([tag]) => attribute(tag, 'for') === id);
  return label && words(label[1]);
}

const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((found) => found.slice(1).map((group) => group ?? '')) as [
    string,
    string,
  ][];

const words = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const decode = (html: string) =>
  html
    .replaceAll('&#x27;', "'")
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    // a quote inside an attribute (an island's properties) must not end it
    .replaceAll('&quot;', '”');
