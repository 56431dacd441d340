import { localize } from '../../../shared/language.ts';
import { helpPictureUrl } from '../../shell/assets.ts';
import { COLOR_SCHEME_BY_THEME, type Theme } from '../../shell/theme.ts';
import type { HelpTopic } from './topics.ts';

/** The size of the window in which the screenshots are taken, in CSS pixels. */
export const PICTURE_SIZE = { width: 1024, height: 640 };

export const PICTURE_THEMES = ['light', 'dark'] as const;

export const pictureFileName = (topic: string, theme: (typeof PICTURE_THEMES)[number]): string =>
  `ayuda-${topic}-${theme}.webp`;

export function TopicPicture({ topic: { id, title, picture }, theme }: { topic: HelpTopic; theme?: Theme }) {
  if (!picture) return null;
  const [light, dark] = [
    helpPictureUrl(pictureFileName(id, 'light')),
    helpPictureUrl(pictureFileName(id, 'dark')),
  ];
  const chosen = theme && COLOR_SCHEME_BY_THEME[theme];
  return (
    <figure>
      <picture>
        {!chosen && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
        <img
          src={chosen === 'dark' ? dark : light}
          alt={`La pantalla «${localize(title)}» en la empresa de demostración`}
          {...PICTURE_SIZE}
          loading="lazy"
          decoding="async"
        />
      </picture>
    </figure>
  );
}
