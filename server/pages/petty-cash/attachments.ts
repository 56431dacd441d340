import { pages } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { getMovement } from '../../services/petty-cash/reading.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { attachmentRoutes } from '../ui/attachment-routes.ts';
import { movementTextsOf } from './form.tsx';
import { renderMovement } from './movement.tsx';

/** The files that are kept with a movement: the photo of a ticket, its XML. */
export const movementAttachmentPages = attachmentRoutes({
  list: pages.pettyCashAttachments(':id{[0-9]+}'),
  owner: (c) => ({ movementId: idInPath(c) }),
  async changed(c, change) {
    const movement = await getMovement(c.get('deps').db, idInPath(c));
    return answerForm(
      c,
      async () => redirectWith(c, pages.pettyCashMovement(movement.id), await change()),
      (problem, status) =>
        renderMovement(c, movement, { values: movementTextsOf(movement), problem, status }),
    );
  },
});
