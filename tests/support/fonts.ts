import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** DejaVu Sans is the widest font that people have. @returns the environment for the browser */
export function createDejaVuOnlyConfig(folder: string): { FONTCONFIG_FILE: string } {
  const packaged = join(
    dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
    'ttf',
  );
  const fonts = join(folder, 'fonts');
  mkdirSync(fonts);
  for (const name of ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'])
    copyFileSync(join(packaged, name), join(fonts, name));
  const file = join(folder, 'fonts.conf');
  const cache = join(folder, 'font-cache');
  writeFileSync(file, `<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>`);
  return { FONTCONFIG_FILE: file };
}
