import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Hono } from 'hono';
import { acceptsCoding } from '../http/send.ts';
import { projectRoot } from '../root.ts';

interface AssetUrls {
  stylesheet: string;
  /** a second stylesheet, for pages other than lists */
  pagesStylesheet: string;
  /** the typeface, preloaded together with the stylesheet; in development the stylesheet alone loads it */
  font?: string;
  loader: string;
  login: string;
  /** Vite's client for hot reloading, in development only */
  devClient?: string;
}

export function getAssetUrls(): AssetUrls {
  return import.meta.env.DEV ? DEV_ASSETS : getBuiltAssets().assets;
}

/** Islands are left out, because they load lazily. */
export function listLoaderPreloads(): string[] {
  if (import.meta.env.DEV) return [];
  const { manifest, assets } = getBuiltAssets();
  const files = new Set<string>();
  const add = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || files.has(`/${chunk.file}`)) return;
    files.add(`/${chunk.file}`);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  add(LOADER_SOURCE);
  files.delete(assets.loader); // the page loads this file by a script element
  return [...files];
}

/** Serves the files of the build from memory (2 MB), so that a rebuild does not break open pages. */
export function serveAssets(): Hono {
  const app = new Hono();
  app.get('/assets/:name', (c) => {
    const file = import.meta.env.DEV ? undefined : getBuiltAssets().files.get(c.req.param('name'));
    if (!file) return c.text('No encontrado', 404);
    const accepted = c.req.header('accept-encoding') ?? '';
    const encoding = (['br', 'gzip'] as const).find((name) => file[name] && acceptsCoding(accepted, name));
    c.header('Content-Type', file.type);
    c.header('Cache-Control', 'public, max-age=31536000, immutable');
    if (file.br) c.header('Vary', 'Accept-Encoding');
    if (encoding) c.header('Content-Encoding', encoding);
    return c.body((encoding && file[encoding]) || file.plain);
  });
  app.get('/favicon.ico', (c) => {
    c.header('Content-Type', 'image/x-icon');
    c.header('Cache-Control', 'public, max-age=86400');
    return c.body(FAVICON);
  });
  return app;
}

const LOADER_SOURCE = 'islands/client.ts';
const LOGIN_SOURCE = 'islands/login.ts';
const STYLESHEET_SOURCE = 'islands/styles/app.css';
const PAGES_STYLESHEET_SOURCE = 'islands/styles/pages.css';
const FONT_SOURCE =
  'node_modules/@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2';

const DEV_ASSETS: AssetUrls = {
  stylesheet: `/${STYLESHEET_SOURCE}`,
  pagesStylesheet: `/${PAGES_STYLESHEET_SOURCE}`,
  loader: '/islands/dev.ts',
  login: `/${LOGIN_SOURCE}`,
  devClient: '/@vite/client',
};

const MEDIA_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
};

/** The address contains the picture's hash, so that browsers may cache the picture forever. */
export function helpPictureUrl(name: string): string {
  if (import.meta.env.DEV) return `/server/pages/help/pictures/${name}`;
  const file = getBuiltAssets().files.get(name);
  if (!file) throw new Error(`dist/client has no ${name}: npm run pictures, npm run build`);
  file.digest ??= createHash('sha256').update(file.plain).digest('hex').slice(0, 8);
  return `/assets/${name}?${file.digest}`;
}

interface Chunk {
  file: string;
  imports?: string[];
}

interface AssetFile {
  type: string;
  plain: Uint8Array<ArrayBuffer>;
  digest?: string;
  br?: Uint8Array<ArrayBuffer>;
  gzip?: Uint8Array<ArrayBuffer>;
}

interface BuiltAssets {
  assets: AssetUrls;
  manifest: Record<string, Chunk>;
  files: Map<string, AssetFile>;
}

let builtAssetsCache: BuiltAssets | undefined;

function getBuiltAssets(): BuiltAssets {
  builtAssetsCache ??= readBuiltAssets(join(projectRoot, 'dist/client'));
  return builtAssetsCache;
}

function readBuiltAssets(folder: string): BuiltAssets {
  const manifest = JSON.parse(
    readFileSync(join(folder, '.vite/manifest.json'), 'utf8'),
  ) as BuiltAssets['manifest'];
  const assetAddress = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`dist/client no tiene ${key}: ejecuta npm run build`);
    return `/${chunk.file}`;
  };
  const names = new Set(readdirSync(join(folder, 'assets')));
  const readAsset = (name: string) =>
    names.has(name) ? new Uint8Array(readFileSync(join(folder, 'assets', name))) : undefined;
  const files = new Map<string, AssetFile>();
  for (const name of names) {
    const type = MEDIA_TYPES[extname(name)];
    const plain = type && readAsset(name);
    if (plain) files.set(name, { type, plain, br: readAsset(`${name}.br`), gzip: readAsset(`${name}.gz`) });
  }
  const assets = {
    stylesheet: assetAddress(STYLESHEET_SOURCE),
    pagesStylesheet: assetAddress(PAGES_STYLESHEET_SOURCE),
    font: assetAddress(FONT_SOURCE),
    loader: assetAddress(LOADER_SOURCE),
    login: assetAddress(LOGIN_SOURCE),
  };
  return { assets, manifest, files };
}

// This .ico holds one PNG of 32 px: two ruled lines above the double line of a total.
const FAVICON_BASE64 = [
  'AAABAAEAICAAAAEAIACdAQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAAVJJREFUeJzsl88rRFEUx7/n',
  'de/eTtSMvSTE0PsDKAvNjo3CQikLS/kDpPwBZCGFsmQnf8CkSUzyDxhFsrGw0fMc575Ss3m3N9zenZnms7jdzrn1PZ0fdY9CA8Vw',
  'fJGIygxMEagfDmHwMwHXzHxer9wc/9rJHH3h6ICGPiDCNHKAGVcRotWXyt1jYAya1Gle4gajpUmfJPdCOLEcEB3CA9/MK0pqPQ9P',
  'GG0JACPwhNFWcvbCF6KtbP7S8BBcUL1/SPVZAzja2YYLBmfnUn0BPGPNwNLmFrwGYKudK1q7BN0pyIPuFLR2CWyMFXTmt7dPEZwH',
  'sLfQk/nt5O5bqq99S7B29g4XtG8GOqgHGK9/+Rc66QHRVrKG1eR3OoMmsc12dn3UAlmT9uEJo53shsWwdCnrUtNZ+Kf4Rb1SLSdN',
  '+MXxhpg+kROS+o84pnVzp0aHj/X8BwAA///zQxBQAAAABklEQVQDAEaoa55OyGx4AAAAAElFTkSuQmCC',
].join('');

const FAVICON = Uint8Array.from(Buffer.from(FAVICON_BASE64, 'base64'));
