import { withoutSeparators } from './text.ts';

/** The first three digits of a CLABE name the bank (Banco de México, participants of SPEI). */
export const BANK_NAME_BY_CODE: Readonly<Record<string, string>> = {
  '002': 'Banamex',
  '006': 'Bancomext',
  '009': 'Banobras',
  '012': 'BBVA',
  '014': 'Santander',
  '019': 'Banjército',
  '021': 'HSBC',
  '030': 'BanBajío',
  '032': 'Ixe',
  '036': 'Inbursa',
  '042': 'Mifel',
  '044': 'Scotiabank',
  '058': 'Banregio',
  '059': 'Invex',
  '060': 'Bansí',
  '062': 'Afirme',
  '072': 'Banorte',
  '106': 'Bank of America',
  '108': 'MUFG',
  '110': 'JP Morgan',
  '112': 'Monex',
  '113': 'Ve por Más',
  '124': 'Citi México',
  '127': 'Azteca',
  '128': 'Kapital',
  '129': 'Barclays',
  '130': 'Compartamos',
  '132': 'Multiva',
  '133': 'Actinver',
  '135': 'Nafin',
  '136': 'Intercam',
  '137': 'BanCoppel',
  '138': 'Ualá',
  '140': 'Consubanco',
  '141': 'Volkswagen',
  '143': 'CIBanco',
  '145': 'Base',
  '147': 'Bankaool',
  '148': 'PagaTodo',
  '150': 'Inmobiliario',
  '151': 'Dondé',
  '152': 'Bancrea',
  '154': 'Covalto',
  '155': 'ICBC',
  '156': 'Sabadell',
  '157': 'Shinhan',
  '158': 'Mizuho',
  '159': 'Bank of China',
  '160': 'S3',
  '166': 'Bienestar',
  '167': 'Hey Banco',
  '168': 'Hipotecaria Federal',
  '600': 'Monex Casa de Bolsa',
  '601': 'GBM',
  '602': 'Masari',
  '605': 'Value',
  '608': 'Vector',
  '616': 'Finamex',
  '617': 'Valmex',
  '620': 'Profuturo',
  '630': 'Intercam Casa de Bolsa',
  '631': 'CI Bolsa',
  '634': 'Fincomún',
  '638': 'Nu México',
  '646': 'STP',
  '652': 'Credicapital',
  '653': 'Kuspit',
  '656': 'Unagra',
  '659': 'ASP Integra',
  '661': 'Klar',
  '670': 'Libertad',
  '677': 'Caja Popular Mexicana',
  '680': 'Cristóbal Colón',
  '683': 'Caja Telefonistas',
  '684': 'Transfer',
  '685': 'Fondo (FIRA)',
  '688': 'Crediclub',
  '699': 'Fondeadora',
  '703': 'Tesored',
  '706': 'Arcus',
  '710': 'NVIO',
  '715': 'Cashi',
  '720': 'MexPago',
  '721': 'albo',
  '722': 'Mercado Pago',
  '723': 'Cuenca',
  '728': 'Spin by Oxxo',
  '732': 'Peibo',
};

const CLABE_DIGITS = 18;

export const normalizeClabe = (text: string): string => withoutSeparators(text).replaceAll('.', '');

export function computeClabeCheckDigit(digits: string): string {
  let sum = 0;
  for (let place = 0; place < CLABE_DIGITS - 1; place++)
    sum += (Number(digits[place]) * [3, 7, 1][place % 3]!) % 10;
  return String((10 - (sum % 10)) % 10);
}

export function findClabeProblem(clabe: string): string | undefined {
  if (!/^\d*$/.test(clabe)) return 'La CLABE lleva solo dígitos.';
  if (clabe.length !== CLABE_DIGITS) return `La CLABE lleva 18 dígitos; tiene ${clabe.length}.`;
  if (computeClabeCheckDigit(clabe) !== clabe.at(-1))
    return 'El último dígito de la CLABE no corresponde a los otros 17: hay un error al escribirla.';
  return undefined;
}

export const bankCodeOf = (clabe: string): string => clabe.slice(0, 3);

export const bankNameOf = (clabe: string): string =>
  BANK_NAME_BY_CODE[bankCodeOf(clabe)] ?? `Desconocido (${bankCodeOf(clabe)})`;

export const hasKnownBank = (clabe: string): boolean => Object.hasOwn(BANK_NAME_BY_CODE, bankCodeOf(clabe));

export const accountNumberOf = (clabe: string): string => clabe.slice(6, CLABE_DIGITS - 1);

export const abbreviateClabe = (clabe: string): string => `··· ${clabe.slice(-4)}`;

/** Formats a CLABE as "032 180 00011835971 9", to compare it with paper. */
export const formatClabe = (clabe: string): string =>
  clabe.replace(/^(\d{3})(\d{3})(\d{11})(\d)$/, '$1 $2 $3 $4');
