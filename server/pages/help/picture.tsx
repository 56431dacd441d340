import { localize } from '../../../shared/language.ts';
import { guidePictureUrl } from '../../shell/assets.ts';
import { THEMES, type Theme } from '../../shell/theme.ts';
import type { HelpTopic } from './topics.ts';

/** The size of the window in which the screenshots are taken, in CSS pixels. */
export const PICTURE_SIZE = { width: 1024, height: 640 };

export const PICTURE_THEMES = ['light', 'dark'] as const;

export const pictureFileName = (topic: string, theme: (typeof PICTURE_THEMES)[number]): string =>
  `ayuda-${topic}-${theme}.webp`;

export function TopicPicture({ topic: { id, title, picture }, theme }: { topic: HelpTopic; theme?: Theme }) {
  if (!picture) return null;
  const [light, dark] = [
    guidePictureUrl(pictureFileName(id, 'light')),
    guidePictureUrl(pictureFileName(id, 'dark')),
  ];
  const chosen = theme && THEMES[theme];
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
