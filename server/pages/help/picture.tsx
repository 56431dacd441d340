import { say } from '../../../shared/language.ts';
import { pictureAddress } from '../../shell/assets.ts';
import { THEMES, type Theme } from '../../shell/theme.ts';
import { PICTURE_SIZE, PICTURED, pictureFile } from './pictures.ts';
import type { HelpTopic } from './topic.ts';

/** The screen that a page is about, as the demonstration has it, on the reader's own ground. */
export function TopicPicture({ topic: { id, title }, theme }: { topic: HelpTopic; theme?: Theme }) {
  if (!PICTURED[id]) return null;
  const [light, dark] = [pictureAddress(pictureFile(id, 'light')), pictureAddress(pictureFile(id, 'dark'))];
  const chosen = theme && THEMES[theme];
  return (
    <figure>
      <picture>
        {!chosen && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
        <img
          src={chosen === 'dark' ? dark : light}
          alt={`La pantalla «${say(title)}» en la empresa de demostración`}
          {...PICTURE_SIZE}
          loading="lazy"
          decoding="async"
        />
      </picture>
    </figure>
  );
}
