import { formatMoney, parseMoney } from '../../shared/money.ts';
import type { TestClient } from './app.ts';
import { type PageContent, readPage } from './page.ts';

export interface Figure {
  /** its label: the column, the term of a list, or the link's own words */
  label: string;
  /** the amount as it is shown: "$1,160.00" */
  text: string;
  href: string;
}

export interface Figures {
  linkedFigures: Figure[];
  unlinkedAmounts: string[];
  /** amounts without a link that are the sum of amounts beside them, which have links */
  sumsWithParts: { text: string; parts: string[] }[];
}

/** These parts of a page repeat others: the texts of a drawing, and the table behind it. */
const REPEATED_PART_PATTERNS = [
  /<noscript>.*?<\/noscript>/gs,
  /<div class="visually-hidden">.*?<\/div>/gs,
  /<g aria-hidden="true">.*?<\/g>/gs,
  /<title>.*?<\/title>/gs,
];

export function readFigures(html: string): Figures {
  let shown = REPEATED_PART_PATTERNS.reduce((text, pattern) => text.replace(pattern, ''), html);
  const nets: Figures['sumsWithParts'] = [];
  shown = shown.replace(NET_SUM_PATTERN, (_, net: string, parts: string) => {
    nets.push({ text: htmlToWords(net), parts: splitSumParts(htmlToWords(parts)) });
    return parts;
  });
  shown = shown.replace(/<dl class="totals[^>]*>.*?<\/dl>/gs, (sum) => {
    const { net, parts } = netOfSum(sum);
    if (net) nets.push({ text: findAmounts(htmlToWords(net))[0] ?? '', parts });
    return net ? sum.replace(net, '') : sum;
  });
  const linked: Figure[] = [];
  const rest = shown.replace(/<a ([^>]*)>(.*?)<\/a>/gs, (_, tag: string, inner: string, at: number) => {
    const words = readAttribute(tag, 'aria-label') ?? htmlToWords(inner);
    const label = findLabelBefore(shown.slice(0, at)) || words;
    const href = readAttribute(tag, 'href') ?? '';
    for (const text of findAmounts(words)) linked.push({ label, text: text.replace('−', ''), href });
    return ' ';
  });
  // An amount of zero has no rows to link to.
  const loose = [...htmlToWords(rest).matchAll(/.{0,40}-?\$(?!0\.00)[\d,]+\.\d\d(?! M)/g)].map(
    ([words]) => words,
  );
  return { linkedFigures: linked, unlinkedAmounts: loose, sumsWithParts: nets };
}

const NET_SUM_PATTERN = /<summary class="money">([^<]*)<\/summary>(<small class="parts">.*?<\/small>)/gs;

/** The result of a sum is no link, since its terms are links. */
function netOfSum(sum: string): { net?: string; parts: string[] } {
  const [net] = /<div class="result"(?:(?!<a ).)*?<\/div>/s.exec(sum) ?? [];
  const terms = [...sum.matchAll(/<div(?: data-op="(.)")?><dt>.*?<\/dt><dd>(.*?)<\/dd>/gs)];
  return {
    net,
    parts: terms.map(([, sign = '', term = '']) => (sign === '−' ? sign : '') + htmlToWords(term)),
  };
}

/** Reads "Facturas $9.00 − Notas de crédito $5.00": a subtracted amount gets its sign. */
const splitSumParts = (words: string): string[] =>
  [...words.matchAll(/(− )?[^$−+]*?(-?\$[\d,]+\.\d\d)/g)].map(
    ([, sign = '', text = '']) => sign.trim() + text,
  );

/** Reads "−$5.00" where a sign stands before the amount. */
const findAmounts = (words: string): string[] =>
  [...words.matchAll(/(− )?(-?\$[\d,]+\.\d\d)(?! M)/g)].map(([, sign = '', text = '']) => sign.trim() + text);

function findLabelBefore(html: string): string {
  const labelled = html.lastIndexOf('data-label="');
  const term = html.lastIndexOf('<dt>');
  if (labelled > term) {
    const cell = html.slice(labelled);
    return cell.includes('</td>') ? '' : (readAttribute(cell, 'data-label') ?? '');
  }
  return term < 0 || html.lastIndexOf('</dl>') > term
    ? ''
    : htmlToWords(html.slice(term, html.indexOf('</dt>', term)));
}

export interface ListSums {
  pending: string;
  total: string;
  sinIva: string;
  taxes: string;
  /** the amount that left the bank, and the amount that was settled on the invoices */
  paid: string;
  settled: string;
  paidSinIva: string;
  /** the total that Resultados, or the list of petty cash expenses, shows */
  spent: string;
  credit: string;
  creditSinIva: string;
}

/** Each address is asked for once. The sums of rows that are all on the page must equal the sums of the list. */
export class FigureFollower {
  readonly #pages = new Map<string, Promise<Partial<ListSums>>>();
  readonly pageClient: TestClient;
  readonly apiClient: TestClient;

  constructor(browser: TestClient, script: TestClient) {
    this.pageClient = browser;
    this.apiClient = script;
  }

  readSums(href: string): Promise<Partial<ListSums>> {
    const page = this.#pages.get(href) ?? this.#follow(href);
    this.#pages.set(href, page);
    return page;
  }

  async #follow(href: string): Promise<Partial<ListSums>> {
    const { pathname, search } = new URL(href, 'http://saldo.test');
    const page = await readPage(this.pageClient.get(pathname + search));
    if (page.status !== 200) throw new Error(`${href}: ${page.status}`);
    if (pathname === '/invoices') return this.#invoices(page, search);
    if (pathname === '/pagos-proveedores') {
      return {
        paid: page.facts['Total pagado'],
        paidSinIva: page.facts['Pagado, sin IVA'],
        settled: page.facts['Abonado a facturas'] ?? page.facts['Total pagado'],
        credit: page.facts['Notas de crédito'],
        creditSinIva: page.facts['Notas de crédito, sin IVA'],
      };
    }
    if (pathname === '/caja-chica/gastos') return { spent: page.facts['Total de gastos'] };
    if (pathname === '/') return { spent: SPENT_FIGURE_PATTERN.exec(page.decodedHtml)?.[1] };
    throw new Error(`no list: ${href}`);
  }

  async #invoices({ facts, rows }: PageContent, search: string): Promise<Partial<ListSums>> {
    const { headers } = await this.apiClient.get(`/api/facturaproveedores/search/${search}`);
    const sumOf = (name: string) => formatMoney(parseMoney(headers.get(name), name));
    const sums = {
      pending: sumOf('x-sum-pending'),
      total: sumOf('x-sum-total'),
      sinIva: sumOf('x-sum-siniva'),
      taxes: facts['IVA, menos retenciones'] ?? '',
    };
    const shown = { pending: facts['Total pendiente'], total: facts['Total facturas'] };
    const added = rows.reduce((sum, cells) => sum + parseMoney(cells[6], 'pending'), 0);
    if (shown.pending !== sums.pending || shown.total !== sums.total)
      throw new Error(`page and API differ at ${search}: ${JSON.stringify([shown, sums])}`);
    if (rows.length < 50 && formatMoney(added) !== sums.pending)
      throw new Error(`rows of ${search} add up to ${formatMoney(added)}, not ${sums.pending}`);
    const cost = facts['Costo sin IVA'];
    if (cost !== undefined && cost !== sums.sinIva) throw new Error(`cost of ${search}: ${cost}`);
    return { ...sums, sinIva: cost ?? '' };
  }
}

const SPENT_FIGURE_PATTERN = /<span class="label">Gastado.*?class="money[^"]*">([^<]*)</s;

const readAttribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

const htmlToWords = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
